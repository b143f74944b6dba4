import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { ProductCard, products } from '#lib/catalog/card.ts';
import { recordPriceCause } from '#lib/catalog/price.ts';
import { WORKBOOK_TYPE } from '#lib/files/workbooks.ts';
import { insertion } from '#lib/records/record-writes.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { asCall } from '#tests/support/as-call.ts';
import { type Catalog, card, newCatalog } from '#tests/support/catalog.ts';
import { newFamily } from '#tests/support/family.ts';
import { workbookOf } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { downloadBytes, downloadSheet } from '#tests/support/sheet.ts';

const PRODUCTS = '/company/product/product';
const TYPES = '/company/product/price-type';

const COLUMNS = [
  ...['name', 'category', 'brand', 'unit', 'barcode', 'plu', 'price', 'currency', 'description', 'id'],
  ...['mxik', 'package', 'marked', 'barcodes', 'article', 'vat', 'min price', 'min quantity'],
];

let token: string;
let family: Awaited<ReturnType<typeof newFamily>>;
let catalog: Catalog;

beforeEach(async () => {
  family = await newFamily();
  token = family.director;
  catalog = await newCatalog(family);
});

async function sync(products: readonly object[]) {
  const { status, body } = await call(`PUT ${PRODUCTS}/sync`, { token, json: { products } });
  expect(status).toBe(200);
  return z.object({ data: z.array(z.object({ status: z.int(), codes: z.unknown() })) }).parse(body).data;
}

/** Sends a file back in mode `update`. */
async function sendBack(bytes: Uint8Array, fields: object = {}) {
  const file = new File([Uint8Array.from(bytes)], 'products.xlsx', { type: WORKBOOK_TYPE });
  return call(`POST ${PRODUCTS}/import`, { token, form: formOf({ file, mode: 'update', ...fields }) });
}

async function importRows(mode: string, ...rows: readonly (string | number | null)[][]) {
  const file = await workbookOf([COLUMNS, ...rows]);
  return call(`POST ${PRODUCTS}/import`, { token, form: formOf({ file, mode }) });
}

const listed = async () =>
  (await call(`GET ${PRODUCTS}?sort[]=id&show[]=with-deleted&page-size=200`, { token })).body;

const ALPHABETS = ['abcXYZ', 'қҳғўшчюяЁёъ', "o‘g'ʻ", '鮎茶', '0123456789', '=+-@*_x000D_<>&"\'\\,.; ', '🍏é'];
const Sign = fc.constantFrom(...ALPHABETS.flatMap((letters) => [...letters]));
const line = (max: number) =>
  fc.array(Sign, { minLength: 1, maxLength: max }).map((signs) => `a${signs.join('')}`);
const cents = (max: number) => fc.integer({ min: 1, max: max * 100 }).map((value) => value / 100);
const quantities = fc.oneof(
  fc.constantFrom(0.125, 1000, 0.00000001, 10_000_000, 12.5, 1.234, 9_999_999.99999999),
  fc.integer({ min: 1, max: 1_000_000_000 }).map((units) => units / 100_000_000),
);
const Text = fc.oneof(
  line(40),
  line(12).map((text) => `=${text}`),
  fc.tuple(line(9), line(9)).map((lines) => lines.join('\r\n')),
);
const Own = fc.record({
  name: line(80).map((name) => `${name}.`),
  description: fc.option(Text),
  article: fc.option(line(20)),
  sale_price: fc.oneof(cents(100_000), fc.constantFrom(0.01, 999_999_999_999.99, 12_500.125 - 0.005)),
  sale_currency: fc.constantFrom('uzs', 'usd', 'eur', 'rub'),
  min_quantity: fc.option(quantities),
  vat_percent: fc.option(fc.integer({ min: 0, max: 10_000 }).map((value) => value / 100)),
  mxik: fc.option(fc.constantFrom('00000000000000001', '12345678901234567')),
  package_code: fc.option(fc.constantFrom('000123', '1234567')),
  is_marked: fc.boolean(),
  has_minimum: fc.boolean(),
  zeros: fc.constantFrom('', '0', '000'),
  code: fc.constantFrom('', '=', '+', '*', 'A*'),
  plu: fc.boolean(),
  prices: fc.array(fc.option(fc.record({ price: cents(100_000), currency: fc.constantFrom('uzs', 'usd') })), {
    minLength: 3,
    maxLength: 3,
  }),
  packs: fc.array(fc.record({ quantity: quantities, name: fc.option(line(20)) }), { maxLength: 4 }),
});

