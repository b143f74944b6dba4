import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { addProduct, type Catalog, newCatalog } from '#tests/support/catalog.ts';
import { newFamily } from '#tests/support/family.ts';
import { fixture, workbook } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';
import { bookOf, stylesOf } from '#tests/support/workbooks.ts';

const BRANDS = '/company/product/brand';
const PRODUCTS = '/company/product/product';

const Listed = z.object({ data: z.array(z.looseObject({ name: z.string() })) });

let token: string;
let catalog: Catalog;

beforeEach(async () => {
  const family = await newFamily();
  token = family.director;
  catalog = await newCatalog(family);
  const name = { ru: 'Продукты', uz: 'Озиқ-овқат', oz: 'Oziq-ovqat' };
  await call('POST /company/product/category', { token, json: { name } });
  await call(`POST ${BRANDS}`, { token, json: { name: 'Namuna', image_old_keys: '[]' } });
});

async function importFile(path: string, file: File, mode?: string) {
  return call(`POST ${path}/import`, { token, form: formOf({ file, ...(mode && { mode }) }) });
}

async function listed(path: string) {
  return Listed.parse((await call(`GET ${path}?sort[]=id`, { token })).body).data;
}

/** Creates a workbook of products, whose cells from the barcode on are given as the sheet has them. */
async function productsOf(cells: readonly string[], ...formats: readonly string[]): Promise<File> {
  const texts = (...values: readonly string[]) =>
    values.map((value) => `<c t="inlineStr"><is><t>${value}</t></is></c>`).join('');
  const rows = cells.map((rest, index) => {
    const [barcode, ...others] = rest.split('|');
    const known = texts(`Water ${index}`, 'Напитки', 'Nestlé', 'штука');
    return `<row>${known}${barcode}${others.join('')}</row>`;
  });
  const book = await bookOf(['<row/>', ...rows], { styles: stylesOf(...formats) });
  return new File([new Uint8Array(book)], 'products.xlsx');
}

const PRICED = '<c t="n"><v>1000</v></c><c t="inlineStr"><is><t>uzs</t></is></c>';

test.each([
  ['brands-shared-strings-capital', 'Case capital'],
  ['brands-shared-strings-elsewhere', 'Case elsewhere'],
  ['brands-part-case', 'Case part case'],
  ['brands-at-root', 'Case root'],
  ['brands-workbook22', 'Case workbook22'],
  ['brands-value-and-inline', 'Case inline'],
  ['brands-chart-first', 'Case chart'],
  ['brands-hidden-first', 'Case visible'],
  ['brands-trailing-bytes', 'Case trailing'],
])('of %s.xlsx the brand "%s" is made (Contract 9.135, 9.136)', async (file, name) => {
  expect(await importFile(BRANDS, fixture(`${file}.xlsx`))).toMatchObject({
    status: 200,
    body: { message: 'Успешно', created: 1, changed: 0, restored: 0, same: 0 },
  });
  expect((await listed(BRANDS)).at(-1)).toMatchObject({ name });
});

test('rows of brands are refused as the card refuses them, each by its row (Contract 9.89, 9.139)', async () => {
  const before = await listed(BRANDS);
  expect(await importFile(BRANDS, fixture('brands-signs.xlsx'))).toMatchObject({
    status: 422,
    body: {
      codes: {
        'rows.2.name': ['validation.hidden_signs'],
        'rows.3.name': ['validation.hidden_signs'],
        'rows.4.name': ['validation.hidden_signs'],
        'rows.5.name': ['validation.hidden_signs'],
        'rows.6.name': ['validation.required'],
      },
    },
  });
  expect(await listed(BRANDS)).toEqual(before);
});

test('a cell with an error or without a result is 422 on it, in either import (Contract 9.137)', async () => {
  const products = [1, 2].map((digit) => ({ barcode: `479900000000${digit}`, sale_price: 500 }));
  for (const product of products) await addProduct(token, catalog, product);
  const before = [await listed(BRANDS), await listed(PRODUCTS)];
  expect(await importFile(BRANDS, fixture('brands-error-and-uncalculated.xlsx'))).toMatchObject({
    status: 422,
    body: {
      codes: { 'rows.3.name': ['cell.error'], 'rows.4.name': ['cell.not_calculated'] },
      errors: {
        'rows.3.name': ['В ячейке ошибка вместо значения.'],
        'rows.4.name': ['Формула не посчитана: откройте файл в Excel и сохраните его.'],
      },
    },
  });
  const update = fixture('products-update-with-error-cells.xlsx');
  expect(await importFile(PRODUCTS, update, 'update')).toMatchObject({
    status: 422,
    body: {
      codes: { 'rows.2.sale_price': ['cell.error'], 'rows.3.sale_price': ['cell.not_calculated'] },
    },
  });
  expect([await listed(BRANDS), await listed(PRODUCTS)]).toEqual(before);
});

