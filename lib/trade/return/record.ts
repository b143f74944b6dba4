import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import { madeBy } from '#lib/auth/actor.ts';
import { familyFilters } from '#lib/people/family-record.ts';
import type { DocumentType } from '#lib/records/documents.ts';
import { exact } from '#lib/records/query/filters.ts';
import { amountPaidBy } from '#lib/trade/sale/payment-totals.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { ReturnReason, SALE_RETURN, SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { Id } from '#lib/values/fields.ts';
import { Currency, Money, PaymentType } from '#lib/values/money.ts';
import { Timestamp } from '#lib/values/time.ts';

/**
 * A return in the list of all returns: what lists, copies and reports ask of it. It is under 1 KB whatever
 * was returned, so that it costs two units; comment, payouts and lines are with the cheque's history.
 */
export const ReturnHeader = z.object({
  id: z.int(),
  sale_id: z.int(),
  kind: SaleReturn.shape.kind,
  exchange_sale_id: z.int().nullable(),
  company_id: z.int(),
  /** Desk that paid out, and warehouse that got the goods. */
  cashbox_id: z.int(),
  stock_id: z.int(),
  /** Warehouse in whose figures it counts: that of an exchange's new cheque. Part 4, 4.5, 3. */
  report_stock_id: z.int(),
  client_id: z.int().nullable(),
  /** The cheque's currency, in which all its money is. */
  currency: Currency,
  amount: Money,
  /** What the batches that it took back had cost. Contract 9.21. */
  cost: Money,
  /** Money paid out, by its way; foreign cash as it counts. */
  paid_out: z.partialRecord(PaymentType, Money),
  /** The reason of all its lines; null if they have several, or one has none. */
  reason: ReturnReason.nullable(),
  /** Whether all its lines have one and the same comment. */
  has_one_comment: z.boolean(),
  products_count: z.int(),
  ...madeBy,
  created_at: Timestamp,
});

export type ReturnHeader = z.input<typeof ReturnHeader>;

/** A return as its list shows it. Part 4, 4.1. */
export const ReturnRow = ReturnHeader.pick({
  id: true,
  sale_id: true,
  company_id: true,
  cashbox_id: true,
  stock_id: true,
  client_id: true,
  currency: true,
  amount: true,
  cost: true,
  reason: true,
}).extend({
  comment: z.string().nullable(),
  creator_id: ReturnHeader.shape.creator_id,
  created_at: Timestamp,
  transactions: SaleReturn.shape.transactions,
  fiscal: SaleReturn.shape.fiscal,
  /** Null if the answer would become too large with them. */
  products: SaleReturn.shape.products.nullable(),
  lines_left_out: z.literal(true).optional(),
});

/** Document type of returns: a caller reaches those that a desk open to them has made. */
export const saleReturns: DocumentType<typeof ReturnHeader> = {
  type: SALE_RETURN,
  copied: 'trade.sale.return',
  schema: ReturnHeader,
  filters: {
    ...familyFilters,
    sale_id: exact('sale_id', Id),
    cashbox_id: exact('cashbox_id', Id),
    stock_id: exact('stock_id', Id),
    client_id: exact('client_id', Id),
  },
  reach: (actor) => withinReachOf(actor, actor.cashDesks, 'cashbox_id'),
};

/** Makes the header of a return of a cheque. */
export function headerOf(sale: Sale, made: SaleReturn, report_stock_id: number): ReturnHeader {
  const { id, sale_id, kind, exchange_sale_id, cashbox_id, stock_id, amount, products, transactions } = made;
  const { creator_id, impersonator_id, created_at } = made;
  return {
    ...{ id, sale_id, kind, exchange_sale_id, company_id: sale.company_id, cashbox_id, stock_id },
    ...{ report_stock_id, client_id: sale.client_id, currency: sale.currency, amount },
    cost: products.reduce((sum, line) => sum + line.cost, 0),
    paid_out: payoutsByWay(transactions),
    reason: sameOf(products.map(({ reason_type }) => reason_type)),
    has_one_comment: sameOf(products.map(({ comment }) => comment)) !== null,
    products_count: products.length,
    ...{ creator_id, impersonator_id, created_at },
  };
}

/** Adds up payouts by their way, in the cheque's currency. */
export function payoutsByWay(transactions: SaleReturn['transactions']): ReturnHeader['paid_out'] {
  const ways = new Set(transactions.map(({ payment_type }) => payment_type));
  return Object.fromEntries([...ways].map((way) => [way, amountPaidBy([way], { transactions })]));
}

/** Gives what all values are; null if they differ. */
export function sameOf<T>([first, ...others]: readonly (T | null)[]): T | null {
  return first !== undefined && others.every((other) => other === first) ? first : null;
}