test('prices by type are columns known by their headings; an empty cell keeps its price (Part 5, 5B.9 (2))', async () => {
  const [wholesale, vip] = [
    await make(TYPES, token, { name: 'Опт' }),
    await make(TYPES, token, { name: 'VIP' }),
  ];
  const water = [...WATER, ...Array.from({ length: 8 }, () => null)];
  const send = async (mode: string, headings: readonly string[], cells: readonly (string | null)[]) => {
    const file = await workbookOf([
      [...COLUMNS, ...headings],
      [...water, ...cells],
    ]);
    return call(`POST ${PRODUCTS}/import`, { token, form: formOf({ file, mode }) });
  };
  const pricesNow = async () =>
    z.object({ data: z.array(z.looseObject({ prices: z.unknown() })) }).parse(await listed()).data[0]?.prices;
  expect(await send('create', ['Цена: VIP', 'Нарх: опт'], ['10.5 usd', '4 500,50UZS'])).toMatchObject({
    status: 200,
  });
  const vips = { price_type_id: vip, price: 10.5, currency: 'usd' };
  const wholesales = { price_type_id: wholesale, price: 4500.5, currency: 'uzs' };
  expect(await pricesNow()).toEqual([vips, wholesales]);
  const { rows } = await downloadSheet(`${PRODUCTS}?format=excel`, token, 'uz');
  expect(rows.map((row) => row.slice(COLUMNS.length))).toEqual([
    ['Нарх: Опт', 'Нарх: VIP'],
    ['4500.5 uzs', '10.5 usd'],
  ]);
  expect(await send('update', ['Цена: Опт', 'Цена: VIP'], ['4600 uzs', null])).toMatchObject({
    body: { changed: 1 },
  });
  expect(await pricesNow()).toEqual([vips, { ...wholesales, price: 4600 }]);
  const headings = ['Цена: Опт', 'Цена: Retail', 'Цена: VIP', 'Цена: опт'];
  const wrong = await send('update', headings, ['many uzs', '1 uzs', '1 gbp', '2 uzs']);
  expect(wrong).toMatchObject({
    status: 422,
    body: { codes: { 'rows.2.prices.0.price': expect.any(Array) } },
  });
  expect(await send('update', headings, [null, '1 uzs', null, '2 uzs'])).toMatchObject({
    status: 422,
    body: {
      codes: {
        'rows.2.prices.1': ['validation.not_found'],
        'rows.2.prices.3': ['validation.not_found'],
      },
    },
  });
  water[16] = '4700';
  expect(await send('update', ['Цена: Опт'], ['4600 uzs'])).toMatchObject({
    status: 422,
    body: { codes: { 'rows.2.prices.1.price': ['sale.price_too_low'] } },
  });
  water[4] = '4780009';
  water[5] = null;
  water[9] = null;
  for (const mode of ['create', 'update'])
    expect(await send(mode, ['Цена: Опт'], ['4600 uzs'])).toMatchObject({
      status: 422,
      body: { codes: { 'rows.2.prices.0.price': ['sale.price_too_low'] } },
    });
});

/** Sets the prices of products by the types, in their order. */
async function setPrices(products: readonly [string, readonly (object | null)[]][]) {
  const list = await call(`GET ${TYPES}?sort[]=id`, { token });
  const types = z.object({ data: z.array(z.object({ id: z.int() })) }).parse(list.body).data;
  const rows = products.flatMap(([external_id, prices]) =>
    prices.flatMap((each, index) =>
      each ? [{ external_id, price_type_id: types[index]?.id, ...each }] : [],
    ),
  );
  const priced = rows.map((row) => {
    const { price, currency, ...rest } = z
      .looseObject({ price: z.number(), currency: z.string() })
      .parse(row);
    return { ...rest, sale_price: price, sale_currency: currency };
  });
  if (priced.length === 0) return;
  const json = { company_id: family.companyId, products: priced };
  expect(await call('POST /company/trade/recalculation-batch', { token, json })).toMatchObject({
    status: 200,
  });
}

