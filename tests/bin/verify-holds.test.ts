import { expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { balanceKey } from '#lib/stock/balance.ts';
import { update } from '#lib/table/change/write.ts';
import { familyHome, type Home, recordKey } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { holds } from '#lib/trade/hold/record.ts';
import { addProduct } from '#tests/kit/catalog.ts';
import { call } from '#tests/kit/http.ts';
import { cheque, newShop, type Shop } from '#tests/kit/shop.ts';
import { receiveGoods } from '#tests/kit/stock.ts';
import { holdGoods } from '#tests/kit/trade.ts';

/** Makes a shop with a hold in each state: in progress, canceled, sold. */
async function newBooks(): Promise<Shop & { readonly productId: number }> {
  const shop = await newShop();
  const { director: token, stockId: stock_id } = shop;
  const productId = (await addProduct(token, shop.catalog)).number('id');
  await receiveGoods(token, { stock_id, products: [{ product_id: productId, quantity: 20, cost: 3000 }] });
  const products = [{ product_id: productId, quantity: 4 }];
  const hold = async () => (await holdGoods(shop, { products })).number('id');
  const [open, canceled, sold] = [await hold(), await hold(), await hold()];
  const less = { products: [{ product_id: productId, quantity: 1.5 }] };
  await call(`PATCH /company/trade/hold/${open}/update-products`, { token, json: less });
  await call(`PATCH /company/trade/hold/${canceled}/cancel`, { token });
  const paid = { transactions: [{ payment_type: 'cash', amount: 20_000 }] };
  await call('POST /company/trade/sale', { token, json: cheque(shop, { hold_id: sold, ...paid }) });
  return { ...shop, productId };
}

const violationsOf = async (companyId: number) =>
  (await readBooks(companyId)).violations.map(({ book, what }) => `${book}: ${what}`);

test('books with holds in all their states add up', async () => {
  const { companyId } = await newBooks();
  expect(await violationsOf(companyId)).toEqual([]);
});

const DAMAGE: readonly [
  string,
  string,
  (home: Home, shop: { stockId: number; productId: number }) => Promise<void>,
][] = [
  [
    'a hold in progress that calls itself canceled',
    'holds: line 1 should keep 0, and keeps 150000000',
    (home) => transact([update(recordKey(holds.type, home, 1), { set: { status: 'canceled' } })]),
  ],
  [
    'a sold hold that calls itself open',
    'holds: line 3 should keep 400000000, and keeps 0',
    (home) => transact([update(recordKey(holds.type, home, 3), { set: { status: 'in_progress' } })]),
  ],
  [
    'a shelf that forgets what is held',
    'goods: holds took 150000000 of it, it says 0',
    (home, { stockId, productId }) =>
      transact([update(balanceKey(home, stockId, productId), { set: { held: 0 } })]),
  ],
];

test.each(DAMAGE)('%s is found', async (_, expected, damage) => {
  const shop = await newBooks();
  await damage(familyHome(shop.companyId), shop);
  expect(await violationsOf(shop.companyId)).toContain(expected);
});
