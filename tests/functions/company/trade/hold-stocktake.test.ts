import { expect, test } from 'vitest';
import { call } from '#tests/support/http.ts';
import { newGoods, newShop, piecesOf, saleBody } from '#tests/support/shop.ts';
import { count, countSeen, INVENTORIES, startStocktake } from '#tests/support/stocktakes.ts';
import { holdGoods, readHold } from '#tests/support/trade.ts';

const HOLD = '/company/trade/hold';

/** Creates a shop of ten pieces, three of which are on hold, and starts its stocktake. */
async function newCountedShop() {
  const shop = await newShop();
  const product_id = await newGoods(shop, [{ quantity: 10, cost: 3000 }]);
  const hold = (await holdGoods(shop, { products: [{ product_id, quantity: 3 }] })).number('id');
  return { ...shop, product_id, hold, countId: await startStocktake(shop) };
}

test('under a count a hold is neither made, changed, canceled nor sold', async () => {
  const shop = await newCountedShop();
  const { director: token, cashboxId: cashbox_id, product_id, hold } = shop;
  const products = [{ product_id, quantity: 1 }];
  const paid = { transactions: [{ payment_type: 'cash', amount: 15_000 }] };
  const statuses = [
    (await holdGoods(shop, { products })).status,
    ...(await Promise.all(
      [
        call(`PATCH ${HOLD}/${hold}/add-products`, { token, json: { cashbox_id, cheque: 1, products } }),
        call(`PATCH ${HOLD}/${hold}/update-products`, { token, json: { products } }),
        call(`PATCH ${HOLD}/${hold}/cancel`, { token }),
        call('POST /company/trade/sale', { token, json: saleBody(shop, { hold_id: hold, ...paid }) }),
      ].map(async (reply) => (await reply).status),
    )),
  ];
  expect(statuses).toEqual([400, 400, 400, 400, 400]);
  expect(await readHold(shop, hold)).toMatchObject({ status: 'in_progress', amount: 15_000 });
  expect(await piecesOf(shop, product_id)).toBe(7);
});

test('what is held is shown by the count, and is neither book nor counted (Contract 9.8)', async () => {
  const shop = await newCountedShop();
  const { director: token, product_id, hold, countId } = shop;
  await count(shop, countId, [[product_id, 7]]);
  const { products } = await countSeen(token, countId);
  expect(products).toMatchObject([
    { stock_quantity: 7, actual_quantity: 7, difference: 0, held_quantity: 3 },
  ]);
  expect((await call(`PATCH ${INVENTORIES}/${countId}/complete`, { token })).status).toBe(200);
  expect((await call(`PATCH ${HOLD}/${hold}/cancel`, { token })).status).toBe(200);
  expect(await piecesOf(shop, product_id)).toBe(10);
});
