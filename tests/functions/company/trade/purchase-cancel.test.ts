import { expect, test } from 'vitest';
import { lastCosts } from '#lib/stock/last-cost.ts';
import { update } from '#lib/table/change/write.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { translate } from '#lib/values/message.ts';
import { call } from '#tests/support/http.ts';
import { errorWith, idsOf, make } from '#tests/support/records.ts';
import { cardOf, PRODUCTS, reprice, repricingRow } from '#tests/support/repricing.ts';
import { newGoods, newShop } from '#tests/support/shop.ts';
import {
  closeWarehouse,
  movementsSeen,
  PURCHASES,
  receiveGoods,
  stockLevelsOf,
} from '#tests/support/stock.ts';
import {
  count,
  endStocktake,
  INVENTORIES,
  newStoreForStocktake,
  startStocktake,
} from '#tests/support/stocktakes.ts';
import { end, moveAtOnce, newTwoDepots, send } from '#tests/support/transfers.ts';
import {
  lineIdsOf,
  newDepot,
  patch,
  payForGoods,
  supplierOperationsOf,
  WRITE_OFFS,
  writeOffAtOnce,
  writeOffOf,
  writeOffOfGoodsReceipt,
} from '#tests/support/write-offs.ts';

const cancel = (token: string, id: number, headers = {}) =>
  call(`PATCH ${PURCHASES}/${id}/cancel`, { token, headers });

const notWhole = (product = 0) => ({
  status: 400,
  body: { message: translate('ru', { key: 'purchase.not_whole', with: { name: `Water ${product}` } }) },
});

test('a completed receipt whose batches are whole is canceled, and is owed for no more (Contract 9.73)', async () => {
  const depot = await newDepot(2, { sale_price: 70 });
  const { token, receiptId, supplierId, stockId, goods } = depot;
  const later = await receiveGoods(token, {
    stock_id: stockId,
    products: [{ product_id: goods[0], quantity: 1, cost: 5 }],
  });
  const [batch] = await lineIdsOf(token, later);
  expect((await cancel(token, receiptId)).body).toEqual({ message: 'Успешно' });
  const balances = await stockLevelsOf(token);
  expect(balances).toMatchObject([
    { quantity: 1, batches: [{ id: batch, quantity: 1, cost: 5 }] },
    { quantity: 0, batches: [] },
  ]);
  const [movement] = await movementsSeen(token, balances[1]?.id ?? 0);
  expect(movement).toMatchObject({ document_type: 'purchase', document_id: receiptId, quantity: -10 });
  const operations = await supplierOperationsOf(token, supplierId);
  expect(operations).toMatchObject([
    { type: 'receipt', amount: 40, reversal_id: operations[1]?.id },
    { type: 'reversal', amount: -40, reversal_of_id: operations[0]?.id },
  ]);
  expect((await call(`GET /company/product/product/${goods[0]}`, { token })).body).toMatchObject({
    sale_price: 5000,
  });
  expect((await call(`GET ${PURCHASES}/${receiptId}`, { token })).body).toMatchObject({ status: 'canceled' });
  const message = translate('ru', { key: 'purchase.canceled' });
  expect(await cancel(token, receiptId)).toMatchObject({ status: 400, body: { message } });
});

test('a receipt of which a part is gone is not canceled, until that is back (Contract 9.73)', async () => {
  const depots = await newTwoDepots(2);
  const { token, receiptId, goods, stockId, secondId } = depots;
  const writeOff = await writeOffAtOnce(token, writeOffOf(depots, {}, 0.0001));
  expect(await cancel(token, receiptId)).toMatchObject(notWhole(goods[0]));
  await patch(token, writeOff, 'cancel');
  const transfer = await send(depots, 1);
  expect(await cancel(token, receiptId)).toMatchObject(notWhole(goods[0]));
  await end(token, transfer, 'complete');
  expect(await cancel(token, receiptId)).toMatchObject(notWhole(goods[0]));
  await moveAtOnce(depots, 1, { from_stock_id: secondId, to_stock_id: stockId });
  expect((await cancel(token, receiptId)).status).toBe(200);
  expect((await stockLevelsOf(token)).map(({ quantity }) => quantity)).toEqual([0, 0, 0, 0]);
});

test('a canceled receipt’s cost is not the latest: a surplus costs what the goods before it did (Contract 9.11)', async () => {
  const { shop, token, products } = await newStoreForStocktake();
  const line = { product_id: products[0], quantity: 10, cost: 100_000 };
  expect(
    (await cancel(token, await receiveGoods(token, { stock_id: shop.stockId, products: [line] }))).status,
  ).toBe(200);
  expect(await reprice(shop, [repricingRow(products[0], { min_price: 100 })])).toMatchObject({
    skipped_products: [],
  });
  const id = await startStocktake(shop, { type: 'partial', product_ids: [products[0]] });
  await count(shop, id, [[products[0], 11]]);
  await endStocktake(shop, id, 'complete');
  const [balance] = await stockLevelsOf(token, `filter[product_id]=${products[0]}`);
  expect(balance?.batches).toMatchObject([
    { quantity: 10, cost: 100 },
    { quantity: 1, cost: 100 },
  ]);
});

