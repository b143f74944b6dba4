import { expect, test } from 'vitest';
import { addProduct } from '#tests/support/catalog.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, NOT_FOUND, REQUIRED } from '#tests/support/records.ts';
import { newShop } from '#tests/support/shop.ts';

const BATCHES = '/company/trade/recalculation-batch';

async function newScene() {
  const shop = await newShop();
  const cards = [
    { barcode: '900', external_id: 'A-1' },
    { barcode: '901', external_id: 'a-1' },
    { barcode: '902' },
  ];
  const ids: number[] = [];
  for (const given of cards) ids.push((await addProduct(shop.director, shop.catalog, given)).number('id'));
  const [first = 0, second = 0, third = 0] = ids;
  const bodyOf = (...names: object[]) => ({
    company_id: shop.companyId,
    products: names.map((name, index) => ({ ...name, sale_price: 7000 + index, sale_currency: 'uzs' })),
  });
  return { token: shop.director, bodyOf, first, second, third };
}

test('a row names its product by barcode or external id in the place of product_id (Part 4, 4.3)', async () => {
  const { token, bodyOf, first, second, third } = await newScene();
  const json = bodyOf({ barcode: '902' }, { external_id: 'a-1' }, { product_id: first, barcode: null });
  const made = await call(`POST ${BATCHES}`, { token, json });
  expect(made).toMatchObject({
    status: 200,
    body: {
      products_count: 3,
      products: [
        { product_id: third, sale_price: 7000 },
        { product_id: second, sale_price: 7001 },
        { product_id: first, sale_price: 7002 },
      ],
    },
  });
});

test('a row without a name, with two, with one of nobody, and one that comes twice are 422', async () => {
  const { token, bodyOf, first, third } = await newScene();
  const errors = (...names: object[]) => errorsOf(`POST ${BATCHES}`, token, bodyOf(...names));
  expect(await errors({})).toEqual({ 'products.0.product_id': REQUIRED });
  expect(await errors({ product_id: first, barcode: '900' })).toHaveProperty(['products.0.barcode']);
  expect(await errors({ barcode: '900', external_id: 'A-1' })).toHaveProperty(['products.0.external_id']);
  expect(await errors({ barcode: 'x' }, { external_id: 'x' }, { product_id: 9 })).toEqual({
    'products.0.barcode': NOT_FOUND,
    'products.1.external_id': NOT_FOUND,
    'products.2.product_id': NOT_FOUND,
  });
  expect(await errors({ product_id: first }, { external_id: 'A-1' }, { barcode: '900' })).toEqual({
    'products.1.external_id': expect.any(String),
    'products.2.barcode': expect.any(String),
  });
  await call(`DELETE /company/product/product/${third}`, { token });
  expect(await errors({ barcode: '902' })).toEqual({ 'products.0.barcode': NOT_FOUND });
});
