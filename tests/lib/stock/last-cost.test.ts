import { expect, test } from 'vitest';
import { lastCosts } from '#lib/stock/last-cost.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { newGoods, newShop, sellOne } from '#tests/support/shop.ts';
import { newWarehouse, receiveGoods } from '#tests/support/stock.ts';

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
