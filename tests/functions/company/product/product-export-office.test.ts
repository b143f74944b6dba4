import { expect, test } from 'vitest';
import { WORKBOOK_TYPE } from '#lib/files/workbooks.ts';
import { newCatalog } from '#tests/support/catalog.ts';
import { newFamily } from '#tests/support/family.ts';
import { call, formOf } from '#tests/support/http.ts';
import { officeOpens } from '#tests/support/libre-office.ts';
import { WITHOUT_OFFICE } from '#tests/support/machine.ts';
import { downloadBytes } from '#tests/support/sheet.ts';

const PRODUCTS = '/company/product/product';

const PRICE = { sale_price: 5000, sale_currency: 'uzs' };

/** Cards whose texts a spreadsheet program takes for numbers, formulas, days or flags if it may. */
const CARDS = [
  { ...PRICE, name: '=1+1', barcode: '0004780001', plu: '00012', article: '1E5', description: 'Two\nlines' },
  { ...PRICE, name: '2026-11-22', barcode: '12345678901234567890', article: '+7', description: '=A1' },
  {
    ...{ name: 'TRUE', barcode: '4780003', sale_price: 12_345_678.91, sale_currency: 'uzs' },
    barcodes: [
      { barcode: '00478', quantity: 6 },
      { barcode: '0478', quantity: 0.125 },
    ],
    ...{ vat_percent: 12.5, min_price: 0.01, min_quantity: 0.00000001, is_marked: true },
    ...{ mxik: '00000000000000001', package_code: '000123' },
  },
  { name: '  1,5 _x000D_ <b>&"🍏 oʻzbekcha ', barcode: '1/2', sale_price: 0.1, sale_currency: 'usd' },
  {
    name: 'Empty',
    barcode: '+998',
    sale_price: 10.05,
    sale_currency: 'eur',
    min_quantity: 9_999_999.99999999,
  },
];

test('the workbook of products, opened and saved by LibreOffice and sent back, changes no row (Part 5, 5B.9 (2))', async ({
  skip,
}) => {
  skip(WITHOUT_OFFICE !== undefined, WITHOUT_OFFICE);
  const family = await newFamily();
  const { director: token } = family;
  const catalog = await newCatalog(family);
  const products = CARDS.map((card, index) => ({ ...catalog, external_id: `00${index}`, ...card }));
  const synced = await call(`PUT ${PRODUCTS}/sync`, { token, json: { products } });
  expect(synced.body).toMatchObject({ data: CARDS.map(() => ({ status: 200, errors: null })) });
  const before = (await call(`GET ${PRODUCTS}?sort[]=id`, { token })).body;
  const saved = await officeOpens(await downloadBytes(`${PRODUCTS}?format=excel`, token), 'xlsx');
  const file = new File([Uint8Array.from(saved)], 'products.xlsx', { type: WORKBOOK_TYPE });
  const send = (given: object) =>
    call(`POST ${PRODUCTS}/import`, { token, form: formOf({ file, mode: 'update', ...given }) });
  const same = { created: 0, changed: 0, restored: 0, same: CARDS.length };
  expect(await send({ dry_run: 'true' })).toMatchObject({ status: 200, body: { ...same, is_dry_run: true } });
  expect(await send({})).toMatchObject({ status: 200, body: same });
  expect((await call(`GET ${PRODUCTS}?sort[]=id`, { token })).body).toEqual(before);
});
