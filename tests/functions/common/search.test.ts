import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { products } from '#lib/catalog/card.ts';
import { updateListIndexes } from '#lib/platform/list-indexes.ts';
import { recordSource } from '#lib/records/record.ts';
import { indexNoticeOf } from '#lib/table/change/index-notice.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { addProduct, card } from '#tests/support/catalog.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsIn, make, NOT_FOUND, REQUIRED } from '#tests/support/records.ts';
import { newGoods, newShop, type Shop } from '#tests/support/shop.ts';

/* Part 5, 5B.1. */

const PRODUCTS = '/company/product/product';

const Rows = z.object({ data: z.array(z.object({ id: z.int() })), meta: z.object({ total: z.int() }) });

let shop: Shop;
let token: string;

beforeEach(async () => {
  shop = await newShop();
  token = shop.director;
});

async function search(path: string, text: string, more = '') {
  const { body } = await call(`GET ${path}?filter[search]=${encodeURIComponent(text)}${more}`, { token });
  return Rows.parse(body).data.map(({ id }) => id);
}

const add = async (given: object) => (await addProduct(token, shop.catalog, given)).number('id');

test('products are found by words of their name in either script, by barcodes, PLU, article and external id', async () => {
  const json = {
    name: 'Choy, ko‘k',
    barcode: '4780000000017',
    barcodes: [{ barcode: '036000291452', quantity: 6 }],
    plu: 'A-42',
    article: 'TX 7',
    external_id: '1C-Ab',
  };
  const id = await add(json);
  await add({ name: 'Suv', barcode: '99' });
  for (const text of ['кук чой', "choy ko'k", 'Чой кўк', '47800', '0036000291452', 'a42', 'tx7', '1C-Ab'])
    expect(await search(PRODUCTS, text), text).toEqual([id]);
  for (const text of ['oy', '1C', 'choy suv']) expect(await search(PRODUCTS, text), text).toEqual([]);
});

test('the order is by rank and then the newest first, unless sort[] is given', async () => {
  const last = await add({ name: 'Qora choy' });
  const first = await add({ name: 'x', plu: 'choy' });
  const second = await add({ name: 'Choy 1' });
  const third = await add({ name: 'Choy 2' });
  expect(await search(PRODUCTS, 'choy')).toEqual([first, third, second, last]);
  expect(await search(PRODUCTS, 'choy', '&sort[]=id')).toEqual([last, first, second, third]);
  expect(await search(PRODUCTS, 'choy', '&sort[]=-id')).toEqual([third, second, first, last]);
  expect(await search(PRODUCTS, 'choy', '&sort[]=name')).toEqual([second, third, last, first]);
  expect(await search(PRODUCTS, 'choy', '&page=2&page-size=2')).toEqual([second, last]);
});

test('clients and suppliers are found by name and phone, services by name', async () => {
  const client = {
    full_name: 'Азиз Каримов',
    main_phone: '998901112233',
    additional_phones: ['998935554433'],
  };
  const id = await make('/company/client/client', token, client);
  for (const text of ['karimov aziz', '90 111-22', '+998 90', '935554433'])
    expect(await search('/company/client/client', text), text).toEqual([id]);
  const supplier = await make('/company/stock/supplier', token, { name: 'Ёлка', phone: '998712223344' });
  for (const text of ['elka', 'yolka', '71 222'])
    expect(await search('/company/stock/supplier', text), text).toEqual([supplier]);
  const name = { uz: 'Соат', oz: 'Soat', ru: 'Час' };
  const service_unit_id = await make('/company/product/service-unit', token, { name });
  const service = { service_unit_id, name: 'Етказиш', price: 1 };
  const made = await make('/company/product/service', token, service);
  expect(await search('/company/product/service', 'yetkaz')).toEqual([made]);
});

test('a search of no word, or more than 8, or over 100 characters is 422', async () => {
  const of = (text: string) => errorsIn(`${PRODUCTS}?filter[search]=${encodeURIComponent(text)}`, token);
  expect(await of('- !')).toEqual({ 'filter.search': [REQUIRED] });
  for (const text of ['a b c d e f g h i', 'x'.repeat(101)])
    expect(await of(text)).toEqual({ 'filter.search': [expect.any(String)] });
});