test('goods whose only receipt is canceled were never received: a surplus costs 0 in the sale currency (Contract 9.11)', async () => {
  const shop = await newShop();
  const { director: token, stockId: stock_id } = shop;
  const product = await newGoods(shop, []);
  const line = { product_id: product, quantity: 1, cost: 1000 };
  const receiptId = await receiveGoods(token, { stock_id, currency: 'usd', products: [line] });
  expect((await cancel(token, receiptId)).status).toBe(200);
  const id = await startStocktake(shop);
  await count(shop, id, [[product, 1]]);
  await endStocktake(shop, id, 'complete');
  const inventory = await call(`GET ${INVENTORIES}/${id}`, { token });
  expect(inventory.body).toMatchObject({ quantity_diff_above: 1, amounts_diff_above: { uzs: 0, usd: 0 } });
  expect(await idsOf(PURCHASES, token, 'filter[currency]=uzs')).toHaveLength(1);
});

test('a canceled receipt’s cost is forgotten wherever its goods have been (Contract 9.11)', async () => {
  const depots = await newTwoDepots(1);
  const { token, companyId, receiptId, goods, stockId, secondId } = depots;
  const [product = 0] = goods;
  const products = [{ product_id: product, quantity: 1, cost: 3 }];
  const typo = await receiveGoods(token, { stock_id: stockId, products });
  await moveAtOnce(depots, 11);
  await moveAtOnce(depots, 11, { from_stock_id: secondId, to_stock_id: stockId });
  const last = async () => (await lastCosts(familyTenant(companyId), goods)).get(product);
  expect(await last()).toMatchObject({ cost: 300 });
  expect((await cancel(token, typo)).status).toBe(200);
  expect(await last()).toMatchObject({ cost: 200 });
  await closeWarehouse(depots, secondId);
  expect(await cancel(token, receiptId)).toMatchObject(errorWith('stock.being_counted'));
});

test('a canceled receipt gives a product the price, currency and minimum back that it had before, if no later change stands (Contract 9.110)', async () => {
  const shop = await newShop();
  const { director: token, stockId: stock_id } = shop;
  const id = await newGoods(shop, [], { sale_price: 1000, min_price: 900 });
  const receive = (sale_price: number) =>
    receiveGoods(token, { stock_id, products: [{ product_id: id, quantity: 1, cost: 5, sale_price }] });
  const [first, second] = [await receive(7000), await receive(8000)];
  await cancel(token, second);
  expect(await cardOf(shop, id)).toMatchObject({ sale_price: 7000, min_price: 900 });
  // The second is canceled, and does not prevent the cancellation.
  await cancel(token, first);
  expect(await cardOf(shop, id)).toMatchObject({ sale_price: 1000, sale_currency: 'uzs', min_price: 900 });
  // The latest change is on the card: the response shows it at once.
  const { body } = await call(`GET ${PRODUCTS}/${id}/prices?page-size=1`, { token });
  expect(body).toMatchObject({
    data: [{ cause: 'receipt', document_id: first, previous_price: 7000, price: 1000 }],
  });

  const third = await receive(7000);
  await reprice(shop, [repricingRow(id)]);
  await cancel(token, third);
  expect(await cardOf(shop, id)).toMatchObject({ sale_price: 6000 });
  const under = await receive(7000);
  await receive(8000);
  await cancel(token, under);
  expect(await cardOf(shop, id)).toMatchObject({ sale_price: 8000 });
});

test('a receipt of a count is not canceled (Contract 9.12)', async () => {
  const { token, receiptId, companyId } = await newDepot(1);
  const key = recordKey(goodsReceipts.type, familyTenant(companyId), receiptId);
  await transact([update(key, { set: { inventory_id: 1 } })]);
  const message = translate('ru', { key: 'purchase.of_inventory' });
  expect(await cancel(token, receiptId)).toMatchObject({ status: 400, body: { message } });
});

test('a receipt in a warehouse that is counted, or of a supplier who is gone, is not canceled', async () => {
  const depot = await newDepot(1);
  const { token, receiptId, stockId, supplierId } = depot;
  await payForGoods(depot, 20);
  expect((await call(`DELETE /company/stock/supplier/${supplierId}`, { token })).status).toBe(200);
  const gone = errorWith('supplier.gone');
  expect(await cancel(token, receiptId)).toMatchObject(gone);
  await closeWarehouse(depot, stockId);
  await call(`DELETE /company/stock/supplier/${supplierId}/restore`, { token });
  const counted = errorWith('stock.being_counted');
  expect(await cancel(token, receiptId)).toMatchObject(counted);
});

test('of cancellations, and of one and a write-off at once, one counts', async () => {
  for (let round = 0; round < 3; round++) {
    const depot = await newDepot(1);
    const { token, receiptId, supplierId } = depot;
    const id = await make(WRITE_OFFS, token, writeOffOfGoodsReceipt(depot));
    const other = round === 0 ? cancel(token, receiptId) : patch(token, id, 'complete');
    const replies = await Promise.all([cancel(token, receiptId), other]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await supplierOperationsOf(token, supplierId)).toHaveLength(2);
    expect([0, 7]).toContain((await stockLevelsOf(token))[0]?.quantity);
  }
});

test('a repeated cancellation is answered again and done once', async () => {
  const { token, receiptId, supplierId } = await newDepot(1);
  const replies = [1, 2].map(() => cancel(token, receiptId, { 'Idempotency-Key': 'cancel' }));
  for (const { status } of await Promise.all(replies)) expect(status).toBe(200);
  expect(await supplierOperationsOf(token, supplierId)).toHaveLength(2);
});
