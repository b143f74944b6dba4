import { expect, test } from 'vitest';
import * as z from 'zod';
import { writePriceEntries } from '#lib/catalog/price-entry.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { addProduct, card, newCatalog } from '#tests/support/catalog.ts';
import { newEmployee, newFamily } from '#tests/support/family.ts';
import { workbookOf } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { make } from '#tests/support/records.ts';
import { reprice, repricingRow } from '#tests/support/repricing.ts';
import { newGoods, newShop } from '#tests/support/shop.ts';

const PRODUCTS = '/company/product/product';

const Rows = z.object({
  data: z.array(z.looseObject({ id: z.int() })),
  meta: z.looseObject({ total: z.int(), per_page: z.int() }),
});

async function pricesOf(token: string, id: number, query = '') {
  const { status, body } = await call(`GET ${PRODUCTS}/${id}/prices?${query}`, { token });
  expect({ status, body }).toMatchObject({ status: 200 });
  return Rows.parse(body);
}

/** Waits until the history of a product's price has a number of entries. */
async function untilKept(token: string, id: number, count: number) {
  await expect
    .poll(async () => (await pricesOf(token, id)).data.length, { timeout: MAX_WAIT_MS, interval: 100 })
    .toBe(count);
  return (await pricesOf(token, id)).data;
}

const HEADER = 'name,category,brand,unit,barcode,plu,price,currency,description,id'.split(',');

test('each change of a price or minimum is listed with its cause and document, newest first (Part 4, 4.6 (3))', async () => {
  const shop = await newShop();
  const { director: token, directorId } = shop;
  const barcode = `47${shop.companyId}`;
  const water = await newGoods(shop, [], { barcode, min_price: 1000 });
  const body = (given: object) => ({ token, json: card(shop.catalog, { barcode, ...given }) });
  expect(await call(`PUT ${PRODUCTS}/${water}`, body({ name: 'Soda', min_price: 1000 }))).toMatchObject({
    status: 200,
  });
  await call(`PUT ${PRODUCTS}/${water}`, body({ min_price: 2000 }));
  const lines = [{ product_id: water, quantity: 1, cost: 1, sale_price: 6000.5 }];
  const json = { stock_id: shop.stockId, currency: 'uzs', products: lines };
  const receipt = await make('/company/trade/purchase', token, json);
  await call(`PATCH /company/trade/purchase/${receipt}/complete`, { token });
  const batch = await reprice(shop, [
    repricingRow(water, { sale_price: 3, sale_currency: 'usd', min_price: 2 }),
  ]);
  await call(`PUT ${PRODUCTS}/sync`, {
    token,
    json: { products: [{ external_id: 'A', barcode, sale_price: 4, min_price: 2 }] },
  });
  const file = await workbookOf([HEADER, [null, null, null, null, barcode, null, 5, 'usd', null, null]]);
  const form = formOf({ file, mode: 'update' });
  expect(await call(`POST ${PRODUCTS}/import`, { token, form })).toMatchObject({ status: 200 });

  const usd = { previous_currency: 'usd', currency: 'usd', previous_min_price: 2, min_price: 2 };
  const uzs = { previous_currency: 'uzs', currency: 'uzs' };
  const created_at = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  const own = { price_type_id: null, document_id: null, creator_id: directorId, created_at };
  expect(await untilKept(token, water, 6)).toEqual([
    { ...own, ...usd, id: 6, previous_price: 4, price: 5, cause: 'import' },
    { ...own, ...usd, id: 5, previous_price: 3, price: 4, cause: 'sync' },
    {
      ...{ ...own, ...usd, id: 4, previous_price: 6000.5, price: 3, cause: 'repricing' },
      ...{ document_id: batch.id, previous_currency: 'uzs', previous_min_price: 2000 },
    },
    {
      ...{ ...own, ...uzs, id: 3, previous_price: 5000, price: 6000.5, cause: 'receipt' },
      ...{ document_id: receipt, previous_min_price: 2000, min_price: 2000 },
    },
    {
      ...{ ...own, ...uzs, id: 2, previous_price: 5000, price: 5000, cause: 'card' },
      ...{ previous_min_price: 1000, min_price: 2000 },
    },
    {
      ...{ ...own, id: 1, previous_price: null, previous_currency: null, previous_min_price: null },
      ...{ price: 5000, currency: 'uzs', min_price: 1000, cause: 'card' },
    },
  ]);
});

test('each change of a price by type is listed with its type, also of several at once (Part 5, 5A.14 (2))', async () => {
  const family = await newFamily();
  const token = family.director;
  const catalog = await newCatalog(family);
  const types = [
    await make('/company/product/price-type', token, { name: 'Опт' }),
    await make('/company/product/price-type', token, { name: 'VIP' }),
  ];
  const at = (price: number, index = 0) => ({ price_type_id: types[index], price, currency: 'uzs' });
  const water = (await addProduct(token, catalog, { prices: [at(4000)] })).number('id');
  const patch = (json: object) => call(`PATCH ${PRODUCTS}/${water}`, { token, json });
  await patch({ sale_price: 6000, prices: [at(4500), at(3000, 1)] });
  await patch({ prices: [at(3000, 1)] });
  await patch({ name: 'Soda' });
  const changes = [
    { id: 6, price_type_id: types[0], previous_price: 4500, price: 6000, min_price: null },
    { id: 5, price_type_id: null, previous_price: 5000, price: 6000 },
    { id: 4, price_type_id: types[1], previous_price: null, previous_currency: null, price: 3000 },
    { id: 3, price_type_id: types[0], previous_price: 4000, previous_currency: 'uzs', price: 4500 },
    { id: 2, price_type_id: null, previous_price: null, price: 5000 },
    { id: 1, price_type_id: types[0], previous_price: null, price: 4000, cause: 'card' },
  ];
  expect((await pricesOf(token, water)).data.slice(0, 1)).toMatchObject(changes.slice(0, 1));
  expect(await untilKept(token, water, 6)).toMatchObject(changes);
});

