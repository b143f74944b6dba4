import { expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { supplierOperations } from '#lib/stock/supplier/operation.ts';
import { remove, update } from '#lib/table/change/write.ts';
import { familyHome, type Home, recordKey } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { receipts } from '#lib/trade/receipt/record.ts';
import { stockTransfers } from '#lib/trade/transfer/record.ts';
import { writeOffs } from '#lib/trade/write-off/record.ts';
import { call } from '#tests/kit/http.ts';
import { PURCHASES, receiveGoods } from '#tests/kit/stock.ts';
import { end, moveAtOnce, newTwoDepots, send } from '#tests/kit/transfers.ts';
import { patch, writeOffAtOnce, writeOffOf, writeOffOfReceipt } from '#tests/kit/write-offs.ts';

/** Makes write-offs, transfers and receipts in all their states. */
async function newBooks() {
  const depot = await newTwoDepots(2);
  const { token, stockId: stock_id, goods } = depot;
  await writeOffAtOnce(token, writeOffOfReceipt(depot));
  const canceled = await writeOffAtOnce(token, writeOffOfReceipt(depot, {}, 2.5));
  expect((await patch(token, canceled, 'cancel')).status).toBe(200);
  await writeOffAtOnce(token, writeOffOf(depot));
  await moveAtOnce(depot, 2);
  await end(token, await send(depot, 1), 'cancel');
  await send(depot, 1);
  const products = [{ product_id: goods[0], quantity: 5, cost: 1 }];
  const receipt = await receiveGoods(token, { stock_id, supplier_id: depot.supplierId, products });
  expect((await call(`PATCH ${PURCHASES}/${receipt}/cancel`, { token })).status).toBe(200);
  return depot;
}

const violationsOf = async (companyId: number) =>
  (await readBooks(companyId)).violations.map(({ book, what }) => `${book}: ${what}`);

test('books with write-offs and transfers, canceled ones too, add up', async () => {
  const { companyId } = await newBooks();
  expect(await violationsOf(companyId)).toEqual([]);
});

test('a write-off of a batch that cost nothing adds up', async () => {
  const depot = await newTwoDepots(2, { cost: 0 });
  await writeOffAtOnce(depot.token, writeOffOfReceipt(depot));
  expect(await violationsOf(depot.companyId)).toEqual([]);
});

const DAMAGE: readonly [string, string, (home: Home) => Promise<void>][] = [
  [
    'a canceled write-off that calls itself completed',
    "write-offs: is not what its supplier's operation says",
    (home) => transact([update(recordKey(writeOffs.type, home, 2), { set: { status: 'completed' } })]),
  ],
  [
    'a completed write-off that calls itself canceled',
    'write-offs: line 5 moved nothing',
    (home) => transact([update(recordKey(writeOffs.type, home, 3), { set: { status: 'canceled' } })]),
  ],
  [
    'a write-off that comes to something else than its lines',
    'write-offs: comes to 1 uzs, its lines to 1200',
    (home) =>
      transact([
        update(recordKey(writeOffs.type, home, 3), { set: { amounts: { uzs: 1, usd: 0, eur: 0, rub: 0 } } }),
      ]),
  ],
  [
    'a transfer in transit that calls itself completed',
    'transfers of goods: line 5 moved nothing',
    (home) => transact([update(recordKey(stockTransfers.type, home, 3), { set: { status: 'completed' } })]),
  ],
  [
    'a canceled receipt that calls itself completed',
    'documents: moved -500000000 of product 1, and has no such line',
    (home) => transact([update(recordKey(receipts.type, home, 2), { set: { status: 'completed' } })]),
  ],
  [
    'an operation that is gone',
    'write-offs: has no operation of its supplier',
    (home) => transact([remove(recordKey(supplierOperations.type, home, 2))]),
  ],
  [
    'a reversal that is gone',
    'suppliers: and its reversal are not of each other',
    (home) => transact([remove(recordKey(supplierOperations.type, home, 4))]),
  ],
];

test.each(DAMAGE)('%s is found', async (_, said, damage) => {
  const { companyId } = await newBooks();
  await damage(familyHome(companyId));
  expect(await violationsOf(companyId)).toContainEqual(expect.stringContaining(said));
});
