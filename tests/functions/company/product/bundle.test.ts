import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { addProduct, type Catalog, card, newCatalog } from '#tests/support/catalog.ts';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import type { Family } from '#tests/support/provisioning.ts';
import { errorWith, NOT_FOUND } from '#tests/support/records.ts';

const BUNDLES = '/company/product/bundle';

let family: Family;
let token: string;
let catalog: Catalog;
let water: number;
let juice: number;

beforeEach(async () => {
  family = await newFamily();
  token = family.director;
  catalog = await newCatalog(family);
  water = await product('Water');
  juice = await product('Juice');
});

async function product(name: string, given: object = {}): Promise<number> {
  return (await addProduct(token, catalog, { name, ...given })).number('id');
}

const line = (product_id: number, quantity = 1) => ({ product_id, quantity });
const breakfast = () => ({ name: 'Breakfast', price: 9000.5, products: [line(water, 2)] });

async function post(given: object = {}) {
  return call(`POST ${BUNDLES}`, { token, json: { ...breakfast(), ...given } });
}

test('a bundle is made, found, changed, deleted and restored', async () => {
  const made = await post();
  expect(made).toMatchObject({
    status: 200,
    body: { ...breakfast(), company_id: family.companyId, creator_id: family.directorId },
  });
  const address = `${BUNDLES}/${made.number('id')}`;
  const json = { ...breakfast(), products: [line(juice, 0.12345678)] };
  expect((await call(`PUT ${address}`, { token, json })).body).toMatchObject(json);
  expect((await call(`DELETE ${address}`, { token })).body).toEqual({ message: 'Успешно' });
  expect((await call(`GET ${address}`, { token })).status).toBe(404);
  expect((await call(`DELETE ${address}/restore`, { token })).status).toBe(200);
  expect((await call(`DELETE ${address}/restore`, { token })).status).toBe(404);
});

test('a product that a bundle has is not deleted, the bundle is named; a deleted bundle has none (Contract 9.118)', async () => {
  const made = await post({ name: 'Nonushta' });
  const address = `${BUNDLES}/${made.number('id')}`;
  const remove = (id: number) => call(`DELETE /company/product/product/${id}`, { token });
  const refused = errorWith('product.in_bundle', { name: 'Nonushta' });
  expect(await remove(water)).toMatchObject(refused);
  const row = { external_id: 'W-1', barcode: '478-1' };
  await call(`PUT /company/product/product/${water}`, {
    token,
    json: { ...card(catalog, { name: 'Water' }), ...row },
  });
  const synced = await call('PUT /company/product/product/sync', {
    token,
    json: { products: [{ external_id: 'W-1', is_deleted: true }] },
  });
  expect(synced.body).toMatchObject({ data: [{ status: 400, code: 'product.in_bundle' }] });
  await call(`PUT ${address}`, { token, json: { ...breakfast(), products: [line(juice)] } });
  expect((await remove(water)).status).toBe(200);
  expect(await remove(juice)).toMatchObject(errorWith('product.in_bundle', { name: 'Breakfast' }));
  await call(`DELETE ${address}`, { token });
  expect((await remove(juice)).status).toBe(200);
  expect((await call(`DELETE ${address}/restore`, { token })).body).toMatchObject({
    errors: { 'products.0.product_id': [NOT_FOUND] },
  });
  await call(`DELETE /company/product/product/${juice}/restore`, { token });
  expect((await call(`DELETE ${address}/restore`, { token })).status).toBe(200);
  expect((await remove(juice)).status).toBe(400);
});

test('of a bundle that is made and the deletion of its product at the same moment, one counts', async () => {
  for (let round = 0; round < 4; round++) {
    const id = await product(`Round ${round}`);
    const both = await Promise.all([
      post({ name: `Bundle ${round}`, products: [line(id)] }),
      call(`DELETE /company/product/product/${id}`, { token }),
    ]);
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  }
});

