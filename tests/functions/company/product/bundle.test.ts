import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { addProduct, newShelf } from '#tests/kit/catalog.ts';
import { type Family, newFamily } from '#tests/kit/family.ts';
import { call } from '#tests/kit/http.ts';

const BUNDLES = '/company/product/bundle';

let family: Family;
let token: string;

beforeEach(async () => {
  family = await newFamily();
  token = family.director;
  await newShelf(family);
  for (const name of ['Water', 'Juice']) await addProduct(token, { name });
});

const breakfast = { name: 'Breakfast', price: 9000.5, products: [{ product_id: 1, quantity: 2 }] };

async function post(given: object = {}) {
  return call(`POST ${BUNDLES}`, { token, json: { ...breakfast, ...given } });
}

test('a bundle is made, found, changed, deleted and restored', async () => {
  expect(await post()).toMatchObject({
    status: 200,
    body: { ...breakfast, id: 1, company_id: family.companyId, creator_id: family.directorId },
  });
  const json = { ...breakfast, products: [{ product_id: 2, quantity: 0.12345678 }] };
  expect((await call(`PUT ${BUNDLES}/1`, { token, json })).body).toMatchObject(json);
  expect((await call(`DELETE ${BUNDLES}/1`, { token })).body).toEqual({ message: 'Успешно' });
  expect((await call(`GET ${BUNDLES}/1`, { token })).status).toBe(404);
  expect((await call(`DELETE ${BUNDLES}/1/restore`, { token })).status).toBe(200);
  expect((await call(`DELETE ${BUNDLES}/1/restore`, { token })).status).toBe(404);
});

test('a bundle is of 1 to 100 products, each once', async () => {
  const line = (product_id: number) => ({ product_id, quantity: 1 });
  expect((await post({ products: [] })).body).toMatchObject({ errors: { products: [expect.any(String)] } });
  const many = Array.from({ length: 101 }, (_, index) => line(index + 1));
  expect((await post({ products: many })).body).toMatchObject({ errors: { products: [expect.any(String)] } });
  expect((await post({ products: [line(1), line(2), line(1)] })).body).toMatchObject({
    errors: { 'products.2.product_id': ['Значения не должны повторяться.'] },
  });
});

test('a bundle of a hundred products is made', async () => {
  await Promise.all(Array.from({ length: 98 }, () => addProduct(token)));
  const products = Array.from({ length: 100 }, (_, index) => ({ product_id: index + 1, quantity: 1 }));
  expect(await post({ products })).toMatchObject({ status: 200, body: { products } });
});

test('the products must exist when they come in: no deleted ones and none of other families', async () => {
  await post();
  await call('DELETE /company/product/product/1', { token });
  expect((await call(`PUT ${BUNDLES}/1`, { token, json: { ...breakfast, name: 'Dinner' } })).status).toBe(
    200,
  );
  const products = [2, 1, 3].map((product_id) => ({ product_id, quantity: 1 }));
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
    ? { products: [{ product_id: 1, quantity: 1, [field]: value }] }
    : { [field]: value };
  expect(await post(given)).toMatchObject({
    status: 422,
    body: { errors: { [path]: [expect.any(String)] } },
  });
});

test('the list is searched by name and embeds the products', async () => {
  await addProduct(token, { name: '1 l', parent_id: 1 });
  await post({ products: [2, 3].map((product_id) => ({ product_id, quantity: 1 })) });
  await post({ name: 'Dinner' });
  const { body } = await call(`GET ${BUNDLES}?filter[name]=BREAK&with[]=products.product`, { token });
  expect(body).toMatchObject({
    data: [
      {
        name: 'Breakfast',
        products: [
          { product_id: 2, quantity: 1, product: { full_text: 'Juice' } },
          { product_id: 3, quantity: 1, product: { full_text: 'Water 1 l' } },
        ],
      },
    ],
    meta: { total: 1 },
  });
});

test('a list has the cards of the first 20 products of a bundle, one bundle has them all', async () => {
  await Promise.all(Array.from({ length: 19 }, () => addProduct(token)));
  const products = Array.from({ length: 21 }, (_, index) => ({ product_id: index + 1, quantity: 1 }));
  await post({ products });
  const Parts = z.object({ products: z.array(z.object({ product: z.unknown().optional() })) });
  const cardsOf = (parts: z.output<typeof Parts>) => parts.products.map(({ product }) => product);
  const one = await call(`GET ${BUNDLES}/1?with[]=products.product`, { token });
  const cards = cardsOf(Parts.parse(one.body));
  expect(cards.map((card) => Object(card).id)).toEqual(products.map(({ product_id }) => product_id));
  const list = await call(`GET ${BUNDLES}?with[]=products.product`, { token });
  const { data } = z.object({ data: z.array(Parts) }).parse(list.body);
  expect(data.map(cardsOf)).toEqual([[...cards.slice(0, 20), undefined]]);
});

test('another family reaches none of the bundles', async () => {
  await post();
  const other = await newFamily();
  expect((await call(`GET ${BUNDLES}/1`, { token: other.director })).status).toBe(404);
  const reply = await call(`POST ${BUNDLES}`, { token: other.director, json: breakfast });
  expect(reply.body).toMatchObject({ errors: { 'products.0.product_id': [expect.any(String)] } });
});
