import { expect, inject, test } from 'vitest';
import { errorCodes, translate } from '#lib/values/message.ts';
import { newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { newShop, saleBody } from '#tests/support/shop.ts';

const BRANDS = '/company/product/brand';

test('every refusal has its code, the same in every language', async () => {
  const [{ director: token }, administrator] = await Promise.all([newFamily(), newSuperAdministrator()]);
  const refusals = [
    ['GET /company/product/brands', {}, 404, 'http.not_found'],
    [`PATCH ${BRANDS}`, {}, 405, 'http.method_not_allowed'],
    [`GET ${BRANDS}`, {}, 401, 'auth.unauthenticated'],
    [`GET ${BRANDS}`, { token: administrator }, 403, 'auth.forbidden'],
    [
      `POST ${BRANDS}`,
      { token, text: 'a', headers: { 'content-type': 'text/csv' } },
      415,
      'http.unsupported_media',
    ],
    ['GET /common/public/records/nothing', { token }, 400, 'records.type_unavailable'],
  ] as const;
  for (const [request, given, status, code] of refusals) {
    expect(await call(request, given), request).toMatchObject({ status, body: { code } });
    const inLatin = { headers: { 'accept-language': 'oz', ...('headers' in given && given.headers) } };
    expect((await call(request, { ...given, ...inLatin })).body).toEqual({
      message: translate('oz', { key: code }),
      code,
    });
  }
});

test('a 422 has a code for each text, at the same paths, and the first of them as its own', async () => {
  const { director: token } = await newFamily();
  const json = { name: 'n'.repeat(256), image_old_keys: '{}' };
  expect(await call(`POST ${BRANDS}?page=0`, { token, json })).toMatchObject({
    status: 422,
    body: {
      code: 'validation.unknown',
      codes: {
        page: ['validation.unknown'],
        name: ['validation.too_long'],
        image_old_keys: ['validation.not_json_list'],
      },
      errors: { page: [translate('ru', { key: 'validation.unknown' })] },
    },
  });
});

test('a rule of the domain has its code too', async () => {
  const shop = await newShop();
  const sold = await call('POST /company/trade/sale', { token: shop.director, json: saleBody(shop, {}) });
  expect(sold.body).toMatchObject({
    code: 'sale.no_lines',
    codes: { products: ['sale.no_lines'] },
  });
});

test('a page of the reference lists every code with what it says', async () => {
  const page = await fetch(`${inject('address')}/docs/codes`);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const text = await page.text();
  for (const code of errorCodes()) expect(text).toContain(`<tr id="${code}">`);
});
