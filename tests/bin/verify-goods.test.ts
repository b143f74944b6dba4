import { expect, test } from 'vitest';
import { supplierOperations } from '#lib/stock/supplier/operation.ts';
import type { Item } from '#lib/table/client.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { stockTransfers } from '#lib/trade/transfer/record.ts';
import { writeOffs } from '#lib/trade/write-off/record.ts';
import { dropInTest, plantInTest, violationsOf } from '#tests/support/books.ts';
import { call } from '#tests/support/http.ts';
import { PURCHASES, receiveGoods } from '#tests/support/stock.ts';
import { end, moveAtOnce, newTwoDepots, send, TRANSFERS } from '#tests/support/transfers.ts';
import {
  patch,
  supplierOperationsOf,
  WRITE_OFFS,
  writeOffAtOnce,
  writeOffOf,
  writeOffOfGoodsReceipt,
} from '#tests/support/write-offs.ts';

/** Makes write-offs, transfers and receipts in all their states. */
async function newBooks() {
  const depot = await newTwoDepots(2);
  const { token, stockId: stock_id, goods } = depot;
  await writeOffAtOnce(token, writeOffOfGoodsReceipt(depot));
  const canceled = await writeOffAtOnce(token, writeOffOfGoodsReceipt(depot, {}, 2.5));
  expect((await patch(token, canceled, 'cancel')).status).toBe(200);
  const ofStock = await writeOffAtOnce(token, writeOffOf(depot));
  await moveAtOnce(depot, 2);
  await end(token, await send(depot, 1), 'cancel');
  const short = await send(depot, 2, { from_stock_id: depot.secondId, to_stock_id: stock_id });
  const shortLine = (await call(`GET ${TRANSFERS}/${short}`, { token })).number('products.0.id');
  const missing = { products: [{ id: shortLine, quantity: 1, missing: 'lost' }] };
  expect((await call(`PATCH ${TRANSFERS}/${short}/complete`, { token, json: missing })).status).toBe(200);
  const lost = (await call(`GET ${TRANSFERS}/${short}`, { token })).number('writeoff_id');
  const sent = await send(depot, 1);
  const products = [{ product_id: goods[0], quantity: 5, cost: 1 }];
  const receipt = await receiveGoods(token, { stock_id, supplier_id: depot.supplierId, products });
  expect((await call(`PATCH ${PURCHASES}/${receipt}/cancel`, { token })).status).toBe(200);
  const [, written, , reversal] = await supplierOperationsOf(token, depot.supplierId);
  const lineOf = async (path: string) => (await call(`GET ${path}`, { token })).number('products.0.id');
  return {
    ...{ ...depot, canceled, receipt, short, lost, operation: written?.id ?? 0, reversal: reversal?.id ?? 0 },
    ofStock: { id: ofStock, line: await lineOf(`${WRITE_OFFS}/${ofStock}`) },
    sent: { id: sent, line: await lineOf(`${TRANSFERS}/${sent}`) },
  };
}

const books = await newBooks();

test('books with write-offs and transfers, canceled ones too, add up', async () => {
  expect(await violationsOf(books.companyId)).toEqual([]);
});

test('a write-off of a batch that cost nothing adds up', async () => {
  const depot = await newTwoDepots(2, { cost: 0 });
  await writeOffAtOnce(depot.token, writeOffOfGoodsReceipt(depot));
  expect(await violationsOf(depot.companyId)).toEqual([]);
});

type Books = Awaited<ReturnType<typeof newBooks>>;

/** Corrupts a record of a family's books, as no operation does. */
const set = ({ companyId }: Books, type: string, id: number, change: Item) =>
  plantInTest(recordKey(type, familyTenant(companyId), id), change);

const drop = ({ companyId }: Books, type: string, id: number) =>
  dropInTest(recordKey(type, familyTenant(companyId), id));

const DAMAGE: readonly [string, (books: Books) => string, (books: Books) => Promise<void>][] = [
  [
    'a canceled write-off that calls itself completed',
    () => "write-offs: is not what its supplier's operation says",
    (books) => set(books, writeOffs.type, books.canceled, { status: 'completed' }),
  ],
  [
    'a completed write-off that calls itself canceled',
    ({ ofStock }) => `write-offs: line ${ofStock.line} moved nothing`,
    (books) => set(books, writeOffs.type, books.ofStock.id, { status: 'canceled' }),
  ],
  [
    'a write-off that comes to something else than its lines',
    () => 'write-offs: comes to 1 uzs, its lines to 1200',
    (books) => set(books, writeOffs.type, books.ofStock.id, { amounts: { uzs: 1, usd: 0, eur: 0, rub: 0 } }),
  ],
  [
    'a transfer in transit that calls itself completed',
    ({ sent }) => `transfers of goods: line ${sent.line} moved nothing`,
    (books) => set(books, stockTransfers.type, books.sent.id, { status: 'completed' }),
  ],
  [
    'a write-off of goods that its transfer did not lose',
    ({ short }) => `write-offs: is of goods that transfer ${short} did not lose`,
    (books) => set(books, stockTransfers.type, books.short, { writeoff_id: null }),
  ],
  [
    'a transfer without the write-off of what it lost',
    ({ lost }) => `transfers of goods: lost other goods than its write-off ${lost}`,
    (books) => drop(books, writeOffs.type, books.lost),
  ],
  [
    'a canceled receipt that calls itself completed',
    ({ goods }) => `documents: moved -500000000 of product ${goods[0]}, and has no such line`,
    (books) => set(books, goodsReceipts.type, books.receipt, { status: 'completed' }),
  ],
  [
    'an operation that is gone',
    () => 'write-offs: has no operation of its supplier',
    (books) => drop(books, supplierOperations.type, books.operation),
  ],
  [
    'a reversal that is gone',
    () => 'suppliers: and its reversal are not of each other',
    (books) => drop(books, supplierOperations.type, books.reversal),
  ],
];

test.each(DAMAGE)('%s is found', async (_, said, damage) => {
  await damage(books);
  expect(await violationsOf(books.companyId)).toContainEqual(expect.stringContaining(said(books)));
});
