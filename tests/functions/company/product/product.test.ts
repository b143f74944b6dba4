import { beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { translate } from '#lib/values/message.ts';
import { addProduct, type Catalog, card, newCatalog } from '#tests/support/catalog.ts';
import { newFamily } from '#tests/support/family.ts';
import { picture } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import type { Family } from '#tests/support/provisioning.ts';
import { make } from '#tests/support/records.ts';

const PRODUCTS = '/company/product/product';

const Named = z.object({ data: z.array(z.object({ name: z.string() })) });
const Made = z.object({ id: z.int() });
const Pictured = Made.extend({
  images_list: z.array(z.string()),
  images_list_thumbs: z.array(z.array(z.object({ name: z.string(), raw: z.string(), webp: z.string() }))),
});

let family: Family;
let token: string;
let catalog: Catalog;

beforeEach(async () => {
  family = await newFamily();
  token = family.director;
  catalog = await newCatalog(family);
});

function add(given: object = {}) {
  return addProduct(token, catalog, given);
}

async function product(given: object = {}) {
  return (await add(given)).number('id');
}

async function edit(id: number, json: object) {
  return call(`PUT ${PRODUCTS}/${id}`, { token, json });
}

async function names(query: string) {
  const { body } = await call(`GET ${PRODUCTS}?${query}`, { token });
  return Named.parse(body).data.map(({ name }) => name);
}

test('a product is made, found, changed, deleted and restored', async () => {
  const json = card(catalog, {
    barcode: '4780001',
    plu: '12',
    description: 'Still',
    sale_price: 5000.5,
    min_price: 4000,
    min_price_percent: 12.5,
    min_quantity: 0.25,
    is_favorite: true,
  });
  const { status, body } = await call(`POST ${PRODUCTS}`, { token, json });
  expect(status).toBe(200);
  const { id } = Made.parse(body);
  const address = `${PRODUCTS}/${id}`;
  expect(body).toEqual({
    ...json,
    id,
    ...{ mxik: null, package_code: null, vat_percent: null, is_marked: false },
    ...{ barcodes: [], prices: [], article: null },
    external_id: null,
    company_id: family.companyId,
    creator_id: family.directorId,
    parent_id: null,
    full_text: 'Water',
    is_free_price: false,
    is_bundle_only: false,
    images_list: [],
    images_list_thumbs: [],
    created_at: expect.any(String),
    updated_at: expect.any(String),
    is_deleted: false,
  });
  expect((await edit(id, { ...json, name: 'Soda', plu: null })).body).toMatchObject({
    name: 'Soda',
    plu: null,
    barcode: '4780001',
  });
  expect((await call(`DELETE ${address}`, { token })).body).toEqual({ message: 'Успешно' });
  expect((await call(`GET ${address}`, { token })).status).toBe(404);
  expect((await call(`DELETE ${address}/restore`, { token })).status).toBe(200);
  expect((await call(`DELETE ${address}/restore`, { token })).status).toBe(404);
});

test('a barcode and a PLU are unique in the family, deleted products included', async () => {
  const id = await product({ barcode: '478', plu: '7' });
  await call(`DELETE ${PRODUCTS}/${id}`, { token });
  expect(await add({ barcode: '478', plu: '7' })).toMatchObject({
    status: 422,
    body: { errors: { barcode: ['Такое значение уже занято.'], plu: [expect.any(String)] } },
  });
  expect((await add({ name: 'Water' })).status).toBe(200);
  const other = await newFamily();
  const theirs = await newCatalog(other);
  expect((await addProduct(other.director, theirs, { barcode: '478', plu: '7' })).status).toBe(200);
});

test('what a product points at must exist: 422 on every field that points at nothing', async () => {
  const unheard = 999;
  const { status, body } = await add({
    category_id: unheard,
    brand_id: unheard,
    unit_id: unheard,
    parent_id: unheard,
  });
  expect(status).toBe(422);
  const issue = ['Выбранная запись не найдена.'];
  expect(body).toMatchObject({
    errors: { category_id: issue, brand_id: issue, unit_id: issue, parent_id: issue },
  });
});

test('a main card requires a brand, a variant does not', async () => {
  expect((await add({ brand_id: null })).body).toMatchObject({
    errors: { brand_id: ['Обязательное поле.'] },
  });
  const parent_id = await product();
  expect((await add({ parent_id, brand_id: null })).status).toBe(200);
});

test("a variant's full text begins with the main card's name of the day", async () => {
  const parent_id = await product({ name: 'Water' });
  const { body } = await add({ name: '0.5 l', parent_id });
  expect(body).toMatchObject({ parent_id, full_text: 'Water 0.5 l' });
  await edit(parent_id, card(catalog, { name: 'Soda' }));
  const list = await call(`GET ${PRODUCTS}?filter[parent_id]=${parent_id}&with[]=parent`, { token });
  expect(list.body).toMatchObject({
    data: [{ full_text: 'Soda 0.5 l', parent: { id: parent_id, full_text: 'Soda' } }],
  });
});

test('a variant has no variants, and a card with variants never becomes one', async () => {
  const main = await product();
  const variant = await product({ parent_id: main });
  const other = await product();
  const issue = { errors: { parent_id: ['Выбранная запись не найдена.'] } };
  expect((await add({ parent_id: variant })).body).toMatchObject(issue);
  expect((await edit(other, card(catalog, { parent_id: other }))).body).toMatchObject(issue);
  expect((await edit(main, card(catalog, { parent_id: other }))).body).toMatchObject({
    errors: { parent_id: ['У карточки есть варианты: она не может стать вариантом другой.'] },
  });
  await edit(variant, card(catalog));
  expect((await edit(main, card(catalog, { parent_id: other }))).status).toBe(200);
});

test.each([
  ['name', 'x'.repeat(256)],
  ['name', ' '],
  ['barcode', undefined],
  ['sale_price', 0],
  ['sale_price', 1.005],
  ['sale_price', 1_000_000_000_000],
  ['sale_currency', 'gbp'],
  ['min_price_percent', 10_000.01],
  ['min_price', -1],
  ['min_quantity', -1],
  ['is_favorite', 'maybe'],
  ['unit_id', null],
])('%s of %j is refused on that field', async (field, value) => {
  expect(await add({ [field]: value })).toMatchObject({
    status: 422,
    body: { errors: { [field]: [expect.any(String)] } },
  });
});

test('min_price above sale_price is 422 on min_price, of a new card and of an edit (Contract 9.90)', async () => {
  const under = card(catalog, { sale_price: 500, min_price: 500.01 });
  const equal = card(catalog, { sale_price: 500, min_price: 500 });
  const id = await make(PRODUCTS, token, equal);
  for (const to of [`POST ${PRODUCTS}`, `PUT ${PRODUCTS}/${id}`]) {
    expect(await call(to, { token, json: under })).toMatchObject({
      status: 422,
      body: { errors: { min_price: [translate('ru', { key: 'product.min_above_price' })] } },
    });
  }
});

test('a form is read as JSON is, with its numbers and booleans', async () => {
  const form = formOf({
    ...Object.fromEntries(Object.entries(card(catalog)).map(([name, value]) => [name, String(value)])),
    parent_id: '',
    is_favorite: '1',
    min_quantity: '2.5',
    min_price: '',
  });
  expect((await call(`POST ${PRODUCTS}`, { token, form })).body).toMatchObject({
    category_id: catalog.category_id,
    parent_id: null,
    sale_price: 5000,
    is_favorite: true,
    min_quantity: 2.5,
    min_price: null,
  });
});

test('images are added, and removed by images_old_keys; a removed image is gone', async () => {
  const fields = Object.fromEntries(
    Object.entries(card(catalog)).map(([name, value]) => [name, String(value)]),
  );
  const form = formOf(fields);
  for (const width of [40, 50]) form.append('images[]', await picture('png', width, 20));
  const made = Pictured.parse((await call(`POST ${PRODUCTS}`, { token, form })).body);
  expect(made.images_list).toHaveLength(2);
  expect(made.images_list_thumbs.map((sizes) => sizes.map(({ name }) => name))).toEqual(
    Array(2).fill(['original', 'widen_100', 'widen_500']),
  );
  const [first = '', second = ''] = made.images_list;
  const change = formOf({ ...fields, images_old_keys: JSON.stringify([first]) });
  change.append('images[]', await picture('jpeg', 30, 30));
  const put = await call(`POST ${PRODUCTS}/${made.id}?_method=PUT`, { token, form: change });
  const { images_list } = Pictured.parse(put.body);
  expect(images_list).toHaveLength(2);
  expect(images_list[0]).toBe(second);
  await vi.waitFor(async () => expect((await fetch(first)).status).toBe(404), MAX_WAIT_MS);
  expect((await fetch(images_list[1] ?? '')).status).toBe(200);
});

test('a product has up to ten images, and each must be an image', async () => {
  const fields = Object.fromEntries(
    Object.entries(card(catalog)).map(([name, value]) => [name, String(value)]),
  );
  const image = await picture('png', 10, 10);
  const many = formOf(fields);
  for (let index = 0; index < 11; index++) many.append('images[]', image);
  expect((await call(`POST ${PRODUCTS}`, { token, form: many })).body).toMatchObject({
    errors: { images: ['Не больше 10 элементов.'] },
  });
  const wrong = formOf(fields);
  wrong.append('images[]', image);
  wrong.append('images[]', new File(['text'], 'picture.png'));
  expect((await call(`POST ${PRODUCTS}`, { token, form: wrong })).body).toMatchObject({
    errors: { 'images.1': ['Файл должен быть изображением jpg или png.'] },
  });
});

test('a filter says what is wrong with its list, or with its one value', async () => {
  const many = Array.from({ length: 101 }, (_, index) => `filter[id][]=${index + 1}`).join('&');
  for (const [query, issue] of [
    [many, { key: 'validation.too_many_items', with: { max: 100 } }],
    ['filter[id][]=1&filter[id][]=x', { key: 'validation.not_number' }],
    ['filter[id]=x', { key: 'validation.not_number' }],
  ] as const) {
    const { body } = await call(`GET ${PRODUCTS}?${query}`, { token });
    expect(body).toMatchObject({ errors: { 'filter.id': [translate('ru', issue)] } });
  }
});

test('the list is filtered, sorted and embeds what a product points at', async () => {
  const water = await product({ name: 'Water', barcode: 'A1', plu: '5', sale_price: 300 });
  await add({ name: 'Juice', is_favorite: true, sale_price: 200 });
  const apple = await product({ name: 'Apple juice', is_bundle_only: true, sale_price: 100 });
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tashkent' }).format(Date.now());
  for (const [query, found] of [
    [`filter[id][]=${water}&filter[id][]=${apple}`, ['Apple juice', 'Water']],
    ['filter[name]=JUICE', ['Apple juice', 'Juice']],
    ['filter[barcode]=A1', ['Water']],
    ['filter[plu]=5', ['Water']],
    ['filter[is_favorite]=1', ['Juice']],
    ['filter[is_bundle_only]=true', ['Apple juice']],
    [`filter[category_id]=${catalog.category_id + 1}`, []],
    [
      `filter[brand_id]=${catalog.brand_id}&filter[unit_id]=${catalog.unit_id}&sort[]=name`,
      ['Apple juice', 'Juice', 'Water'],
    ],
    ['sort[]=-sale_price', ['Water', 'Juice', 'Apple juice']],
    [`filter[created_at][0]=${today}&sort[]=id`, ['Water', 'Juice', 'Apple juice']],
  ] as const) {
    expect(await names(query), query).toEqual(found);
  }
  const query = 'with[]=category&with[]=brand&with[]=unit&with[]=creator.profile&with[]=company';
  for (const path of [`${PRODUCTS}/${water}?${query}`, `${PRODUCTS}?filter[id]=${water}&${query}`]) {
    const text = JSON.stringify((await call(`GET ${path}`, { token })).body);
    for (const part of ['"name":{"ru":"Напитки"', '"name":"Nestlé"', '"dona"', '"full_name":"Test"']) {
      expect(text).toContain(part);
    }
    expect(text).toContain(`"company":{"id":${family.companyId}`);
    expect(text).not.toMatch(/version|folded|"pk"|password/);
  }
  for (const wrong of ['filter[price]=1', 'sort[]=barcode', 'with[]=stock', 'page-size=201']) {
    expect((await call(`GET ${PRODUCTS}?${wrong}`, { token })).status, wrong).toBe(422);
  }
});

test('another family reaches none of the products', async () => {
  const id = await product();
  const other = await newFamily();
  const theirs = await newCatalog(other);
  for (const method of ['GET', 'DELETE']) {
    expect((await call(`${method} ${PRODUCTS}/${id}`, { token: other.director })).status).toBe(404);
  }
  expect((await addProduct(other.director, theirs, { parent_id: id })).body).toMatchObject({
    errors: { parent_id: ['Выбранная запись не найдена.'] },
  });
});

test('of products made at once with one barcode, one is made', async () => {
  const replies = await Promise.all(Array.from({ length: 5 }, () => add({ barcode: 'same' })));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422]);
});