test.each([
  [
    'products-rows-partly-numbered',
    [
      { name: 'Case row three', barcode: '4796000000001' },
      { name: 'Case row four', barcode: '4796000000002' },
    ],
  ],
  ['products-row-in-pieces', [{ name: 'Case split row', barcode: '4796000000061', plu: '904' }]],
  ['products-float-price', [{ name: 'Case float', sale_price: 3.3 }]],
  ['products-lower-case-cells', [{ name: 'Case lower', external_id: 'EXT-51', description: null }]],
])('of %s.xlsx every product is made (Contract 9.136, 9.137)', async (file, products) => {
  expect(await importFile(PRODUCTS, fixture(`${file}.xlsx`))).toMatchObject({
    status: 200,
    body: { message: 'Успешно', created: products.length, changed: 0, restored: 0, same: 0 },
  });
  expect(await listed(PRODUCTS)).toMatchObject(products);
});

test('a text that may be thousands or a fraction is 422 on its cell (Contract 9.137)', async () => {
  const file = fixture('products-comma-thousands.xlsx');
  expect(await importFile(PRODUCTS, file)).toMatchObject({
    status: 422,
    body: { codes: { 'rows.2.sale_price': ['cell.ambiguous'] } },
  });
  const price = (text: string, index: number) =>
    `<c><v>${index + 1}</v></c>|<c/>|<c t="inlineStr"><is><t>${text}</t></is></c><c t="inlineStr"><is><t>uzs</t></is></c>`;
  const wrong = ['12.500', '1,234', '12,500.00', '12,,5', '0x10', '1e3'];
  expect(await importFile(PRODUCTS, await productsOf(wrong.map(price)))).toMatchObject({
    status: 422,
    body: {
      codes: {
        'rows.2.sale_price': ['cell.ambiguous'],
        'rows.3.sale_price': ['cell.ambiguous'],
        ...Object.fromEntries(
          [4, 5, 6, 7].map((row) => [`rows.${row}.sale_price`, ['validation.not_number']]),
        ),
      },
    },
  });
  const right = ['12 500,50', '12500,5', '12\u00a0500.5', '12500'];
  expect((await importFile(PRODUCTS, await productsOf(right.map(price)))).status).toBe(200);
  expect((await listed(PRODUCTS)).map(({ sale_price }) => sale_price)).toEqual([
    12_500.5, 12_500.5, 12_500.5, 12_500,
  ]);
});

test('codes in number cells are padded by their format, and 422 if digits are lost (Contract 9.138)', async () => {
  const file = fixture('products-codes-as-numbers.xlsx');
  expect((await importFile(PRODUCTS, file)).body).toMatchObject({
    codes: { 'rows.4.barcode': ['cell.not_text'], 'rows.5.mxik': ['cell.not_text'] },
  });
  const number = (value: string, style = 0) => `<c s="${style}"><v>${value}</v></c>`;
  const padded = `${number('96000000010', 1)}|${number('77', 2)}|${PRICED}<c/>${number('42', 3)}`;
  const plain = `${number('4.780000000104E12')}|${number('8.0')}|${PRICED}`;
  const right = await productsOf([padded, plain], '0000000000000', '000000', '00-00');
  expect(await importFile(PRODUCTS, right)).toMatchObject({ status: 200, body: { created: 2 } });
  expect(await listed(PRODUCTS)).toMatchObject([
    { barcode: '0096000000010', plu: '000077', external_id: '00-42' },
    { barcode: '4780000000104', plu: '8', external_id: null },
  ]);
  const codes = `${number('1.5')}|${number('7.25')}|${PRICED}<c/>${number('0.5')}${number('1E16')}${number('1.5')}`;
  const lost = await importFile(PRODUCTS, await productsOf([codes]));
  const columns = ['barcode', 'plu', 'external_id', 'mxik', 'package_code'];
  expect(lost).toMatchObject({
    status: 422,
    body: { codes: Object.fromEntries(columns.map((column) => [`rows.2.${column}`, ['cell.not_text']])) },
  });
});

