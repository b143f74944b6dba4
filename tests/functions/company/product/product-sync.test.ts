import { expect, test } from 'vitest';
import * as z from 'zod';
import { ProductSyncInput } from '#lib/stock/product-upsert/row.ts';
import { upsertProducts } from '#lib/stock/product-upsert/upsert.ts';
import { addProduct, card, newCatalog } from '#tests/support/catalog.ts';
import { directorAs, newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, idsOf, make, NOT_FOUND, REQUIRED, TAKEN } from '#tests/support/records.ts';
import { newGoods, newShop } from '#tests/support/shop.ts';
import { withTornRead } from '#tests/support/torn-read.ts';

const PRODUCTS = '/company/product/product';
const SYNC = `PUT ${PRODUCTS}/sync`;

const Texts = z.record(z.string(), z.array(z.string())).nullable();

const Row = z.object({
  external_id: z.string(),
  status: z.int(),
  outcome: z.string().nullable(),
  product: z.looseObject({ id: z.int(), updated_at: z.string() }).nullable(),
  code: z.string().nullable(),
  errors: Texts,
  codes: Texts,
});

async function sync(token: string, ...products: object[]) {
  const { status, body } = await call(SYNC, { token, json: { products } });
  expect({ status, body }).toMatchObject({ status: 200 });
  return z.object({ data: z.array(Row) }).parse(body).data;
}

async function syncOne(token: string, row: object) {
  const [told] = await sync(token, row);
  if (!told) throw new Error('No row came back');
  return told;
}

async function newScene() {
  const family = await newFamily();
  const catalog = await newCatalog(family);
  const row = (external_id: string, given: object = {}) => ({ ...card(catalog, given), external_id });
  return { ...family, token: family.director, catalog, row };
}

test('a product is made, is the same, is changed by what a row has, is deleted and comes back (Part 4, 4.3)', async () => {
  const { token, row } = await newScene();
  const sent = row('1C-1', { description: 'Still' });
  const made = await syncOne(token, sent);
  expect(made).toMatchObject({ external_id: '1C-1', status: 200, outcome: 'made', code: null, errors: null });
  const id = made.product?.id;
  expect(made.product).toMatchObject({
    external_id: '1C-1',
    name: 'Water',
    full_text: 'Water',
    sale_price: 5000,
  });

  const same = await syncOne(token, sent);
  expect(same).toMatchObject({ status: 200, outcome: 'same', product: made.product });
  const changed = await syncOne(token, { external_id: '1C-1', sale_price: 6000.5 });
  const shown = { id, name: 'Water', description: 'Still', sale_price: 6000.5 };
  expect(changed).toMatchObject({ outcome: 'changed', product: shown });
  const batches = await call('GET /company/trade/recalculation-batch', { token });
  expect(batches.body).toMatchObject({ data: [{ type: 'single' }] });

  const deleted = await syncOne(token, { external_id: '1C-1', is_deleted: true });
  expect(deleted).toMatchObject({ outcome: 'deleted', product: { id, is_deleted: true } });
  expect(await syncOne(token, { external_id: '1C-1', is_deleted: true })).toMatchObject({ outcome: 'same' });
  const back = await syncOne(token, { external_id: '1C-1' });
  expect(back).toMatchObject({ outcome: 'changed', product: { ...shown, is_deleted: false } });
  expect(await idsOf(PRODUCTS, token, 'filter[external_id]=1C-1')).toEqual([id]);
});

test('what is the same is not written: its version and time stay', async () => {
  const { token, row } = await newScene();
  const sent = row('a', { min_quantity: 1.5, min_price: 4000, is_favorite: true, plu: '12' });
  const made = await syncOne(token, sent);
  const tag = async () => (await call(`GET ${PRODUCTS}/${made.product?.id}`, { token })).headers.get('etag');
  const before = await tag();
  expect(await syncOne(token, { ...sent, is_deleted: false })).toMatchObject({ outcome: 'same' });
  expect(await syncOne(token, { external_id: 'a' })).toMatchObject({ outcome: 'same' });
  expect(await tag()).toBe(before);
});

