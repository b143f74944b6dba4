import type exceljs from 'exceljs';
import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { newCatalog } from '#tests/support/catalog.ts';
import { newFamily } from '#tests/support/family.ts';
import { workbookOf } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';
import { downloadSheet } from '#tests/support/sheet.ts';

const PRODUCTS = '/company/product/product';

const HEADER = [
  'name',
  'category',
  'brand',
  'unit',
  'barcode',
  'plu',
  'price',
  'currency',
  'description',
  'id',
];
const WATER = ['Water', 'Напитки', 'Nestlé', 'штука', '4780001', '1', 5000, 'uzs', 'Still', '1C-1'];
const JUICE = ['Juice', 'Напитки', 'Nestlé', 'штука', '4780002', null, 9000, 'uzs', null, null];

let token: string;

beforeEach(async () => {
  const family = await newFamily();
  token = family.director;
  await newCatalog(family);
});

async function importRows(mode: string | undefined, ...rows: readonly exceljs.CellValue[][]) {
  const file = await workbookOf([HEADER, ...rows]);
  return call(`POST ${PRODUCTS}/import`, { token, form: formOf({ file, ...(mode && { mode }) }) });
}

const update = (...rows: readonly exceljs.CellValue[][]) => importRows('update', ...rows);

async function listed() {
  const { body } = await call(`GET ${PRODUCTS}?sort[]=id&show[]=with-deleted`, { token });
  return z.object({ data: z.array(z.looseObject({ id: z.int(), is_deleted: z.boolean() })) }).parse(body)
    .data;
}

test('the last column of a workbook is the external id (Part 4, 4.3)', async () => {
  expect(await importRows(undefined, WATER, JUICE)).toMatchObject({ status: 200 });
  expect(await listed()).toMatchObject([{ external_id: '1C-1' }, { external_id: null }]);
  const other = ['Tea', ...WATER.slice(1, 4), '3', null, 1, 'uzs', null, '1C-1'];
  const again = ['Tea', ...WATER.slice(1, 4), '4', null, 1, 'uzs', null, 'x'];
  const refused = await importRows(undefined, other, again, [...again.slice(0, 4), '5', ...again.slice(5)]);
  expect(refused).toMatchObject({
    status: 422,
    body: { codes: { 'rows.2.external_id': ['validation.taken'] } },
  });
  expect(refused.body).toMatchObject({ codes: { 'rows.4.external_id': ['validation.duplicate'] } });
  const { rows } = await downloadSheet(`${PRODUCTS}/download-example`, token);
  expect(rows[0]).toHaveLength(10);
});

test('without the mode a barcode that the family has is 422, as it ever was', async () => {
  await importRows(undefined, WATER);
  expect(await importRows(undefined, WATER)).toMatchObject({ status: 422 });
  expect(await importRows('replace', WATER)).toMatchObject({
    status: 422,
    body: { codes: { mode: [expect.anything()] } },
  });
});

test('by mode=update a barcode changes what there is, an empty cell keeps it, an unknown one makes a card', async () => {
  await importRows(undefined, WATER);
  const blank = [null, null, null, null];
  const priced = [...blank, '4780001', null, 6000, null, null, null];
  expect(await update(priced, JUICE)).toMatchObject({ status: 200 });
  expect(await listed()).toMatchObject([
    {
      name: 'Water',
      barcode: '4780001',
      plu: '1',
      sale_price: 6000,
      description: 'Still',
      external_id: '1C-1',
    },
    { name: 'Juice', barcode: '4780002', sale_price: 9000, external_id: null },
  ]);
  const batches = await call('GET /company/trade/recalculation-batch', { token });
  expect(batches.body).toMatchObject({ data: [{ type: 'single', products_count: 1 }], meta: { total: 1 } });
  const named = ['Sharbat', null, null, null, '4780002', '7', null, null, null, '1C-2'];
  expect(await update(named)).toMatchObject({ status: 200 });
  expect((await listed())[1]).toMatchObject({
    name: 'Sharbat',
    plu: '7',
    sale_price: 9000,
    external_id: '1C-2',
  });
});

test('mode=update restores a deleted product, and writes nothing where nothing differs', async () => {
  await importRows(undefined, WATER, JUICE);
  const [water, juice] = await listed();
  await call(`DELETE ${PRODUCTS}/${water?.id}`, { token });
  expect(await update(WATER, JUICE)).toMatchObject({ status: 200 });
  const [restored, same] = await listed();
  expect(restored).toMatchObject({ id: water?.id, is_deleted: false });
  expect(same).toEqual(juice);
});

test('mode=update is refused whole: an empty cell of a new card, what another product has, an unknown name', async () => {
  await importRows(undefined, WATER, JUICE);
  const refused = await update(
    ['Tea', null, null, null, '9', null, null, null, null, null],
    [null, null, null, null, '4780002', '1', null, null, null, '1C-1'],
    [null, 'Mebel', null, null, '4780001', null, 6000, null, null, null],
  );
  const missing = ['category', 'brand', 'unit', 'sale_price', 'sale_currency'];
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({
    codes: {
      ...Object.fromEntries(missing.map((column) => [`rows.2.${column}`, ['validation.required']])),
      'rows.3.plu': ['validation.taken'],
      'rows.3.external_id': ['validation.taken'],
      'rows.4.category': ['validation.not_found'],
    },
  });
  expect(await listed()).toMatchObject([{ sale_price: 5000 }, { plu: null }]);
});

test('cards that move between categories in one workbook are counted right: neither can be deleted', async () => {
  await importRows(undefined, WATER, JUICE);
  const name = { ru: 'Соки', uz: 'Соклар', oz: 'Soklar' };
  const made = await call('POST /company/product/category', { token, json: { name } });
  const { id } = z.object({ id: z.int() }).parse(made.body);
  const moved = (barcode: string, category: string) => [null, category, null, null, barcode];
  expect(await update(moved('4780001', 'Соки'))).toMatchObject({ status: 200 });
  expect(await update(moved('4780001', 'Напитки'), moved('4780002', 'Соки'))).toMatchObject({ status: 200 });
  const remove = await call(`DELETE /company/product/category/${id}`, { token });
  expect(remove.status).toBe(400);
  expect(await update(moved('4780002', 'Напитки'))).toMatchObject({ status: 200 });
  expect((await call(`DELETE /company/product/category/${id}`, { token })).status).toBe(200);
});