test('what was just saved is found at once, by what it is now, with other filters, in a large list', async () => {
  for (let each = 0; each < 70; each++) await newGoods(shop, [], { name: `Suv ${each}` });
  const source = recordSource(products, familyTenant(shop.companyId));
  const time = { now: Date.now, isUp: () => false };
  const { fields, ...notice } = indexNoticeOf(source);
  const message = { days: [], ...notice, fields: [...fields], search: [...(source.search ?? [])] };
  await updateListIndexes({ ...message, days: [] }, time);
  const json = card(shop.catalog, { name: 'Choy' });
  const id = await make(PRODUCTS, token, json);
  expect(await search(PRODUCTS, 'чой')).toEqual([id]);
  await updateListIndexes({ ...message, days: [] }, time);
  expect(await search(PRODUCTS, 'чой')).toEqual([id]);
  await call(`PUT ${PRODUCTS}/${id}`, { token, json: { ...json, name: 'Qahva', is_favorite: true } });
  expect(await search(PRODUCTS, 'чой')).toEqual([]);
  expect(await search(PRODUCTS, 'kahva')).toEqual([id]);
  expect(await search(PRODUCTS, 'kahva', '&filter[is_favorite]=0')).toEqual([]);
  expect(await search(PRODUCTS, 'kahva', '&filter[is_favorite]=1&filter[name]=qah')).toEqual([id]);
  await call(`DELETE ${PRODUCTS}/${id}`, { token });
  expect(await search(PRODUCTS, 'kahva')).toEqual([]);
  expect(await search(PRODUCTS, 'kahva', '&show[]=only-deleted')).toEqual([id]);
  expect(await search(PRODUCTS, 'suv 1')).toHaveLength(11);
});

test('drop-downs find so beside any part of the name; clients by name and whole phone, suppliers by name', async () => {
  const product = await add({ name: 'Choy, ko‘k', plu: 'A-42' });
  const client = await make('/company/client/client', token, {
    full_name: 'Азиз',
    main_phone: '998901112233',
  });
  await make('/company/stock/supplier', token, { name: 'Ёлка', phone: '998712223344' });
  const found = async (type: string, text: string) => {
    const { body } = await call(
      `GET /common/public/records/${type}?filter[value]=${encodeURIComponent(text)}`,
      {
        token,
      },
    );
    return Rows.parse(body).data.length;
  };
  for (const text of ['кук чой', 'oy, ko', 'A-42']) expect(await found('product', text), text).toBe(1);
  for (const text of ['aziz', '90 111 22 33']) expect(await found('client', text), text).toBe(1);
  expect(await found('client', '90 111')).toBe(0);
  expect(await found('supplier', 'elka')).toBe(1);
  expect(await found('supplier', '712223344')).toBe(0);
  expect([product, client]).toHaveLength(2);
});

test('with[]=balance shows what a warehouse has: 422 without one that is open, 403 without the right to see stock', async () => {
  const id = await newGoods(shop, [{ quantity: 7, cost: 1 }], { name: 'Choy' });
  await newGoods(shop, [], { name: 'Suv' });
  const none = await add({ name: 'Non' });
  const of = (query: string, by = token) => call(`GET ${PRODUCTS}?with[]=balance${query}`, { token: by });
  const { body } = await of(`&stock_id=${shop.stockId}&filter[search]=choy`);
  const balance = { stock_product_id: expect.any(Number), quantity: 7, held_quantity: 0 };
  expect(body).toMatchObject({ data: [{ id, balance }] });
  expect((await of(`&stock_id=${shop.stockId}&filter[id]=${none}`)).body).toMatchObject({
    data: [{ balance: null }],
  });
  expect((await of('')).body).toMatchObject({ errors: { stock_id: [REQUIRED] } });
  expect((await of('&stock_id=99')).body).toMatchObject({ errors: { stock_id: [NOT_FOUND] } });
  const employee = await newEmployee(shop, ['company.product.product.index']);
  const refused = { status: 403, body: { right: 'company.stock.product.index' } };
  expect(await of(`&stock_id=${shop.stockId}`, employee)).toMatchObject(refused);
});