test('deleting what never was is the same, without a product', async () => {
  const { token } = await newScene();
  expect(await syncOne(token, { external_id: 'none', is_deleted: true })).toMatchObject({
    status: 200,
    outcome: 'same',
    product: null,
  });
});

test('a product with goods is not deleted: that row alone is 400 (Contract 9.94)', async () => {
  const shop = await newShop();
  const { director: token, catalog } = shop;
  await newGoods(shop, [{ quantity: 1, cost: 1 }], { external_id: 'full' });
  const [full, made] = await sync(
    token,
    { external_id: 'full', is_deleted: true },
    { ...card(catalog), external_id: 'new' },
  );
  expect(full).toMatchObject({
    status: 400,
    outcome: null,
    product: null,
    code: 'product.has_goods',
    errors: null,
  });
  expect(made).toMatchObject({ status: 200, outcome: 'made' });
});

test('an unknown external id takes over the product of its barcode that has none, even a deleted one', async () => {
  const { token, catalog } = await newScene();
  const id = await make(PRODUCTS, token, card(catalog, { barcode: '471' }));
  const taken = await syncOne(token, { external_id: 'x', barcode: '471', name: 'Suv' });
  expect(taken).toMatchObject({ outcome: 'changed', product: { id, external_id: 'x', name: 'Suv' } });
  const gone = await make(PRODUCTS, token, card(catalog, { barcode: '472' }));
  await call(`DELETE ${PRODUCTS}/${gone}`, { token });
  const back = await syncOne(token, { external_id: 'y', barcode: '472' });
  expect(back).toMatchObject({ outcome: 'changed', product: { id: gone, is_deleted: false } });
  const last = await make(PRODUCTS, token, card(catalog, { barcode: '473' }));
  const deleted = await syncOne(token, { external_id: 'z', barcode: '473', is_deleted: true });
  expect(deleted).toMatchObject({ outcome: 'deleted', product: { id: last, external_id: 'z' } });
});

test('a barcode of a product with another external id is 422 on barcode, for a new row and a known one', async () => {
  const { token, row } = await newScene();
  const first = row('one', { barcode: '555' });
  await sync(token, first, row('two'));
  const [fresh, known] = await sync(
    token,
    { ...first, external_id: 'three' },
    { external_id: 'two', barcode: '555' },
  );
  for (const each of [fresh, known]) {
    expect(each).toMatchObject({ status: 422, outcome: null, errors: { barcode: [TAKEN] } });
    expect(each?.codes).toEqual({ barcode: ['validation.taken'] });
  }
});

test('external ids and names may stand for ids; one that is unknown, or stands beside its id, is 422', async () => {
  const { token, catalog } = await newScene();
  const name = { ru: 'Чай', uz: 'Чой', oz: 'Choy' };
  const category = await make('/company/product/category', token, { name, external_id: 'C' });
  const unit = await make('/company/product/unit', token, { name, accuracy: 0, external_id: 'U' });
  const { category_id: _, brand_id: __, unit_id: ___, ...bare } = card(catalog);
  const names = { category_external_id: 'C', brand_name: 'nestlé', unit_external_id: 'U' };
  const [main, variant] = await sync(
    token,
    { ...bare, ...names, external_id: 'main' },
    { ...bare, ...names, barcode: 'v', external_id: 'variant', parent_external_id: 'main' },
  );
  const ids = { category_id: category, brand_id: catalog.brand_id, unit_id: unit };
  expect(main).toMatchObject({ outcome: 'made', product: ids });
  expect(variant).toMatchObject({ outcome: 'made', product: { ...ids, parent_id: main?.product?.id } });

  const unknown = {
    category_external_id: 'x',
    brand_name: 'x',
    unit_external_id: 'x',
    parent_external_id: 'x',
  };
  const [wrong, both] = await sync(
    token,
    { ...bare, barcode: 'w', external_id: 'wrong', ...unknown },
    { external_id: 'main', category_external_id: 'C', category_id: category },
  );
  const self = await syncOne(token, { external_id: 'main', parent_external_id: 'main' });
  expect(wrong?.errors).toEqual({
    category_external_id: [NOT_FOUND],
    brand_name: [NOT_FOUND],
    unit_external_id: [NOT_FOUND],
    parent_external_id: [NOT_FOUND],
  });
  expect(both).toMatchObject({ status: 422, codes: { category_external_id: ['product.id_and_name'] } });
  expect(self).toMatchObject({ status: 422, errors: { parent_external_id: [NOT_FOUND] } });
});

