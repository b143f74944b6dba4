import { expect, test } from 'vitest';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { faultsOf, plantInTest } from '#tests/support/books.ts';
import { creditHeaders, creditRequest, sendCredit } from '#tests/support/credit.ts';
import { inCash } from '#tests/support/foreign.ts';
import { call } from '#tests/support/http.ts';
import { exchangeBody, sendReturn } from '#tests/support/returns.ts';
import { newGoods, newShop } from '#tests/support/shop.ts';

/** A sale of 12000 on credit, exchanged twice for goods of 15000, of which 5000 went back. */
const shop = await newShop();
const product = await newGoods(shop, [{ quantity: 100, cost: 1 }]);
const sold = await sendCredit(await creditHeaders(shop.companyId), creditRequest(shop, product));
const byBank = (amount: number) => ({ payment_type: 'bank', amount });
const root = sold.number('id');
const dearer = await exchange(root, [2, 3], [byBank(1000), inCash(2000)]);
const last = await exchange(dearer, [2, 2], []);
const back = { transactions: [byBank(1000), inCash(4000)] };

async function exchange(sale: number, pieces: readonly [number, number], transactions: readonly object[]) {
  const json = await exchangeBody(shop, sale, pieces, { transactions });
  const reply = await call(`POST /company/trade/sale/${sale}/exchange`, { token: shop.director, json });
  return reply.number('exchange_sale.id');
}

test('the bank money of a chain adds up, also once a part went back (Contract 9.27)', async () => {
  expect((await sendReturn(shop, dearer, back)).status).toBe(200);
  expect(await faultsOf(shop)).toEqual([]);
});

test.each([
  ['more', 10_001_00, 100],
  ['less', 9999_00, -100],
])('a sale whose purse has %s bank money than its documents is found', async (_, bank, rest) => {
  await plantInTest(recordKey(sales.type, familyTenant(shop.companyId), last), { purse: [bank, []] });
  expect(await faultsOf(shop)).toEqual([
    `sales: sale ${root} keeps with its exchanges so much more by bank than came and has not gone back: ${rest}`,
  ]);
});

test('a sale whose purse has lost its bank money is found', async () => {
  await plantInTest(recordKey(sales.type, familyTenant(shop.companyId), last), { purse: [null, []] });
  expect(await faultsOf(shop)).toEqual([
    `sales: sale ${root} keeps with its exchanges so much more by bank than came and has not gone back: -1000000`,
  ]);
});
