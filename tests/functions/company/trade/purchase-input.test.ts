import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, idsOf, make, NOT_FOUND, REQUIRED } from '#tests/support/records.ts';
import { newCards, newWarehouse, PURCHASES } from '#tests/support/stock.ts';

async function newShop() {
  const family = await newFamily();
  const token = family.director;
  const [goods, stock_id] = await Promise.all([newCards(family, 2), newWarehouse(token)]);
  const lines = goods.map((product_id) => ({ product_id, quantity: 1, cost: 1 }));
  return { family, token, goods, json: { stock_id, currency: 'uzs', products: lines }, lines };
}

test('all problems are reported at once, each on its path, and nothing is made', async () => {
  const { token, json, lines } = await newShop();
  const [first, second] = lines;
  const post = (given: object) => errorsOf(`POST ${PURCHASES}`, token, { ...json, ...given });
  expect(await errorsOf(`POST ${PURCHASES}`, token, {})).toEqual({
    stock_id: REQUIRED,
    currency: REQUIRED,
    products: REQUIRED,
  });
  expect(Object.keys(await post({ currency: 'gbp', products: [] }))).toEqual(['currency', 'products']);
  const wrong = [
    { ...first, quantity: 0 },
    { ...second, quantity: 1.123456789, cost: -1, sale_price: 0 },
  ];
  expect(await post({ products: wrong })).toEqual({
    'products.0.quantity': expect.any(String),
    'products.1.quantity': 'Не больше 8 знаков после запятой.',
    'products.1.cost': expect.any(String),
    'products.1.sale_price': expect.any(String),
  });
  expect(await post({ products: [first, second, first] })).toEqual({
    'products.2.product_id': 'Значения не должны повторяться.',
  });
  expect(await post({ products: [{ ...first, cost: 0.001 }] })).toEqual({
    'products.0.cost': 'Не больше 2 знаков после запятой.',
  });
  expect(await post({ products: [{ ...first, quantity: 10_000_000, cost: 999_999_999 }] })).toEqual({
    'products.0.quantity': 'Слишком большая сумма.',
    products: 'Слишком большая сумма.',
  });
  expect(await idsOf(PURCHASES, token)).toEqual([]);
});

test('a thousand lines are accepted, one more is not', async () => {
  const { family, token, json } = await newShop();
  const goods: number[] = [];
  while (goods.length < 1001) goods.push(...(await newCards(family, 91)));
  const products = goods.map((product_id) => ({ product_id, quantity: 1, cost: 1 }));
  expect(await errorsOf(`POST ${PURCHASES}`, token, { ...json, products })).toEqual({
    products: 'Не больше 1000 элементов.',
  });
  expect(await idsOf(PURCHASES, token)).toEqual([]);
  const id = await make(PURCHASES, token, { ...json, products: products.slice(0, 1000) });
  const { body } = await call(`PATCH ${PURCHASES}/${id}/complete`, { token });
  expect(body).toEqual({ message: 'Успешно' });
  expect((await call('GET /company/stock/product?page-size=1', { token })).body).toMatchObject({
    meta: { total: 1000 },
  });
});

test('goods that cost more in the sale currency than an amount may be are 422 on the cost', async () => {
  const { token, json, lines } = await newShop();
  const products = [{ ...lines[0], quantity: 100, cost: 9_999_999_999.99 }];
  expect(await errorsOf(`POST ${PURCHASES}`, token, { ...json, currency: 'eur', products })).toEqual({
    'products.0.cost': translate('ru', { key: 'sale.cost_too_large' }),
  });
  await make(PURCHASES, token, { ...json, products });
});

test('a warehouse, supplier or product of another family, or a deleted one, is 422', async () => {
  const [{ family, token, json, lines }, stranger] = await Promise.all([newShop(), newShop()]);
  const [mine] = lines;
  const [, foreign] = await newCards(stranger.family, 2);
  const refused = {
    stock_id: await newWarehouse(stranger.token, 'Дальний'),
    supplier_id: await make('/company/stock/supplier', stranger.token, { name: 'Ферма' }),
    products: [mine, { ...mine, product_id: foreign }],
  };
  const wanted = { stock_id: NOT_FOUND, supplier_id: NOT_FOUND, 'products.1.product_id': NOT_FOUND };
  expect(await errorsOf(`POST ${PURCHASES}`, token, { ...json, ...refused })).toEqual(wanted);
  const [deleted] = await newCards(family, 1, { is_deleted: true });
  const products = [{ ...mine, product_id: deleted }];
  expect(await errorsOf(`POST ${PURCHASES}`, token, { ...json, products })).toEqual({
    'products.0.product_id': NOT_FOUND,
  });
  expect(await idsOf(PURCHASES, token)).toEqual([]);
});
