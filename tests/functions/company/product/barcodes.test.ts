import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { translate } from '#lib/values/message.ts';
import { addProduct, type Catalog, card, newCatalog } from '#tests/support/catalog.ts';
import { newFamily } from '#tests/support/family.ts';
import { workbookOf } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';
import { errorsOf, idsOf, make, TAKEN } from '#tests/support/records.ts';

/* Part 5, 5A.12, 1. */

const PRODUCTS = '/company/product/product';

const BOX = { barcode: '036000291452', quantity: 6, name: 'Box' };

let token: string;
let companyId: number;
let catalog: Catalog;

beforeEach(async () => {
  const family = await newFamily();
  token = family.director;
  companyId = family.companyId;
  catalog = await newCatalog(family);
});

async function barcodesOf(id: number) {
  const { body } = await call(`GET ${PRODUCTS}/${id}`, { token });
  return z.object({ barcodes: z.unknown(), article: z.unknown() }).parse(body);
}

const DUPLICATE = translate('ru', { key: 'validation.duplicate' });

test('a product has further barcodes of 1 or another quantity, and an article; left out of a PUT they stay (Part 5, 5A.12 (1))', async () => {
  const plain = await make(PRODUCTS, token, card(catalog));
  expect(await barcodesOf(plain)).toEqual({ barcodes: [], article: null });
  const json = card(catalog, { barcodes: [{ barcode: '1' }, BOX], article: ' A 1 ' });
  const id = await make(PRODUCTS, token, json);
  const kept = { barcodes: [{ barcode: '1', quantity: 1, name: null }, BOX], article: 'A 1' };
  expect(await barcodesOf(id)).toEqual(kept);
  const { barcodes: _, article: __, ...bare } = { ...kept, ...json };
  expect((await call(`PUT ${PRODUCTS}/${id}`, { token, json: bare })).status).toBe(200);
  expect(await barcodesOf(id)).toEqual(kept);
  await call(`PUT ${PRODUCTS}/${id}`, { token, json: { ...bare, barcodes: [], article: '' } });
  expect(await barcodesOf(id)).toEqual({ barcodes: [], article: null });
});

test('a form sends them by brackets (Part 5, 5A.12 (1))', async () => {
  const { name, barcode, sale_currency, ...numbers } = card(catalog);
  const fields = Object.entries(numbers).map(([field, value]) => [field, String(value)]);
  const pack = {
    'barcodes[0][barcode]': BOX.barcode,
    'barcodes[0][quantity]': '6',
    'barcodes[0][name]': 'Box',
  };
  const form = formOf({ name, barcode, sale_currency, ...Object.fromEntries(fields), ...pack });
  expect((await call(`POST ${PRODUCTS}`, { token, form })).body).toMatchObject({ barcodes: [BOX] });
});

test('a product has at most 20, of quantities above 0, with names up to 100 characters: 422 on each (Part 5, 5A.12 (1))', async () => {
  const barcodes = [{ barcode: '1', quantity: 0 }, { barcode: '2', name: 'x'.repeat(101) }, { barcode: '' }];
  const json = card(catalog, { barcodes, article: 'x'.repeat(65) });
  expect(Object.keys(await errorsOf(`POST ${PRODUCTS}`, token, json)).sort()).toEqual([
    'article',
    'barcodes.0.quantity',
    'barcodes.1.name',
    'barcodes.2.barcode',
  ]);
  const many = Array.from({ length: 21 }, (_, index) => ({ barcode: `9${index}` }));
  expect(Object.keys(await errorsOf(`POST ${PRODUCTS}`, token, card(catalog, { barcodes: many })))).toEqual([
    'barcodes',
  ]);
});

test('all barcodes of a family are unique together, with or without leading zeros: 422 on the one that is taken (Part 5, 5A.12 (1))', async () => {
  const id = await make(PRODUCTS, token, card(catalog, { barcode: '0036000291452' }));
  await make(PRODUCTS, token, card(catalog, { barcodes: [{ barcode: '77' }] }));
  expect(await errorsOf(`POST ${PRODUCTS}`, token, card(catalog, { barcode: '77' }))).toEqual({
    barcode: TAKEN,
  });
  const barcodes = [{ barcode: '5' }, BOX];
  const { status, body } = await call(`POST ${PRODUCTS}`, { token, json: card(catalog, { barcodes }) });
  expect(status).toBe(422);
  expect(body).toMatchObject({
    errors: { 'barcodes.1.barcode': [TAKEN] },
    holders: { 'barcodes.1.barcode': { id, is_deleted: false } },
  });
});

