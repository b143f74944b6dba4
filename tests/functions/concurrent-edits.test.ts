import { describe, expect, test } from 'vitest';
import { newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { newGoods, newShop, sellOne } from '#tests/support/shop.ts';

const SUPPLIERS = '/company/stock/supplier';
const STALE = { status: 412, body: { code: 'http.version_changed' } };

async function tagOf(path: string, token: string): Promise<string> {
  return (await call(`GET ${path}`, { token })).headers.get('etag') ?? '';
}

async function newSupplier() {
  const { director: token } = await newFamily();
  return { token, path: `${SUPPLIERS}/${await make(SUPPLIERS, token, { name: 'Olma' })}` };
}

describe('If-Match', () => {
  test('lets a change through that its caller has seen the record before, and no other', async () => {
    const { token, path } = await newSupplier();
    const first = await tagOf(path, token);
    const headers = { 'if-match': first };
    expect((await call(`PUT ${path}`, { token, json: { name: 'Nok' }, headers })).status).toBe(200);
    expect(await tagOf(path, token)).not.toBe(first);
    expect(await call(`PUT ${path}`, { token, json: { name: 'Uzum' }, headers })).toMatchObject(STALE);
    expect(await call(`DELETE ${path}`, { token, headers })).toMatchObject(STALE);
    expect((await call(`GET ${path}`, { token })).body).toMatchObject({ name: 'Nok' });
    expect((await call(`PUT ${path}`, { token, json: { name: 'Anor' } })).status).toBe(200);
  });

  test('is compared weakly, may name several versions or any, and nothing else fits', async () => {
    const { token, path } = await newSupplier();
    const put = async (tag: string) =>
      (await call(`PUT ${path}`, { token, json: { name: 'Nok' }, headers: { 'if-match': tag } })).status;
    expect(await put(`W/${await tagOf(path, token)}`)).toBe(200);
    expect(await put(`"77", ${await tagOf(path, token)}`)).toBe(200);
    expect(await put('*')).toBe(200);
    for (const tag of ['', '""', '4', '"0"', '"4.0"', 'W/', '"four"']) expect(await put(tag), tag).toBe(412);
  });

  test('counts for POST with _method, and for taking a deletion back', async () => {
    const { token, path } = await newSupplier();
    const headers = { 'if-match': await tagOf(path, token) };
    const override = (method: string, given: object = {}) =>
      call(`POST ${path}?_method=${method}`, { token, headers, ...given });
    expect((await override('PUT', { json: { name: 'Nok' } })).status).toBe(200);
    expect(await override('PUT', { json: { name: 'Uzum' } })).toMatchObject(STALE);
    expect(await override('DELETE')).toMatchObject(STALE);
    await call(`DELETE ${path}`, { token });
    expect(await call(`DELETE ${path}/restore`, { token, headers })).toMatchObject(STALE);
    expect((await call(`DELETE ${path}/restore`, { token })).status).toBe(200);
  });

  test('of twenty at once with the same tag, one goes through', async () => {
    const { token, path } = await newSupplier();
    const headers = { 'if-match': await tagOf(path, token) };
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        call(`PUT ${path}`, { token, json: { name: `Olma ${index}` }, headers }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(412)]);
  });

  test('tells nothing of records that the caller does not reach', async () => {
    const [{ path }, stranger] = await Promise.all([newSupplier(), newFamily()]);
    const sent = { token: stranger.director, json: { name: 'Nok' }, headers: { 'if-match': '"9"' } };
    expect((await call(`PUT ${path}`, sent)).status).toBe(404);
  });
});

describe('the version', () => {
  test('of a supplier and a desk does not change with what is paid', async () => {
    const shop = await newShop();
    const { director: token } = shop;
    const product = await newGoods(shop, [{ quantity: 10, cost: 1000 }]);
    const supplier = await make(SUPPLIERS, token, { name: 'Olma' });
    const paths = [
      `${SUPPLIERS}/${supplier}`,
      `/company/cashbox/cashbox/${shop.cashboxId}`,
      `/company/product/product/${product}`,
      `/company/stock/stock/${shop.stockId}`,
    ];
    const before = await Promise.all(paths.map((path) => tagOf(path, token)));
    expect((await sellOne(shop, product, 2, 5000)).status).toBe(200);
    const json = { cashbox_id: shop.cashboxId, currency: 'uzs', amount: 1000, payment_type: 'cash' };
    const paid = await call(`POST ${SUPPLIERS}/${supplier}/payment`, { token, json });
    expect(paid.body).toMatchObject({ amount: 1000 });
    expect(await Promise.all(paths.map((path) => tagOf(path, token)))).toEqual(before);
  });

  test('of a document guards its states', async () => {
    const shop = await newShop();
    const product = await newGoods(shop, [{ quantity: 10, cost: 1000 }]);
    const sold = await sellOne(shop, product, 2, 5000);
    const path = `/company/trade/sale/${Object(sold.body).id}`;
    const given = { token: shop.director, headers: { 'if-match': await tagOf(path, shop.director) } };
    const json = { transactions: [{ payment_type: 'cash', amount: 10_000 }] };
    const stale = { ...given, headers: { 'if-match': '"9"' } };
    expect(await call(`PATCH ${path}/return`, { ...stale, json })).toMatchObject(STALE);
    expect((await call(`PATCH ${path}/return`, { ...given, json })).status).toBe(200);
  });

  test('of a draft guards what two tills put into it', async () => {
    const shop = await newShop();
    const path = `/company/trade/cashbox/${shop.cashboxId}/cheque/1`;
    const { director: token } = shop;
    const headers = { 'if-match': await tagOf(path, token) };
    expect(headers['if-match']).toBe('"0"');
    const json = { stock_id: shop.stockId };
    expect((await call(`PUT ${path}`, { token, json, headers })).status).toBe(200);
    expect(await call(`PUT ${path}`, { token, json, headers })).toMatchObject(STALE);
    expect(await call(`DELETE ${path}`, { token, headers })).toMatchObject(STALE);
    const now = { 'if-match': await tagOf(path, token) };
    expect((await call(`DELETE ${path}`, { token, headers: now })).status).toBe(200);
  });

  test.each(['/company/company/settings', '/company/cashbox/currency-rate/settings', '/common/user/profile'])(
    'of %s stands for what has no id',
    async (path) => {
      const { director: token } = await newFamily();
      expect(await tagOf(path, token)).toMatch(/^"\d+"$/);
      const headers = { 'if-match': '"99"' };
      const json = path.endsWith('profile')
        ? { phone: '998901112233' }
        : path.endsWith('company/settings')
          ? { cashbox_shift_settings: { is_enabled: false } }
          : { sale_currency: 'uzs' };
      const method = path.includes('currency-rate') ? 'PATCH' : 'PUT';
      expect(await call(`${method} ${path}`, { token, json, headers })).toMatchObject(STALE);
    },
  );

  test('of a company and an administrator too', async () => {
    const [token, { companyId }] = await Promise.all([newSuperAdministrator(), newFamily()]);
    for (const path of [`/admin/company/company/${companyId}`, '/admin/system/language/1']) {
      expect(await tagOf(path, token)).toMatch(/^"\d+"$/);
    }
  });
});