test('a name finds a deleted record for the product that has it, no other (Part 4, 4.3)', async () => {
  const { token, catalog, row } = await newScene();
  const [main] = await sync(token, row('main'), row('variant', { parent_external_id: 'main' }), row('other'));
  const tea = await make('/company/product/brand', token, { name: 'Lipton', image_old_keys: '[]' });
  expect(await syncOne(token, { external_id: 'other', brand_name: 'Lipton' })).toMatchObject({
    product: { brand_id: tea },
  });
  for (const path of [`/company/product/brand/${catalog.brand_id}`, `${PRODUCTS}/${main?.product?.id}`])
    expect(await call(`DELETE ${path}`, { token })).toMatchObject({ status: 200 });
  const names = { brand_name: 'NESTLÉ', parent_external_id: 'main' };
  const { brand_id: _, ...fresh } = row('fresh');
  const rows = [
    { external_id: 'variant', ...names },
    { external_id: 'variant', ...names, name: 'Ice' },
    { external_id: 'other', ...names },
    { ...fresh, ...names },
    { external_id: 'main', brand_name: 'Nestlé' },
  ];
  const told = [];
  for (const each of rows) told.push(await syncOne(token, each));
  const errors = { brand_name: [NOT_FOUND], parent_external_id: [NOT_FOUND] };
  expect(told).toMatchObject([
    { outcome: 'same' },
    {
      outcome: 'changed',
      product: { name: 'Ice', brand_id: catalog.brand_id, parent_id: main?.product?.id },
    },
    { status: 422, errors },
    { status: 422, errors },
    { outcome: 'changed', product: { is_deleted: false, brand_id: catalog.brand_id } },
  ]);
});

test('each row is for itself, errors stand by the name of the field alone, images are not taken', async () => {
  const { token, row } = await newScene();
  const [wrong, fine, cheap] = await sync(
    token,
    { external_id: 'wrong', name: ' ', sale_price: -1 },
    { ...row('fine'), image_urls: ['https://example.com/a.png'], images: ['a'] },
    row('cheap', { min_price: 6000 }),
  );
  expect(wrong).toMatchObject({ status: 422, outcome: null, product: null, code: 'validation.required' });
  expect(Object.keys(wrong?.errors ?? {}).sort()).toEqual(
    ['barcode', 'category_id', 'name', 'sale_currency', 'sale_price', 'unit_id'].sort(),
  );
  expect(fine).toMatchObject({ status: 200, outcome: 'made', product: { images_list: [] } });
  expect(cheap).toMatchObject({ status: 422, codes: { min_price: ['product.min_above_price'] } });
});

test('a call without rows or with over a hundred, without an external id or with one twice is 422', async () => {
  const { token } = await newScene();
  const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ external_id: `${index}` }));
  expect(await errorsOf(SYNC, token, { products: [] })).toHaveProperty('products');
  expect(await errorsOf(SYNC, token, { products: rows(101) })).toHaveProperty('products');
  const products = [
    { external_id: 'a' },
    { name: 'x' },
    { external_id: 'a' },
    { external_id: 'y'.repeat(65) },
  ];
  expect(Object.keys(await errorsOf(SYNC, token, { products }))).toEqual(
    expect.arrayContaining(['products.1.external_id', 'products.3.external_id']),
  );
  const twice = { products: [{ external_id: 'a' }, { external_id: ' a ' }] };
  expect(await errorsOf(SYNC, token, twice)).toHaveProperty(['products.1.external_id']);
  expect(await errorsOf(SYNC, token, {})).toEqual({ products: REQUIRED });
  expect(await idsOf(PRODUCTS, token)).toEqual([]);
});

