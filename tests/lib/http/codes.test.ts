import { expect, inject, test } from 'vitest';
import { errorCodes, paramsOfCode, translate } from '#lib/values/message.ts';
import { newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { newGoods, newShop, saleBody } from '#tests/support/shop.ts';

const WATER = [{ quantity: 10, cost: 3000 }];
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
      ...(status === 400 && { params: {} }),
      ...(status === 403 && { right: null }),
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

test('a 422 has the values of each text as params at the same paths, numbers as numbers (Part 5, 5B.4)', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, WATER);
  const products = [{ product_id: product, sold_quantity: 12.5, price: 5000.123 }];
  const sell = (json: object) => call('POST /company/trade/sale', { token: shop.director, json });
  const wrong = await sell(saleBody(shop, { products, transactions: 'none', due_date: 5 }));
  expect(wrong.body).toMatchObject({
    codes: { 'products.0.price': ['validation.too_many_decimals'], transactions: ['validation.not_list'] },
    params: { 'products.0.price': [{ max: 2 }], transactions: [{}], due_date: [{}] },
  });
  const unpaid = [{ product_id: product, sold_quantity: 6.7001, price: 5000 }];
  const transactions = [{ payment_type: 'cash', amount: 1 }];
  const differ = await sell(saleBody(shop, { products: unpaid, transactions }));
  expect(differ.body).toMatchObject({ params: { transactions: [{ total: 33_500.5 }] } });
});

test('a 400 has one object of params, {} for a text without values (Part 5, 5B.4)', async () => {
  const { director: token } = await newFamily();
  const missing = await call(`GET ${BRANDS}/1000000`, { token });
  expect(missing.body).not.toHaveProperty('params');
  const unknown = await call('GET /common/public/records/nothing', { token });
  expect(unknown).toMatchObject({ status: 400, body: { params: {} } });
});

test('a page of the reference lists every code with what it says and the names of its params (Part 5, 5B.4)', async () => {
  const page = await fetch(`${inject('address')}/docs/codes`);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const text = await page.text();
  for (const code of errorCodes()) {
    const row = text.split('\n').find((line) => line.includes(`<tr id="${code}">`)) ?? '';
    expect(row).toContain(code);
    for (const name of paramsOfCode(code)) expect(row).toContain(`<code>${name}</code>`);
  }
});