test('the workbook of products sent back with mode=update changes no row, whatever the cards hold (Part 5, 5B.9 (2))', async () => {
  let number = 0;
  for (const name of ['Опт: =1', 'VIP', '1']) await make(TYPES, token, { name });
  await fc.assert(
    fc.asyncProperty(fc.array(Own, { minLength: 20, maxLength: 40 }), async (cards) => {
      const rows = cards.map(({ has_minimum, zeros, code, plu, packs, prices, ...fields }) => {
        number += 1;
        return {
          ...catalog,
          ...fields,
          external_id: `id=${number}`,
          barcode: `${zeros}${code}${number}`,
          plu: plu ? `${zeros}${number}` : null,
          min_price: has_minimum ? fields.sale_price : null,
          barcodes: packs.map((pack, index) => ({ ...pack, barcode: `${zeros}${code}${number}-${index}` })),
        };
      });
      const made = await sync(rows);
      expect(made.filter(({ status }) => status !== 200)).toEqual([]);
      await setPrices(rows.map(({ external_id }, index) => [external_id, cards[index]?.prices ?? []]));
      const before = await listed();
      const sheet = await downloadBytes(`${PRODUCTS}?format=excel`, token);
      const back = await sendBack(sheet);
      expect(back).toMatchObject({
        status: 200,
        body: { changed: 0, created: 0, restored: 0, same: number },
      });
      expect(await listed()).toEqual(before);
    }),
    { numRuns: 4 },
  );
});

const WATER = ['Water', 'Напитки', 'Nestlé', 'штука', '4780001', '1', 5000, 'uzs', 'Still', '1C-1'];
const TEA = {
  ...{ name: 'Tea', category: 'Напитки', brand: 'Nestlé', unit: 'штука' },
  ...{ barcode: '50', price: 10, currency: 'uzs' },
};
const FURTHER = ['12345678901234567', '0012', 1, '4780002*6\n0478*0,5', '=A-1', 12, 4000.5, 10];

test('an import reads the further columns of products, and its names of packs stay (Part 5, 5B.9 (2))', async () => {
  expect(await importRows('create', [...WATER, ...FURTHER])).toMatchObject({ status: 200 });
  const packs = [
    { barcode: '4780002', quantity: 6, name: null },
    { barcode: '0478', quantity: 0.5, name: null },
  ];
  const fields = { article: '=A-1', vat_percent: 12, min_price: 4000.5, min_quantity: 10, is_marked: true };
  const { data } = z.object({ data: z.array(z.looseObject({ id: z.int() })) }).parse(await listed());
  expect(data).toMatchObject([{ ...fields, barcodes: packs, package_code: '0012' }]);
  const named = packs.map((pack, index) => ({ ...pack, name: `Pack ${index}` }));
  await call(`PATCH ${PRODUCTS}/${data[0]?.id}`, { token, json: { barcodes: named } });
  const cell = '4780002*7\n004780009\n0478*0,5';
  expect(await importRows('update', rowOf({ barcode: '0478', barcodes: cell }))).toMatchObject({
    status: 200,
    body: { changed: 1 },
  });
  const [first, second] = named;
  const added = { barcode: '004780009', quantity: 1, name: null };
  expect(await listed()).toMatchObject({ data: [{ barcodes: [{ ...first, quantity: 7 }, added, second] }] });
});

/** Returns a row of these columns, the others empty. */
function rowOf(given: Readonly<Record<string, string | number>>) {
  return COLUMNS.map((column) => given[column] ?? null);
}

test('further columns are refused by their cells, all at once (Part 5, 5B.9 (2))', async () => {
  await importRows('create', [...WATER, ...FURTHER]);
  const wrong = [
    rowOf({ ...TEA, barcode: '51', barcodes: '52\n52\n4780002', 'min price': 11 }),
    rowOf({ ...TEA, barcode: '52', 'min price': 5 }),
  ];
  for (const mode of ['create', 'update']) {
    expect((await importRows(mode, ...wrong)).body).toMatchObject({
      codes: {
        'rows.2.min_price': ['product.min_above_price'],
        'rows.2.barcodes.1.barcode': ['validation.duplicate'],
        'rows.2.barcodes.2.barcode': ['validation.taken'],
        'rows.3.barcode': ['validation.duplicate'],
      },
    });
  }
  const malformed = rowOf({
    ...TEA,
    barcode: '51',
    barcodes: '53*1,500\n54*x\n*2',
    vat: 101,
    'min quantity': -1,
  });
  expect((await importRows('update', malformed)).body).toMatchObject({
    codes: {
      'rows.2.barcodes.0.quantity': ['cell.ambiguous'],
      'rows.2.barcodes.1.quantity': ['validation.not_number'],
      'rows.2.vat_percent': [expect.any(String)],
      'rows.2.min_quantity': [expect.any(String)],
    },
  });
});

