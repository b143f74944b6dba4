import type * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { CollectionList, collections, list as listCollections } from '#lib/cash/collection/record.ts';
import * as owed from '#lib/clients/debt/read.ts';
import { debts } from '#lib/clients/debt/record.ts';
import type { ListQuery } from '#lib/records/query/list-query.ts';
import { STOCK_PRODUCT } from '#lib/stock/balance.ts';
import * as stockProducts from '#lib/stock/stock-product.ts';
import type { Page } from '#lib/table/read/request.ts';
import * as debtPaid from '#lib/trade/debt-payment/read.ts';
import { debtPayments } from '#lib/trade/debt-payment/record.ts';
import * as receiving from '#lib/trade/receipt/receipt.ts';
import { ReceiptList, receipts } from '#lib/trade/receipt/record.ts';
import * as cheques from '#lib/trade/sale/read.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { StockTransferList, stockTransfers } from '#lib/trade/transfer/record.ts';
import * as transfers from '#lib/trade/transfer/transfer.ts';
import { WriteOffList, writeOffs } from '#lib/trade/write-off/record.ts';
import * as writtenOff from '#lib/trade/write-off/write-off.ts';

/** A list of a family's records or documents. */
export interface List {
  readonly type: string;
  readonly query: z.ZodType<ListQuery>;
  readonly page: (actor: Staff, query: ListQuery) => Promise<Page<{ readonly id: number }>>;
  /** The filters to be tried, each with every value that rows have. */
  readonly fields: readonly string[];
}

/** The list of cheques. */
export const SALES = listOf(
  sales.type,
  cheques.SaleList,
  cheques.list,
  ...['cashbox_id', 'stock_id', 'client_id', 'status'],
);

export const LISTS: readonly List[] = [
  SALES,
  listOf(receipts.type, ReceiptList, receiving.list, 'stock_id', 'status'),
  listOf(writeOffs.type, WriteOffList, writtenOff.list, 'source_type', 'source_id', 'status'),
  listOf(stockTransfers.type, StockTransferList, transfers.list, 'from_stock_id', 'to_stock_id', 'status'),
  listOf(collections.type, CollectionList, listCollections, 'cashbox_id', 'status'),
  listOf(debts.type, owed.DebtList, (actor, query) => owed.list(actor, query, 0), 'client_id', 'status'),
  listOf(
    debtPayments.type,
    debtPaid.DebtPaymentList,
    (actor, query) => debtPaid.list(actor, query, 0),
    ...['client_id', 'is_refunded'],
  ),
  listOf(STOCK_PRODUCT, stockProducts.StockProductList, stockProducts.list, 'stock_id'),
];

function listOf(type: string, query: List['query'], page: List['page'], ...fields: readonly string[]): List {
  return { type, query, page, fields };
}
