import type * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { CollectionList, collections, list as listCollections } from '#lib/cash/collection/record.ts';
import * as owed from '#lib/clients/debt/record.ts';
import * as debtWrittenOff from '#lib/clients/debt/write-off-record.ts';
import * as kept from '#lib/clients/deposit/record.ts';
import type { ListQuery } from '#lib/records/query/list-query.ts';
import { STOCK_LEVEL_ROW } from '#lib/stock/stock-level.ts';
import * as stockProducts from '#lib/stock/stock-level-row.ts';
import type { Item } from '#lib/table/client.ts';
import { partition, recordKey } from '#lib/table/keys.ts';
import { stateKey } from '#lib/table/list-index/changes.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import type { Page } from '#lib/table/read/request.ts';
import { walk } from '#lib/table/read/walk.ts';
import * as debtPaid from '#lib/trade/debt-payment/read.ts';
import { debtPayments } from '#lib/trade/debt-payment/record.ts';
import * as receiving from '#lib/trade/goods-receipt/goods-receipt.ts';
import { GoodsReceiptList, goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import * as saleLists from '#lib/trade/sale/read.ts';
import { sales } from '#lib/trade/sale/record.ts';
import * as transfers from '#lib/trade/transfer/record.ts';
import { StockTransferList, stockTransfers } from '#lib/trade/transfer/record.ts';
import { WriteOffList, writeOffs } from '#lib/trade/write-off/record.ts';
import * as writtenOff from '#lib/trade/write-off/write-off.ts';
import type { Books } from './frame/books.ts';
import { faultUnless } from './frame/ledger.ts';
import { readerOf } from './frame/reader.ts';

/** A list of a family's records or documents. */
interface List {
  readonly type: string;
  readonly query: z.ZodType<ListQuery>;
  readonly page: (actor: Staff, query: ListQuery) => Promise<Page<{ readonly id: number }>>;
  /** Filters to check, each with every value in the rows. */
  readonly fields: readonly string[];
}

/** The list of sales. */
export const SALES = listOf(
  sales.type,
  saleLists.SaleList,
  saleLists.list,
  ...['cashbox_id', 'stock_id', 'client_id', 'status'],
);

const LISTS: readonly List[] = [
  SALES,
  listOf(goodsReceipts.type, GoodsReceiptList, receiving.list, 'stock_id', 'status'),
  listOf(writeOffs.type, WriteOffList, writtenOff.list, 'source_type', 'source_id', 'status'),
  listOf(stockTransfers.type, StockTransferList, transfers.list, 'from_stock_id', 'to_stock_id', 'status'),
  listOf(collections.type, CollectionList, listCollections, 'cashbox_id', 'status'),
  listOf(owed.debts.type, owed.DebtList, (actor, query) => owed.list(actor, query, 0), 'client_id', 'status'),
  listOf(
    debtPayments.type,
    debtPaid.DebtPaymentList,
    (actor, query) => debtPaid.list(actor, query, 0),
    ...['client_id', 'is_refunded'],
  ),
  listOf(
    debtWrittenOff.debtWriteOffs.type,
    debtWrittenOff.DebtWriteOffList,
    debtWrittenOff.list,
    ...['client_id', 'debt_id'],
  ),
  listOf(kept.deposits.type, kept.DepositList, kept.list, 'client_id', 'type'),
  listOf(STOCK_LEVEL_ROW, stockProducts.StockLevelList, stockProducts.list, 'stock_id'),
];

function listOf(type: string, query: List['query'], page: List['page'], ...fields: readonly string[]): List {
  return { type, query, page, fields };
}

/** Rows in a page: many more than callers get, so that large lists are walked in time. */
const PAGE_SIZE = 500;

/** Values checked per filter, at most. */
const MAX_VALUES = 20;

/**
 * Checks that every list matches the table, by walking all its pages, whole and by its filters: by filters
 * only if indexes answer them, as otherwise the rows themselves are filtered.
 */
export async function checkLists(books: Books, lists = LISTS): Promise<void> {
  for (const list of lists) {
    const rows: Item[] = [];
    for await (const items of walk(partition(list.type, books.tenant))) {
      rows.push(...items.map((item) => pick(item, ['id', ...list.fields])));
    }
    await checkList(books, list, rows, undefined);
    const fields = rows.length > 0 && (await isIndexed(list, books)) ? list.fields : [];
    for (const field of fields) {
      const values = new Set(rows.map((row) => row[field]).filter((value) => value !== null));
      for (const value of [...values].slice(0, MAX_VALUES)) {
        const matching = rows.filter((row) => row[field] === value);
        await checkList(books, list, matching, { [field]: value });
      }
    }
  }
}

async function isIndexed({ type }: List, { tenant }: Books): Promise<boolean> {
  return (await getItem(stateKey({ type, tenant }))) !== undefined;
}

async function checkList(books: Books, list: List, rows: readonly Item[], filter: Item | undefined) {
  const { ids, total } = await walkPages(readerOf(books.familyId), list, filter);
  const subject = `list of ${list.type}${filter ? ` by ${JSON.stringify(filter)}` : ''}`;
  books.count('lists');
  books.count('rows of lists', ids.length);
  const [listed, stored] = [new Set(ids), new Set(rows.map(({ id }) => Number(id)))];
  const missing = [...stored].filter((id) => !listed.has(id));
  const unlisted = await stillMatching(books, list, filter, missing);
  // Rows may have been added since the table was read.
  const unknown = ids.filter((id) => !stored.has(id));
  const there = new Set(await stillMatching(books, list, filter, unknown));
  const wrong = unknown.filter((id) => !there.has(id));
  const keys = [...unlisted, ...wrong].slice(0, 20).map((id) => recordKey(list.type, books.tenant, id));
  books.report({ book: 'lists', subject, keys }, [
    ...faultUnless(listed.size === ids.length, 'shows a row twice'),
    ...faultUnless(total === ids.length, `says ${total}, but shows ${ids.length} rows`),
    ...faultUnless(unlisted.length === 0, `does not show ${unlisted.join(', ')}`),
    ...faultUnless(wrong.length === 0, `shows ${wrong.join(', ')}, which don't belong in it`),
  ]);
}

async function walkPages(actor: Staff, { query, page }: List, filter: Item | undefined) {
  const ids: number[] = [];
  for (let number = 1; ; number++) {
    const parsed = query.parse({ sort: ['id'], page: number, ...(filter && { filter }) });
    const { rows, total } = await page(actor, { ...parsed, pageSize: PAGE_SIZE });
    ids.push(...rows.map(({ id }) => id));
    if (rows.length < PAGE_SIZE) return { ids, total };
  }
}

/** Selects the rows that belong in the list at this moment. */
async function stillMatching(books: Books, { type }: List, filter: Item = {}, ids: readonly number[]) {
  const items = await getItems(ids.map((id) => recordKey(type, books.tenant, id)));
  return ids.filter((_, index) => {
    const item = items[index];
    return item && Object.entries(filter).every(([name, value]) => item[name] === value);
  });
}

function pick(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(names.map((name) => [name, item[name]]));
}