test('two rows of one product, by its barcode and by that of a pack, are refused (Part 5, 5B.9 (2))', async () => {
  await importRows('create', [...WATER, ...FURTHER]);
  const rows = [rowOf({ barcode: '4780001', price: 1 }), rowOf({ barcode: '4780002', price: 2 })];
  expect(await importRows('update', ...rows)).toMatchObject({
    status: 422,
    body: { codes: { 'rows.3.barcode': ['validation.duplicate'] } },
  });
});

test('the workbook has all filtered rows, with names in the language of the caller (Part 5, 5B.9 (2))', async () => {
  await sync(
    Array.from({ length: 30 }, (_, index) => {
      const name = index < 25 ? `Tea ${index}` : `Milk ${index}`;
      return {
        ...catalog,
        external_id: name,
        name,
        barcode: `${index}`,
        sale_price: 1,
        sale_currency: 'uzs',
      };
    }),
  );
  const path = `${PRODUCTS}?format=excel&filter[search]=tea&page-size=1&sort[]=id`;
  const { rows, filename } = await downloadSheet(path, token, 'uz');
  expect(filename).toMatch(/^Товарлар \d{4}-\d\d-\d\d\.xlsx$/);
  expect(rows).toHaveLength(26);
  expect(rows[0]).toHaveLength(COLUMNS.length);
  expect(rows[1]?.slice(0, 4)).toEqual(['Tea 0', 'Ичимликлар', 'Nestlé', 'дона']);
  const byCode = await downloadSheet(`${PRODUCTS}?format=excel&filter[barcode]=29`, token);
  expect(byCode.rows.map(([name]) => name)).toEqual(['Название', 'Milk 29']);
});

test('a name that is another category’s in a second language changes no row (Part 5, 5B.9 (2))', async () => {
  await importRows('create', WATER);
  const categories = '/company/product/category';
  const other = { name: { ru: 'Другое', uz: 'Напитки', oz: 'Boshqa' } };
  const { id } = z
    .object({ id: z.int() })
    .parse((await call(`POST ${categories}`, { token, json: other })).body);
  const sheet = await downloadBytes(`${PRODUCTS}?format=excel`, token);
  expect((await sendBack(sheet)).body).toMatchObject({ same: 1 });
  await call(`DELETE ${categories}/${id}`, { token });
  expect((await sendBack(sheet)).body).toMatchObject({ same: 1 });
});

/** Nouns that cards refer to, by field; a caller's company and creator have no column. */
const NAMED = {
  category_id: '/company/product/category',
  brand_id: '/company/product/brand',
  unit_id: '/company/product/unit',
  parent_id: PRODUCTS,
} as const;

/** Adds a main card with a price by a type, and a variant of it. */
async function addFamilyOfCards() {
  const price_type_id = await make(TYPES, token, { name: 'VIP' });
  const prices = [{ price_type_id, price: 4500, currency: 'uzs' }];
  const parent_id = await make(PRODUCTS, token, card(catalog, { prices, barcode: 'main' }));
  const variant = card(catalog, { prices, barcode: 'variant', parent_id });
  return { price_type_id, parent_id, id: await make(PRODUCTS, token, variant) };
}