test('products made by a workbook and by another system begin their history so', async () => {
  const family = await newFamily();
  const token = family.director;
  const catalog = await newCatalog(family);
  const made = await call(`PUT ${PRODUCTS}/sync`, {
    token,
    json: { products: [{ ...card(catalog), external_id: 'A' }] },
  });
  const Made = z.object({ data: z.tuple([z.object({ product: z.object({ id: z.int() }) })]) });
  const { id } = Made.parse(made.body).data[0].product;
  const file = await workbookOf([
    HEADER,
    ['Juice', 'Напитки', 'Nestlé', 'штука', '4', null, 5, 'usd', null, null],
  ]);
  expect(await call(`POST ${PRODUCTS}/import`, { token, form: formOf({ file }) })).toMatchObject({
    status: 200,
  });
  expect((await pricesOf(token, id)).data).toMatchObject([{ id: 1, cause: 'sync', previous_price: null }]);
  expect((await pricesOf(token, id + 1)).data).toMatchObject([{ id: 1, cause: 'import', price: 5 }]);
});

test('a page of the history is a stretch of it, 200 at most, and the latest change is there at once', async () => {
  const family = await newFamily();
  const token = family.director;
  const catalog = await newCatalog(family);
  const body = card(catalog);
  const water = (await addProduct(token, catalog, body)).number('id');
  for (const sale_price of [1, 2, 3, 4]) {
    await call(`PUT ${PRODUCTS}/${water}`, { token, json: { ...body, sale_price } });
    expect((await pricesOf(token, water)).data[0]).toMatchObject({ price: sale_price });
  }
  await untilKept(token, water, 5);
  const idsOf = async (query: string) => (await pricesOf(token, water, query)).data.map((each) => each.id);
  expect(await idsOf('page-size=2')).toEqual([5, 4]);
  expect(await idsOf('page-size=2&page=2')).toEqual([3, 2]);
  expect(await idsOf('page-size=2&page=3')).toEqual([1]);
  expect(await idsOf('page-size=2&page=4')).toEqual([]);
  expect((await pricesOf(token, water)).meta).toMatchObject({ total: 5, per_page: 20 });
  expect(await call(`GET ${PRODUCTS}/${water}/prices?page-size=200`, { token })).toMatchObject({
    status: 200,
  });
  expect(await call(`GET ${PRODUCTS}/${water}/prices?page-size=201`, { token })).toMatchObject({
    status: 422,
  });
});

test('the history is for who has its right, of a product of the family that is not deleted', async () => {
  const family = await newFamily();
  const token = family.director;
  const catalog = await newCatalog(family);
  const water = (await addProduct(token, catalog)).number('id');
  const read = (by: string) => call(`GET ${PRODUCTS}/${water}/prices`, { token: by });
  const [without, allowed] = await Promise.all([
    newEmployee(family, ['company.product.product.show']),
    newEmployee(family, ['company.product.product.prices']),
  ]);
  expect(await read(without)).toMatchObject({ status: 403 });
  expect(await read(allowed)).toMatchObject({ status: 200 });
  expect(await read((await newFamily()).director)).toMatchObject({ status: 404 });
  await call(`DELETE ${PRODUCTS}/${water}`, { token });
  expect(await read(token)).toMatchObject({ status: 404 });
});

test('an entry is put once, however often and late the stream tells of it, and locks are no change', async () => {
  const tenant = familyTenant(900_000_000_000 + process.pid);
  const image = (id: number, price: string, lock = false) => ({
    ...{ pk: { S: `product#${tenant}` }, sk: { S: '000000000007' } },
    ...{ sale_price: { N: price }, sale_currency: { S: 'uzs' }, min_price: { NULL: true } },
    price_change: {
      M: {
        ...{
          id: { N: String(id) },
          cause: { S: 'card' },
          document_id: { NULL: true },
          creator_id: { N: '3' },
        },
        ...{ created_at: { N: '1795000000000' }, previous: { NULL: true } },
      },
    },
    ...(lock && { journal: { S: 'j' } }),
  });
  const told = (before: ReturnType<typeof image> | undefined, after: ReturnType<typeof image>) => ({
    dynamodb: { Keys: { pk: after.pk, sk: after.sk }, NewImage: after, ...(before && { OldImage: before }) },
  });
  const [first, second] = [image(1, '100'), image(2, '200')];
  const entry = (id: number) =>
    getItem({ pk: `product-price#${tenant}#7`, sk: String(id).padStart(12, '0') });
  await writePriceEntries([told(first, image(1, '100', true)), told(image(1, '100', true), first)]);
  expect(await entry(1)).toBeUndefined();
  await writePriceEntries([told(first, second), told(undefined, first), told(first, second)]);
  await writePriceEntries([told(undefined, { ...first, sale_price: { N: '300' } })]);
  expect(await entry(1)).toMatchObject({ id: 1, price: [100, 'uzs', null], previous: null, cause: 'card' });
  expect(await entry(2)).toMatchObject({ id: 2, price: [200, 'uzs', null] });
  const broken = { ...second, price_change: { M: { id: { S: 'no number' } } } };
  await writePriceEntries([{ dynamodb: { Keys: { pk: second.pk, sk: second.sk }, NewImage: broken } }, {}]);
});
