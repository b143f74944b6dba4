import { afterAll, expect, test } from 'vitest';
import { dropAnswer } from '#bench/chaos/fault.ts';
import { isCommit } from '#bench/chaos/table-call.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { completeGoodsReceipt } from '#lib/trade/goods-receipt/end.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { directorAs, newFamily } from '#tests/support/family.ts';
import { make } from '#tests/support/records.ts';
import { newShop, piecesOf } from '#tests/support/shop.ts';
import { newCards, newWarehouse, PURCHASES, receiveGoods } from '#tests/support/stock.ts';
import { behindProxy, faultInTest } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

test('a goods receipt of 120 lines whose response from the table is lost is completed, and reported as completed', async () => {
  const family = await newFamily();
  const { director, directorId, companyId } = family;
  const stock_id = await newWarehouse(director);
  const ids = await newCards(family, 120);
  const products = ids.map((product_id) => ({ product_id, quantity: 1, cost: 100 }));
  const id = await make(PURCHASES, director, { stock_id, currency: 'uzs', products });
  const actor = directorAs(directorId, companyId);
  const rule = faultInTest(proxy, isCommit, dropAnswer);
  await completeGoodsReceipt(actor, id, Date.now(), () => []);
  expect(rule.count).toBe(1);
  const item = await getItem(recordKey('purchase', actor.tenant, id));
  expect(item).toMatchObject({ status: 'completed' });
});

test('a sale of 110 lines whose response from the table is lost is made once, and reported as made', async () => {
  const shop = await newShop();
  const { director, directorId, companyId, stockId: stock_id, cashboxId: cashbox_id } = shop;
  const ids = await newCards(shop, 110);
  await receiveGoods(director, {
    stock_id,
    products: ids.map((product_id) => ({ product_id, quantity: 5, cost: 100 })),
  });
  const [first = 0] = ids;
  const bundle = await make('/company/product/bundle', director, {
    name: 'All',
    price: 10_000,
    products: ids.slice(90).map((product_id) => ({ product_id, quantity: 1 })),
  });
  const amount = 90 * 5000 + 10_000;
  const input = SaleInput.parse({
    cashbox_id,
    stock_id,
    currency: 'uzs',
    products: ids.slice(0, 90).map((product_id) => ({ product_id, sold_quantity: 1 })),
    bundles: [{ bundle_id: bundle }],
    transactions: [{ payment_type: 'cash', amount }],
  });
  const rule = faultInTest(proxy, isCommit, dropAnswer);
  const { sale } = await sell(directorAs(directorId, companyId), input, Date.now(), {
    saveResponse: () => [],
  });
  expect([rule.count, sale.sold_amount]).toEqual([1, amount * 100]);
  expect(await piecesOf(shop, first)).toBe(4);
});
