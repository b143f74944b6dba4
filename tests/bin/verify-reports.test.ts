import { expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { POSTING_CANCELLATION } from '#lib/cash/posting/cancellation.ts';
import { ALL_MONTHS, cashFlowRollups } from '#lib/reports/rollups/cash-flow.ts';
import { returnedGoodsRollups, soldGoodsRollups } from '#lib/reports/rollups/goods.ts';
import { returnsRollups } from '#lib/reports/rollups/returns.ts';
import { salesRollups } from '#lib/reports/rollups/sales.ts';
import { familyTenant, type Key, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { packCells, unpackCells } from '#lib/table/rollups/cell.ts';
import {
  groupPartition,
  type RollupKind,
  type RollupLocation,
  RollupState,
  rollupStateKey,
} from '#lib/table/rollups/kind.ts';
import { saleReturns } from '#lib/trade/return/record.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { dayOf, monthsAfter } from '#lib/values/time.ts';
import { faultsOf, plant } from '#tests/support/books.ts';
import { inCash, trySelling } from '#tests/support/foreign.ts';
import { cancelOf, newIdOf, newTill, operate } from '#tests/support/operations.ts';
import { make } from '#tests/support/records.ts';
import { updateReportRollups } from '#tests/support/reports.ts';
import { back, linesOfSale, sendReturn } from '#tests/support/returns.ts';
import { newGoods, newShop, type Shop, setRate } from '#tests/support/shop.ts';
import { newWarehouse } from '#tests/support/stock.ts';
import { holdGoods } from '#tests/support/trade.ts';
import { TRANSFERS } from '#tests/support/transfers.ts';

/** Creates a shop that sold for sums, and for dollars with change, and took something back. */
async function newBooks() {
  const shop = await newShop();
  await setRate(shop, 'usd', 12_500);
  const id = await newGoods(shop, [{ quantity: 100, cost: 1000 }]);
  await trySelling(shop, [id, 20], [inCash(100_000)]);
  const sold = await trySelling(shop, [id, 5], [inCash(3, 'usd')]);
  const [line] = await linesOfSale(shop, sold.number('id'));
  const returned = await sendReturn(shop, sold.number('id'), back({ [line?.id ?? 0]: 2 }, 10_000));
  expect([sold.status, returned.status]).toEqual([200, 200]);
  return { ...shop, saleId: sold.number('id'), tenant: familyTenant(shop.companyId) };
}

type Books = Awaited<ReturnType<typeof newBooks>>;

const saidOf = async (shop: Shop, report = 'sales report') => {
  const found = await faultsOf(shop);
  return found.filter((text) => text.startsWith(report)).map((text) => text.replace(/^.*? says/, 'says'));
};

const TODAY = dayOf(Date.now());

/** Changes the first sums of a rollup: of a desk's of this month unless another is given. */
async function falsify(
  books: Books,
  kind: RollupKind,
  by: bigint,
  { group, period }: RollupLocation = { group: String(books.cashboxId), period: TODAY.slice(0, 7) },
): Promise<void> {
  const state = RollupState.parse(await getItem(rollupStateKey(kind, books.tenant)));
  const key: Key = { pk: groupPartition(kind, books.tenant, state.generation, group), sk: period };
  const packed = (await getItem(key))?.['cells'];
  if (!(packed instanceof Uint8Array)) throw new Error('There is no such cube');
  const cells = unpackCells(packed, kind).map(({ of, sums: [count = 0n, sum = 0n, ...others] }) => ({
    of,
    sums: [count, sum + by, ...others],
  }));
  await plant(key, { cells: packCells(cells) });
}

test('reports agree with documents, before anything is folded and after (Part 4, 4.5 (8))', async () => {
  const books = await newBooks();
  expect(await faultsOf(books)).toEqual([]);
  await updateReportRollups(books);
  expect(await faultsOf(books)).toEqual([]);
});

test('a cube that says more or less than documents is found', async () => {
  const books = await newBooks();
  await updateReportRollups(books);
  await falsify(books, salesRollups, -1n);
  const sold = 'says 12499999 of sold sold, documents come to 12500000';
  expect(await saidOf(books)).toEqual([sold, sold]);
  await falsify(books, salesRollups, 1n);
  await falsify(books, returnsRollups, 1n);
  const returned = 'says 1000001 of returned returned, documents come to 1000000';
  expect(await saidOf(books)).toEqual([returned, returned]);
});

test('a document that was folded and is gone or is another now is found', async () => {
  const books = await newBooks();
  await updateReportRollups(books);
  const key = recordKey(sales.type, books.tenant, books.saleId);
  const sale = await getItem(key);
  await plant(key, { creator_id: 999_999_999 });
  expect(await saidOf(books)).toContain('says 2 of sold count, documents come to 1');
  await plant(key, { creator_id: sale?.['creator_id'], sold_amount: 1 });
  expect(await saidOf(books)).toContain('says 12500000 of sold sold, documents come to 10000001');
});

test('a return that is not what its header says is found before it is folded', async () => {
  const books = await newBooks();
  await plant(recordKey(saleReturns.type, books.tenant, 1), { cost: 1 });
  expect(await saidOf(books)).toEqual(['says 1 of returned cost, documents come to 200000']);
});

test('a cube of cash that says more than postings is found, by desk and by day', async () => {
  const books = await newBooks();
  await updateReportRollups(books);
  await falsify(books, cashFlowRollups, 1n);
  const dollars = 'says 1 of outcome, postings come to 0';
  expect((await saidOf(books, 'cash report')).filter((said) => said === dollars)).toEqual([dollars, dollars]);
});

test('a report of expenses that says more than postings is found, by item and by day', async () => {
  const till = await newTill(1000);
  await cancelOf(till, newIdOf(await operate(till, 'outcome', 50)));
  expect(await faultsOf(till)).toEqual([]);
  await plant(recordKey(POSTING_CANCELLATION, familyTenant(till.companyId), 1), { amount: 5001 });
  const said = 'says 5001 of income, postings come to 5000';
  expect((await saidOf(till, 'expenses report')).filter((each) => each === said)).toHaveLength(1);
});

test('a cube of what desks had before a month that says more than postings is found', async () => {
  const books = await newBooks();
  await updateReportRollups(books);
  await falsify(books, cashFlowRollups, 1n, { group: String(books.cashboxId), period: ALL_MONTHS });
  const month = monthsAfter(TODAY, 1).slice(0, 7);
  expect(await saidOf(books, 'cash report')).toContain(
    `says 299 of opening of ${month}, postings come to 300`,
  );
});

test('a cube of goods that says more or less than lines is found, by desks and by companies', async () => {
  const books = await newBooks();
  await updateReportRollups(books);
  const [company, desk] = [
    [books.companyId, books.stockId],
    [books.companyId, books.stockId, books.cashboxId],
  ].map((ids) => ({ group: ids.join('.'), period: TODAY }));
  await falsify(books, soldGoodsRollups, -1n, company);
  const sold = 'says 12499999 of sold amount, lines come to 12500000';
  expect(await saidOf(books, 'products report')).toEqual([sold]);
  await falsify(books, soldGoodsRollups, 1n, company);
  await falsify(books, returnedGoodsRollups, 1n, desk);
  const returned = 'says 1000001 of returned amount, lines come to 1000000';
  expect(await saidOf(books, 'products report')).toEqual([returned]);
});

test('the report of stock agrees with balances, and with what holds and transfers have of them', async () => {
  const shop = await newShop();
  const { director: token, stockId: from_stock_id } = shop;
  const [milk, , to_stock_id] = await Promise.all([
    newGoods(shop, [{ quantity: 10, cost: 99.99 }]),
    newGoods(shop, [{ quantity: 10, cost: 100 }]),
    newWarehouse(token, 'Second'),
  ]);
  await holdGoods(shop, { products: [{ product_id: milk, quantity: 3.333 }] });
  const products = [{ product_id: milk, quantity: 4.444 }];
  await make(TRANSFERS, token, { from_stock_id, to_stock_id, products });
  const { counts } = await readBooks(shop.companyId);
  // Two products, and the sending warehouse, which has them until they arrive.
  expect(counts.get('rows of the stock report')).toBe(3);
  expect(await faultsOf(shop)).toEqual([]);
});
