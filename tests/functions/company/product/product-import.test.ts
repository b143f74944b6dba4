import exceljs from 'exceljs';
import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { WORKBOOK_TYPE } from '#lib/files/workbooks.ts';
import { addProduct, type Catalog, newCatalog } from '#tests/support/catalog.ts';
import { newFamily } from '#tests/support/family.ts';
import { workbookOf } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';
import { downloadSheet } from '#tests/support/sheet.ts';

const PRODUCTS = '/company/product/product';

const HEADER = ['name', 'category', 'brand', 'unit', 'barcode', 'plu', 'price', 'currency', 'description'];
const WATER = ['Water', 'Напитки', 'Nestlé', 'штука', '4780001', '1', 5000, 'uzs', 'Still'];
const JUICE = ['Juice', 'ICHIMLIKLAR', 'nestlé', 'Дона', 4780002, null, '12 500,50', 'USD', null];

const Total = z.object({ meta: z.object({ total: z.int() }) });

let token: string;
let catalog: Catalog;

beforeEach(async () => {
  const family = await newFamily();
  token = family.director;
  catalog = await newCatalog(family);
});

async function importRows(...rows: readonly exceljs.CellValue[][]) {
  const file = await workbookOf([HEADER, ...rows]);
  return call(`POST ${PRODUCTS}/import`, { token, form: formOf({ file }) });
}

async function total() {
  return Total.parse((await call(`GET ${PRODUCTS}`, { token })).body).meta.total;
}

test('rows become main cards; names are found in any language and letter case, blank rows are left out', async () => {
  expect(await importRows(WATER, [], JUICE)).toMatchObject({ status: 200, body: { message: 'Успешно' } });
  const { body } = await call(`GET ${PRODUCTS}?sort[]=id`, { token });
  const pointers = { ...catalog, parent_id: null };
  expect(body).toMatchObject({
    data: [
      { ...pointers, name: 'Water', barcode: '4780001', plu: '1', sale_price: 5000, description: 'Still' },
      {
        ...pointers,
        name: 'Juice',
        barcode: '4780002',
        plu: null,
        sale_price: 12_500.5,
        sale_currency: 'usd',
      },
    ],
    meta: { total: 2 },
  });
});

/** Columns of rates and amounts, by their places. */
const [PRICE, VAT, MIN_PRICE, MIN_QUANTITY] = [7, 16, 17, 18];

/** Imports a row with a cell in a format, as spreadsheet programs give it to `12%` and `7:40`. */
async function importCell(column: number, value: exceljs.CellValue, numFmt = 'General') {
  const book = new exceljs.Workbook();
  const sheet = book.addWorksheet('Sheet');
  sheet.addRows([HEADER, [...WATER.slice(0, 4), `4780${value}`, null, 5000, 'uzs']]);
  Object.assign(sheet.getCell(2, column), { value, numFmt });
  const file = new File([new Uint8Array(await book.xlsx.writeBuffer())], 'a.xlsx', { type: WORKBOOK_TYPE });
  return call(`POST ${PRODUCTS}/import`, { token, form: formOf({ file }) });
}

test.each([
  [12, 'General'],
  [0.12, '0%'],
  [0.12, '0.00%'],
  ['12%', '@'],
  ['12 %', '@'],
])('a rate of %s in the format %s is 12 percent (Contract 9.137, 9.138)', async (value, format) => {
  expect(await importCell(VAT, value, format)).toMatchObject({ status: 200 });
  const { body } = await call(`GET ${PRODUCTS}`, { token });
  expect(body).toMatchObject({ data: [{ vat_percent: 12 }] });
});

test.each([
  ['sale_price', PRICE],
  ['min_price', MIN_PRICE],
  ['min_quantity', MIN_QUANTITY],
])('a percentage or a time is no %s, and nothing is imported (Contract 9.137)', async (field, column) => {
  for (const format of ['0%', 'h:mm']) {
    expect(await importCell(column, 0.5, format)).toMatchObject({
      status: 422,
      body: { codes: { [`rows.2.${field}`]: ['validation.not_number'] } },
    });
  }
  expect(await total()).toBe(0);
});

