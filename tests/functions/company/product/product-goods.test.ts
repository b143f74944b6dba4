import { expect, test } from 'vitest';
import { call } from '#tests/support/http.ts';
import { errorWith, make } from '#tests/support/records.ts';
import { back, linesOfSale, sendReturn } from '#tests/support/returns.ts';
import { newGoods, newShop, sellOne } from '#tests/support/shop.ts';
import {
  closeWarehouse,
  newWarehouse,
  PURCHASES,
  receiveGoods,
  stockLevelsOf,
} from '#tests/support/stock.ts';
import { holdGoods } from '#tests/support/trade.ts';
import { TRANSFERS } from '#tests/support/transfers.ts';

const PRODUCTS = '/company/product/product';

const HAS_GOODS = errorWith('product.has_goods');

const remove = (token: string, id: number) => call(`DELETE ${PRODUCTS}/${id}`, { token });

test('a product with goods in stock, held or in transit is not deleted, one whose goods are sold is (Contract 9.94)', async () => {
  const shop = await newShop();
  const { director: token, stockId } = shop;
  const id = await newGoods(shop, [{ quantity: 2, cost: 1 }]);
  expect(await remove(token, id)).toMatchObject(HAS_GOODS);
  const held = await holdGoods(shop, { products: [{ product_id: id, quantity: 2 }] });
  expect(held.status).toBe(200);
  expect(await remove(token, id)).toMatchObject(HAS_GOODS);
  expect((await call(`PATCH /company/trade/hold/${held.number('id')}/cancel`, { token })).status).toBe(200);
  const to_stock_id = await newWarehouse(token, 'Other');
  const products = [{ product_id: id, quantity: 2 }];
  const sent = await make(TRANSFERS, token, { from_stock_id: stockId, to_stock_id, products });
  expect(await remove(token, id)).toMatchObject(HAS_GOODS);
  expect((await call(`PATCH ${TRANSFERS}/${sent}/complete`, { token })).status).toBe(200);
  expect(await remove(token, id)).toMatchObject(HAS_GOODS);
  const other = await newGoods(shop, [{ quantity: 1, cost: 1 }]);
  expect((await sellOne({ ...shop, stockId: to_stock_id }, id, 2, 5000)).status).toBe(200);
  expect((await remove(token, id)).status).toBe(200);
  expect((await remove(token, id)).status).toBe(404);
  expect(await remove(token, other)).toMatchObject(HAS_GOODS);
});

test('goods of a deleted product come back from its customer, and are there once it is restored', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const id = await newGoods(shop, [{ quantity: 1, cost: 1 }]);
  const sale = (await sellOne(shop, id, 1, 5000)).number('id');
  expect((await remove(token, id)).status).toBe(200);
  const [line] = await linesOfSale(shop, sale);
  expect((await sendReturn(shop, sale, back({ [line?.id ?? 0]: 1 }, 5000))).status).toBe(200);
  expect((await call(`DELETE ${PRODUCTS}/${id}/restore`, { token })).status).toBe(200);
  expect(await remove(token, id)).toMatchObject(HAS_GOODS);
});

test('a product that a count may find is not deleted (Contract 9.94)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, [{ quantity: 1, cost: 1 }]);
  await sellOne(shop, id, 1, 5000);
  await closeWarehouse(shop, shop.stockId);
  expect(await remove(shop.director, id)).toMatchObject(errorWith('stock.being_counted'));
});

test('of a receipt of a product and its deletion at the same moment one is refused (Contract 9.94)', async () => {
  const shop = await newShop();
  const { director: token, stockId: stock_id } = shop;
  for (let round = 0; round < 6; round++) {
    const product_id = await newGoods(shop, [{ quantity: 1, cost: 1 }]);
    await sellOne(shop, product_id, 1, 5000);
    const products = [{ product_id, quantity: 1, cost: 1 }];
    const draft = await make(PURCHASES, token, { stock_id, currency: 'uzs', products });
    const complete = call(`PATCH ${PURCHASES}/${draft}/complete`, { token });
    const replies = await Promise.all([complete, remove(token, product_id)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  }
});

test('goods that are held or sent while their product is deleted keep it (Contract 9.94)', async () => {
  const shop = await newShop();
  const { director: token, stockId: from_stock_id } = shop;
  const to_stock_id = await newWarehouse(token, 'Other');
  for (let round = 0; round < 4; round++) {
    const product_id = await newGoods(shop, [{ quantity: 2, cost: 1 }]);
    const products = [{ product_id, quantity: 1 }];
    const replies = await Promise.all([
      holdGoods(shop, { products }),
      call(`POST ${TRANSFERS}`, { token, json: { from_stock_id, to_stock_id, products } }),
      remove(token, product_id),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 400]);
  }
});

test('what arrives of a deleted product’s last goods keeps it, whichever warehouse it is (Contract 9.94)', async () => {
  const shop = await newShop();
  const { director: token, stockId: from_stock_id } = shop;
  const to_stock_id = await newWarehouse(token, 'Other');
  const product_id = await newGoods(shop, []);
  await receiveGoods(token, { stock_id: from_stock_id, products: [{ product_id, quantity: 1, cost: 1 }] });
  const products = [{ product_id, quantity: 1 }];
  const sent = await make(TRANSFERS, token, { from_stock_id, to_stock_id, products });
  const complete = call(`PATCH ${TRANSFERS}/${sent}/complete`, { token });
  const replies = await Promise.all([complete, remove(token, product_id)]);
  expect(replies.map(({ status }) => status)).toEqual([200, 400]);
  expect(await stockLevelsOf(token, `filter[stock_id]=${to_stock_id}`)).toMatchObject([{ quantity: 1 }]);
});
