import { expect, test } from 'vitest';
import { lastCosts, lastCostsIn } from '#lib/stock/last-cost.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { call } from '#tests/support/http.ts';
import { newGoods, newShop, sellOne } from '#tests/support/shop.ts';
import { newWarehouse, PURCHASES, receiveGoods, STOCK_LEVELS } from '#tests/support/stock.ts';
import { end, moveAtOnce, newTwoDepots, send, TRANSFERS } from '#tests/support/transfers.ts';

test('a product’s last cost is that of the newest goods that came to the family, whether any are left', async () => {
  const shop = await newShop();
  const tenant = familyTenant(shop.companyId);
  const id = await newGoods(shop, [{ quantity: 2, cost: 100 }]);
  const last = async () => (await lastCosts(tenant, [id, id + 1])).get(id);
  expect(await last()).toMatchObject({ cost: 100_00, currency: 'uzs' });
  const far = await newWarehouse(shop.director, 'Far');
  const bring = (stock_id: number, cost: number, currency: string) =>
    receiveGoods(shop.director, { stock_id, currency, products: [{ product_id: id, quantity: 1, cost }] });
  await bring(far, 3, 'usd');
  expect(await last()).toMatchObject({ cost: 3_00, currency: 'usd' });
  await bring(shop.stockId, 120, 'uzs');
  expect(await last()).toMatchObject({ cost: 120_00, currency: 'uzs' });
  expect((await sellOne(shop, id, 3, 5000)).status).toBe(200);
  expect(await last()).toMatchObject({ cost: 120_00, currency: 'uzs' });
  expect((await lastCosts(tenant, [id, id + 1])).has(id + 1)).toBe(false);
});

test('the supplier of a receipt stays with its goods wherever they go, and none is shown with a batch (Part 5, 5A.10 (1))', async () => {
  const depots = await newTwoDepots(1);
  const { token, companyId, stockId, secondId, supplierId, goods, receiptId } = depots;
  const [product = 0] = goods;
  const tenant = familyTenant(companyId);
  const lastIn = async (stock: number) => (await lastCostsIn(tenant, [stock], goods)).get(product);
  expect(await lastIn(stockId)).toMatchObject({ supplier_id: supplierId });
  await moveAtOnce(depots, 10);
  expect(await lastIn(stockId)).toMatchObject({ supplier_id: supplierId });
  expect(await lastIn(secondId)).toMatchObject({ supplier_id: supplierId });
  const back = { from_stock_id: secondId, to_stock_id: stockId };
  const transfer = await send(depots, 10, back);
  const shown = await Promise.all([
    call(`GET ${TRANSFERS}/${transfer}`, { token }),
    call(`GET ${STOCK_LEVELS}`, { token }),
    call('GET /company/sync?types[]=stock.product&types[]=trade.transfer', { token }),
  ]);
  for (const { status, body } of shown) {
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toContain('"batches":[');
    expect(JSON.stringify(body)).not.toMatch(/"batches":\[[^\]]*supplier_id/);
  }
  await end(token, transfer, 'complete');
  const others = [{ product_id: product, quantity: 1, cost: 7 }];
  const bare = await receiveGoods(token, { stock_id: stockId, products: others });
  expect(await lastIn(stockId)).not.toHaveProperty('supplier_id');
  for (const id of [bare, receiptId]) await call(`PATCH ${PURCHASES}/${id}/cancel`, { token });
  expect(await lastIn(stockId)).toBeUndefined();
});