test('a product has no barcode twice: 422 on the second, on `barcode` if it becomes one of those that stay (Part 5, 5A.12 (1))', async () => {
  const twice = card(catalog, {
    barcode: '1',
    barcodes: [{ barcode: '1' }, { barcode: '2' }, { barcode: '2' }],
  });
  expect(await errorsOf(`POST ${PRODUCTS}`, token, twice)).toEqual({
    'barcodes.0.barcode': DUPLICATE,
    'barcodes.2.barcode': DUPLICATE,
  });
  const bare = card(catalog, { barcode: '3' });
  const id = await make(PRODUCTS, token, { ...bare, barcodes: [{ barcode: '4' }] });
  const other = { ...bare, barcode: '4' };
  expect(await errorsOf(`PUT ${PRODUCTS}/${id}`, token, other)).toEqual({ barcode: DUPLICATE });
  const swapped = { ...other, barcodes: [{ barcode: '3' }] };
  expect((await call(`PUT ${PRODUCTS}/${id}`, { token, json: swapped })).status).toBe(200);
  expect(await errorsOf(`POST ${PRODUCTS}`, token, card(catalog, { barcode: '3' }))).toEqual({
    barcode: TAKEN,
  });
});

test('a barcode that a product no longer has is free (Part 5, 5A.12 (1))', async () => {
  const json = card(catalog, { barcodes: [BOX] });
  const id = await make(PRODUCTS, token, json);
  await call(`PUT ${PRODUCTS}/${id}`, { token, json: { ...json, barcodes: [] } });
  await make(PRODUCTS, token, card(catalog, { barcode: BOX.barcode }));
});

test('filter[barcode] finds a product by any of its barcodes, beside other filters (Part 5, 5A.12 (1))', async () => {
  const first = await make(PRODUCTS, token, card(catalog, { barcodes: [BOX, { barcode: '55' }] }));
  const second = await make(PRODUCTS, token, card(catalog, { barcode: '56', is_favorite: true }));
  const found = (query: string) => idsOf(PRODUCTS, token, query);
  expect(await found(`filter[barcode]=00036000291452`)).toEqual([first]);
  expect(await found('filter[barcode][]=55&filter[barcode][]=56')).toEqual([first, second]);
  expect(await found('filter[barcode][]=55&filter[barcode][]=56&filter[is_favorite]=1')).toEqual([second]);
  expect(await found('filter[barcode]=57')).toEqual([]);
  await call(`DELETE ${PRODUCTS}/${first}`, { token });
  expect(await found('filter[barcode]=55')).toEqual([]);
  expect(await found('filter[barcode]=55&show[]=only-deleted')).toEqual([first]);
});

test('a row of sync finds its product by any barcode, and keeps what it leaves out (Part 5, 5A.12 (1))', async () => {
  const json = card(catalog, { barcodes: [BOX], article: 'A' });
  const id = await make(PRODUCTS, token, json);
  const row = { external_id: '1C', name: 'Tea', barcode: '0036000291452' };
  const sync = (given: object) =>
    call(`PUT ${PRODUCTS}/sync`, { token, json: { products: [{ ...row, ...given }] } });
  const product = { id, name: 'Tea', barcode: json.barcode, barcodes: [BOX], article: 'A' };
  expect((await sync({})).body).toMatchObject({ data: [{ outcome: 'changed', product }] });
  expect((await sync({})).body).toMatchObject({ data: [{ outcome: 'same' }] });
  expect((await sync({ barcodes: [{ barcode: '1' }] })).body).toMatchObject({
    data: [{ product: { barcode: row.barcode, barcodes: [{ barcode: '1', quantity: 1, name: null }] } }],
  });
  expect((await sync({ barcodes: [{ barcode: row.barcode }] })).body).toMatchObject({
    data: [{ status: 422, errors: { 'barcodes.0.barcode': [DUPLICATE] } }],
  });
});

test('an import updates a product by any of its barcodes, a repricing finds it so (Part 5, 5A.12 (1))', async () => {
  const json = card(catalog, { barcodes: [BOX] });
  const id = await make(PRODUCTS, token, json);
  const row = ['Tea', null, null, null, BOX.barcode, null, 7000];
  const form = formOf({ file: await workbookOf([[], row]), mode: 'update' });
  expect(await call(`POST ${PRODUCTS}/import`, { token, form })).toMatchObject({
    status: 200,
    body: { changed: 1, created: 0 },
  });
  const taken = ['Tea', 'Напитки', 'Nestlé', 'дона', BOX.barcode, null, 7000, 'uzs'];
  const again = formOf({ file: await workbookOf([[], taken]) });
  expect(await call(`POST ${PRODUCTS}/import`, { token, form: again })).toMatchObject({
    status: 422,
    body: { errors: { 'rows.2.barcode': [TAKEN] } },
  });
  const products = [{ barcode: BOX.barcode, sale_price: 9000, sale_currency: 'uzs' }];
  const made = await call('POST /company/trade/recalculation-batch', {
    token,
    json: { company_id: companyId, products },
  });
  expect(made.status).toBe(200);
  const { body } = await call(`GET ${PRODUCTS}/${id}`, { token });
  expect(body).toMatchObject({ name: 'Tea', sale_price: 9000, barcode: json.barcode, barcodes: [BOX] });
});

test('two cards that get the same barcode at once: one of them has it (Part 5, 5A.12 (1))', async () => {
  const answers = await Promise.all(
    [1, 2].map(() => addProduct(token, catalog, { barcodes: [{ barcode: '88' }] })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
});