test('a name in a number cell is as it is shown, and 422 if digits are lost (Contract 9.137, 9.138)', async () => {
  expect(await importFile(BRANDS, await workbook(['Name', 1e16, 'Artel']))).toMatchObject({
    status: 422,
    body: { codes: { 'rows.2.name': ['cell.not_text'] } },
  });
  expect(await importFile(BRANDS, await workbook(['Name', 1913, 7.5, 1e14]))).toMatchObject({ status: 200 });
  expect((await listed(BRANDS)).slice(-3)).toMatchObject(
    ['1913', '7.5', '100000000000000'].map((name) => ({ name })),
  );
});

test('a sheet without a row under its header is 422 on file, in either import (Contract 9.136)', async () => {
  for (const path of [BRANDS, PRODUCTS]) {
    for (const cells of [[], ['Name'], ['Name', ' ', null]]) {
      expect(await importFile(path, await workbook(cells))).toMatchObject({
        status: 422,
        body: { codes: { file: ['file.no_rows'] }, errors: { file: ['В файле нет строк под заголовком.'] } },
      });
    }
  }
});

const COMPOUND = Buffer.from('d0cf11e0a1b11ae1', 'hex');

test.each([
  ['an old .xls', Buffer.concat([COMPOUND, Buffer.alloc(600)]), '.xls'],
  [
    'a protected workbook',
    Buffer.concat([COMPOUND, Buffer.alloc(600), Buffer.from('EncryptedPackage', 'utf16le')]),
    'паролем',
  ],
  ['a CSV', Buffer.from('Name;Price\r\nArtel;5\r\n'), 'CSV'],
  ['a text of Excel in UTF-16', Buffer.from('\ufeffName\tPrice\r\n', 'utf16le'), 'CSV'],
  ['an HTML page', Buffer.from('<html><body><table><tr><td>Artel</td></tr></table></body></html>'), 'HTML'],
])('%s is no workbook, and the text says what it is (Contract 9.135)', async (_, content, word) => {
  for (const path of [BRANDS, PRODUCTS]) {
    expect(await importFile(path, new File([new Uint8Array(content)], 'rows.xlsx'))).toMatchObject({
      status: 422,
      body: {
        code: 'file.not_workbook',
        codes: { file: ['file.not_workbook'] },
        errors: { file: [expect.stringContaining(word)] },
      },
    });
  }
});

test('an import counts its rows by what became of them (Part 4, 4.3; Contract 9.139)', async () => {
  const made = await call(`POST ${BRANDS}`, { token, json: { name: 'Gone', image_old_keys: '[]' } });
  await call(`DELETE ${BRANDS}/${made.number('id')}`, { token });
  const brands = await workbook(['Name', 'Artel', 'ARTEL', 'namuna', 'gone', 'GONE', 'Beko']);
  expect(await importFile(BRANDS, brands)).toMatchObject({
    status: 200,
    body: { message: 'Успешно', created: 2, changed: 0, restored: 1, same: 3 },
  });
  expect(await importFile(BRANDS, brands)).toMatchObject({
    status: 200,
    body: { message: 'Успешно', created: 0, changed: 0, restored: 0, same: 6 },
  });
  const row = (barcode: string, price: number) =>
    `<c t="inlineStr"><is><t>${barcode}</t></is></c>|<c/>|<c><v>${price}</v></c><c t="inlineStr"><is><t>uzs</t></is></c>`;
  await importFile(PRODUCTS, await productsOf([row('1', 100), row('2', 200), row('3', 300)]));
  const [, , third] = await listed(PRODUCTS);
  await call(`DELETE ${PRODUCTS}/${third?.['id']}`, { token });
  const update = await productsOf([row('1', 100), row('2', 250), row('3', 350), row('4', 400)]);
  expect(await importFile(PRODUCTS, update, 'update')).toMatchObject({
    status: 200,
    body: { message: 'Успешно', created: 1, changed: 1, restored: 1, same: 1 },
  });
});