test('both rights are needed, to make and to change', async () => {
  const family = await newFamily();
  const json = { products: [{ external_id: 'a', is_deleted: true }] };
  const rights = ['store', 'update'].map((word) => `company.product.product.${word}`);
  const statuses = [...rights.map((each) => [each]), rights].map(async (held) => {
    return (await call(SYNC, { token: await newEmployee(family, held), json })).status;
  });
  expect(await Promise.all(statuses)).toEqual([403, 403, 200]);
});

test('two calls at once make a product once', async () => {
  const { token, row } = await newScene();
  const rows = ['a', 'b', 'c'].map((external_id) => row(external_id));
  const calls = await Promise.all(Array.from({ length: 4 }, () => sync(token, ...rows)));
  for (const data of calls) expect(data.map(({ status }) => status)).toEqual([200, 200, 200]);
  for (const index of [0, 1, 2]) {
    const outcomes = calls.map((data) => data[index]?.outcome).sort();
    expect(outcomes).toEqual(['made', 'same', 'same', 'same']);
  }
  expect(await idsOf(PRODUCTS, token)).toHaveLength(3);
});

/** Upserts a row; another call creates its product between the reads of its external id and its barcode. */
async function syncTorn(is_deleted: boolean) {
  const { token, companyId, directorId, row } = await newScene();
  const sent = row('a');
  const input = ProductSyncInput.parse({ products: [{ ...sent, is_deleted }] });
  let made: z.output<typeof Row> | undefined;
  const other = async () => {
    made = await syncOne(token, sent);
  };
  const occasion = { at: Date.now(), locale: 'ru' as const };
  const { data } = await withTornRead(other, () =>
    upsertProducts(directorAs(directorId, companyId), input, occasion),
  );
  expect(made?.outcome).toBe('made');
  return { told: data, id: made?.product?.id, left: await idsOf(PRODUCTS, token) };
}

test('a product that another call makes while its names are read is the same, and its barcode nobody else’s', async () => {
  const { told, id, left } = await syncTorn(false);
  expect(told).toMatchObject([{ status: 200, outcome: 'same', product: { id } }]);
  expect(left).toEqual([id]);
});

test('a product that another call makes while the names of its deletion are read is deleted', async () => {
  const { told, id, left } = await syncTorn(true);
  expect(told).toMatchObject([{ status: 200, outcome: 'deleted', product: { id } }]);
  expect(left).toEqual([]);
});

test('what the time does not reach is 503, and is made when it is sent again', async () => {
  const { companyId, directorId, row } = await newScene();
  const actor = directorAs(directorId, companyId);
  const input = ProductSyncInput.parse({ products: ['a', 'b', 'c'].map((id) => row(id)) });
  let left = 2;
  const occasion = { at: Date.now(), locale: 'ru' as const };
  const cut = await upsertProducts(actor, input, { ...occasion, isTimeUp: () => left-- <= 0 });
  expect(cut.data).toMatchObject([
    { outcome: 'made' },
    { outcome: 'made' },
    { external_id: 'c', status: 503, outcome: null, product: null, code: 'http.unavailable' },
  ]);
  const again = await upsertProducts(actor, input, occasion);
  expect(again.data.map(({ outcome }) => outcome)).toEqual(['same', 'same', 'made']);
});

test('an external id is compared to the letter, and is unique in the family', async () => {
  const { token, row, catalog } = await newScene();
  const [lower, upper] = await sync(token, row('ab'), row('AB'));
  expect([lower?.outcome, upper?.outcome]).toEqual(['made', 'made']);
  const taken = await addProduct(token, catalog, { external_id: 'ab' });
  expect(taken).toMatchObject({ status: 422, body: { errors: { external_id: [TAKEN] } } });
});