test('unknown names are refused, each by its row, and nothing is imported', async () => {
  await call(`DELETE /company/product/brand/${catalog.brand_id}`, { token });
  const strange = ['Tea', 'Mebel', 'Nestlé', 'quti', '3', null, 1, 'uzs', null];
  const { status, body } = await importRows(WATER, strange);
  expect(status).toBe(422);
  const issue = ['Выбранная запись не найдена.'];
  expect(body).toMatchObject({
    errors: {
      'rows.2.brand': issue,
      'rows.3.brand': issue,
      'rows.3.category': issue,
      'rows.3.unit': issue,
    },
  });
  expect(await total()).toBe(0);
});

test('barcodes and PLUs that come twice or are taken are refused by their rows', async () => {
  await addProduct(token, catalog, { barcode: '4780001' });
  const { body } = await importRows(WATER, JUICE, [
    'Tea',
    'Напитки',
    'Nestlé',
    'дона',
    '4780002',
    '1',
    1,
    'uzs',
  ]);
  expect(body).toMatchObject({
    errors: {
      'rows.2.barcode': ['Такое значение уже занято.'],
      'rows.4.barcode': ['Значения не должны повторяться.'],
      'rows.4.plu': ['Значения не должны повторяться.'],
    },
  });
  expect(await total()).toBe(1);
});

test('cells that hold no product are refused, each by its row and column', async () => {
  const { body } = await importRows(
    ['x'.repeat(256), 'Напитки', 'Nestlé', 'дона', null, null, 'dear', 'gbp', null],
    ['Tea', null, 'Nestlé', 'дона', '5', null, 0, 'uzs', null],
  );
  expect(body).toMatchObject({
    errors: {
      'rows.2.name': ['Не длиннее 255 символов.'],
      'rows.2.barcode': ['Обязательное поле.'],
      'rows.2.sale_price': ['Значение должно быть числом.'],
      'rows.2.sale_currency': [expect.any(String)],
      'rows.3.category': ['Обязательное поле.'],
      'rows.3.sale_price': ['Не меньше 0.01.'],
    },
  });
});

test('an import takes 1 000 rows, all at once; 1 001 are refused (Part 5, 5B.9, 3)', async () => {
  const rows = Array.from({ length: 1001 }, (_, index) => [
    ...WATER.with(4, `B${index}`).with(5, `P${index}`),
    `1C-${index}`,
  ]);
  expect((await importRows(...rows)).body).toMatchObject({
    errors: { file: ['В файле не должно быть больше 1000 строк.'] },
  });
  expect((await importRows(...rows.slice(1))).status).toBe(200);
  expect(await total()).toBe(1000);
});

test('an import takes 2 MB; a larger file is refused (Part 5, 5B.9, 3)', async () => {
  const sent = (bytes: number) =>
    call(`POST ${PRODUCTS}/import`, {
      token,
      form: formOf({ file: new File([new Uint8Array(bytes)], 'rows.xlsx') }),
    });
  expect((await sent(2048 * 1024)).body).toMatchObject({ codes: { file: ['file.not_workbook'] } });
  expect((await sent(2048 * 1024 + 1)).body).toMatchObject({
    codes: { file: ['file.too_large'] },
    errors: { file: ['Файл не должен превышать 2048 КБ.'] },
  });
});

test('of imports of the same rows at once, one is made', async () => {
  const replies = await Promise.all([1, 2, 3].map(() => importRows(WATER, JUICE)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  expect(await total()).toBe(2);
});

test('a file that is no xlsx and a missing one are refused', async () => {
  for (const form of [formOf({ file: new File(['a,b'], 'products.xlsx') }), formOf({ other: 'x' })]) {
    expect((await call(`POST ${PRODUCTS}/import`, { token, form })).body).toMatchObject({
      errors: { file: [expect.any(String)] },
    });
  }
});

test('the example has a header in the language of the caller', async () => {
  const { sheet } = await downloadSheet(`${PRODUCTS}/download-example`, token, 'oz');
  const header = sheet.getRow(1).values;
  expect(header).toEqual([
    undefined,
    'Nomi',
    'Kategoriya',
    'Brend',
    'O‘lchov birligi',
    'Shtrix-kod',
    'PLU-kod',
    'Sotuv narxi',
    'Narx valyutasi',
    'Tavsif',
    'Tashqi id',
  ]);
});