test('a workbook made after all that cards name was deleted changes no row (Part 5, 5B.9 (2))', async () => {
  const { price_type_id, parent_id } = await addFamilyOfCards();
  const fields = Object.keys(ProductCard.shape).filter((field) => field.endsWith('_id'));
  const own = ['company_id', 'creator_id', 'external_id'];
  expect(new Set(fields)).toEqual(new Set([...own, ...Object.keys(NAMED)]));
  const deletions = [
    { path: NAMED.category_id, id: catalog.category_id, status: 400 },
    { path: NAMED.brand_id, id: catalog.brand_id, status: 200 },
    { path: NAMED.unit_id, id: catalog.unit_id, status: 400 },
    { path: NAMED.parent_id, id: parent_id, status: 200 },
    { path: TYPES, id: price_type_id, status: 200 },
  ];
  const older = await downloadBytes(`${PRODUCTS}?format=excel&filter[parent_id]=${parent_id}`, token);
  for (const { path, id, status } of deletions)
    expect(await call(`DELETE ${path}/${id}`, { token })).toMatchObject({ status });
  const before = await listed();
  const sheet = await downloadBytes(`${PRODUCTS}?format=excel`, token);
  expect(await sendBack(sheet, { dry_run: 'true' })).toMatchObject({ status: 200, body: { same: 1 } });
  expect(await sendBack(sheet)).toMatchObject({ status: 200, body: { changed: 0, restored: 0, same: 1 } });
  expect(await listed()).toEqual(before);
  // A type has its column while it is not deleted.
  const codes = { 'rows.2.prices.0': ['validation.not_found'] };
  expect(await sendBack(older)).toMatchObject({ status: 422, body: { codes } });
  const all = await downloadBytes(`${PRODUCTS}?format=excel&show[]=with-deleted`, token);
  expect(await sendBack(all)).toMatchObject({ status: 200, body: { restored: 1, changed: 0, same: 1 } });
});

test('a deleted brand is found by the cards that have it, no others, in mode=update (Part 5, 5B.9 (2))', async () => {
  await importRows('create', WATER, rowOf(TEA));
  const brand = await make('/company/product/brand', token, { name: 'Lipton', image_old_keys: '[]' });
  await call(`DELETE /company/product/brand/${catalog.brand_id}`, { token });
  const update = (...rows: Readonly<Record<string, string | number>>[]) =>
    importRows('update', ...rows.map(rowOf));
  const tea = { barcode: TEA.barcode };
  expect(await update({ ...tea, brand: ' nestlÉ ', price: 11 })).toMatchObject({
    status: 200,
    body: { changed: 1 },
  });
  expect(await update({ ...tea, brand: 'Lipton' })).toMatchObject({ status: 200, body: { changed: 1 } });
  const { data } = z.object({ data: z.array(z.unknown()) }).parse(await listed());
  expect(data).toMatchObject([{ brand_id: catalog.brand_id }, { brand_id: brand, sale_price: 11 }]);
  const refused = { status: 422, body: { codes: { 'rows.3.brand': ['validation.not_found'] } } };
  expect(await update({ barcode: '4780001', brand: 'Nestlé' }, { ...tea, brand: 'Nestlé' })).toMatchObject(
    refused,
  );
  for (const mode of ['create', 'update'])
    expect(
      await importRows(
        mode,
        rowOf({ ...TEA, barcode: '77', brand: 'Lipton' }),
        rowOf({ ...TEA, barcode: '78' }),
      ),
    ).toMatchObject(refused);
});

test('a card stored before its optional fields is in the workbook, and sent back is the same (Part 5, 5B.9 (2))', async () => {
  const at = Date.now();
  const tenant = familyTenant(family.companyId);
  const maker = { company_id: family.companyId, creator_id: family.directorId };
  const base = { ...maker, created_at: at, updated_at: at, is_deleted: false };
  const flags = { is_free_price: false, is_favorite: false, is_bundle_only: false };
  const empty = { parent_id: null, plu: null, min_price: null, min_price_percent: null, min_quantity: null };
  const price = { sale_price: 100, sale_currency: 'uzs' } as const;
  const images = { images_list: [], images_list_thumbs: [] };
  await asCall(async () => {
    const id = await nextId(products.type, tenant);
    const texts = { name: 'Old', barcode: '007', description: null };
    const whole = { id, ...base, ...catalog, ...flags, ...empty, ...price, ...images, ...texts };
    const noted = recordPriceCause(undefined, whole, { cause: 'card', by: { id: family.directorId }, at });
    await transact(insertion(products, tenant, noted));
  });
  const sheet = await downloadBytes(`${PRODUCTS}?format=excel`, token);
  expect(await sendBack(sheet)).toMatchObject({ status: 200, body: { changed: 0, same: 1 } });
});