test('a bundle is of 1 to 100 products, each once', async () => {
  expect((await post({ products: [] })).body).toMatchObject({ errors: { products: [expect.any(String)] } });
  const many = Array.from({ length: 101 }, (_, index) => line(water + index));
  expect((await post({ products: many })).body).toMatchObject({ errors: { products: [expect.any(String)] } });
  expect((await post({ products: [line(water), line(juice), line(water)] })).body).toMatchObject({
    errors: { 'products.2.product_id': ['Значения не должны повторяться.'] },
  });
});

test('a bundle of a hundred products is made', async () => {
  const others = await Promise.all(Array.from({ length: 98 }, () => product('Water')));
  const products = [water, juice, ...others].map((id) => line(id));
  expect(await post({ products })).toMatchObject({ status: 200, body: { products } });
});

test('the products must exist when they come in: no deleted ones and none of other families', async () => {
  const gone = await product('Tea');
  expect((await call(`DELETE /company/product/product/${gone}`, { token })).status).toBe(200);
  const unheard = gone + 1;
  const products = [juice, gone, unheard].map((product) => line(product));
  expect(await post({ products })).toMatchObject({
    status: 422,
    body: {
      errors: {
        'products.1.product_id': ['Выбранная запись не найдена.'],
        'products.2.product_id': [expect.any(String)],
      },
    },
  });
});

test.each([
  ['name', ''],
  ['price', 0],
  ['price', 0.001],
  ['products.0.quantity', 0],
  ['products.0.quantity', 0.123456789],
  ['products.0.product_id', 'x'],
])('%s of %j is refused there', async (path, value) => {
  const field = path.split('.').at(-1) ?? '';
  const given = path.startsWith('products')
    ? { products: [{ ...line(water), [field]: value }] }
    : { [field]: value };
  expect(await post(given)).toMatchObject({
    status: 422,
    body: { errors: { [path]: [expect.any(String)] } },
  });
});

test('the list is searched by name and embeds the products', async () => {
  const variant = await product('1 l', { parent_id: water });
  await post({ products: [line(juice), line(variant)] });
  await post({ name: 'Dinner' });
  const { body } = await call(`GET ${BUNDLES}?filter[name]=BREAK&with[]=products.product`, { token });
  expect(body).toMatchObject({
    data: [
      {
        name: 'Breakfast',
        products: [
          { ...line(juice), product: { full_text: 'Juice' } },
          { ...line(variant), product: { full_text: 'Water 1 l' } },
        ],
      },
    ],
    meta: { total: 1 },
  });
});

test('a list has the cards of the first 20 products of a bundle, one bundle has them all', async () => {
  const others = await Promise.all(Array.from({ length: 19 }, () => product('Water')));
  const products = [water, juice, ...others].map((product_id) => line(product_id));
  const id = (await post({ products })).number('id');
  const Parts = z.object({ products: z.array(z.object({ product: z.unknown().optional() })) });
  const cardsOf = (parts: z.output<typeof Parts>) => parts.products.map(({ product }) => product);
  const one = await call(`GET ${BUNDLES}/${id}?with[]=products.product`, { token });
  const cards = cardsOf(Parts.parse(one.body));
  expect(cards.map((card) => Object(card).id)).toEqual(products.map(({ product_id }) => product_id));
  const list = await call(`GET ${BUNDLES}?with[]=products.product`, { token });
  const { data } = z.object({ data: z.array(Parts) }).parse(list.body);
  expect(data.map(cardsOf)).toEqual([[...cards.slice(0, 20), undefined]]);
});

test('another family reaches none of the bundles', async () => {
  const id = (await post()).number('id');
  const other = await newFamily();
  expect((await call(`GET ${BUNDLES}/${id}`, { token: other.director })).status).toBe(404);
  const reply = await call(`POST ${BUNDLES}`, { token: other.director, json: breakfast() });
  expect(reply.body).toMatchObject({ errors: { 'products.0.product_id': [expect.any(String)] } });
});
