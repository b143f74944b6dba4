import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import { madeBy } from '#lib/auth/actor.ts';
import { familyFilters } from '#lib/people/family-record.ts';
import type { DocumentType } from '#lib/records/documents.ts';
import { exact } from '#lib/records/query/filters.ts';
import { amountRange, anyLine } from '#lib/records/query/looking-filters.ts';
import { parseStored } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { amountPaidBy } from '#lib/trade/sale/payments.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import {
  packsOfReturn,
  ReturnReason,
  readReturnsAt,
  SALE_RETURN,
  SaleReturn,
} from '#lib/trade/sale/returns-of.ts';
import { mapConcurrent, splitEvery } from '#lib/values/concurrency.ts';
import { Cost } from '#lib/values/cost.ts';
import { Id } from '#lib/values/fields.ts';
import { Currency, Money, ReceivedPayment } from '#lib/values/money.ts';
import { Timestamp } from '#lib/values/time.ts';

/**
 * Header of a return in the list of all returns, as needed by lists, replicas and reports. It is under 1 KB
 * for any return, so that it costs two units; comment, payouts and lines are in the sale's history.
 */
export const ReturnHeader = z.object({
  id: z.int(),
  sale_id: z.int(),
  kind: SaleReturn.shape.kind,
  exchange_sale_id: z.int().nullable(),
  company_id: z.int(),
  /** Paying desk, and receiving warehouse. */
  cashbox_id: z.int(),
  shift_id: SaleReturn.shape.shift_id,
  stock_id: z.int(),
  /** Warehouse whose figures include it: that of an exchange's new sale. Part 4, 4.5, 3. */
  report_stock_id: z.int(),
  client_id: z.int().nullable(),
  /** Currency of the sale and of all its money. */
  currency: Currency,
  amount: Money,
  /** Cost of the batches taken back. Contract 9.21. */
  cost: Cost,
  /** Again from the return, for totals of lists; stored if above zero. Part 5, 5B.7, 3. */
  vat_amount: SaleReturn.shape.vat_amount,
  written_off_amount: SaleReturn.shape.written_off_amount,
  /** Payouts by payment type; foreign cash at its counted value. */
  paid_out: z.partialRecord(ReceivedPayment, Money),
  /** Reason common to all lines; null if they differ, or one has none. */
  reason: ReturnReason.nullable(),
  /** Whether all its lines have the same comment. */
  has_one_comment: z.boolean(),
  products_count: z.int(),
  services_count: z.int().default(0),
  ...madeBy,
  created_at: Timestamp,
});

export type ReturnHeader = z.input<typeof ReturnHeader>;

/** Published list row of a return. Part 4, 4.1. */
export const ReturnRow = ReturnHeader.pick({
  id: true,
  sale_id: true,
  company_id: true,
  cashbox_id: true,
  shift_id: true,
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
  written_off_amount: SaleReturn.shape.written_off_amount,
  fiscal: SaleReturn.shape.fiscal,
  /** Null if the response would exceed its limit. */
  products: SaleReturn.shape.products.nullable(),
  services: SaleReturn.shape.services,
  vat_amount: SaleReturn.shape.vat_amount,
  vat: SaleReturn.shape.vat,
  lines_left_out: z.literal(true).optional(),
});

/** Document type of returns. Reach: those made by desks open to the caller. */
export const saleReturns: DocumentType<typeof ReturnHeader> = {
  type: SALE_RETURN,
  copied: 'trade.sale.return',
  schema: ReturnHeader,
  filters: {
    ...familyFilters,
    sale_id: exact('sale_id', Id),
    cashbox_id: exact('cashbox_id', Id),
    shift_id: exact('shift_id', Id),
    stock_id: exact('stock_id', Id),
    client_id: exact('client_id', Id),
    reason: exact('reason', ReturnReason),
    product_id: anyLine(Id, returnsWith),
    amount: amountRange('amount'),
  },
  reach: (actor) => withinReachOf(actor, actor.cashDesks, 'cashbox_id'),
};

const Place = ReturnHeader.pick({ id: true, sale_id: true, products_count: true });

/** Returns whose lines are in memory at once. */
const STEP = 100;
const AHEAD = 4;

/** Returns the returns with a line of a product. A read unit or two for each hundred lines of each. */
async function returnsWith(productId: number, tenant: Tenant, rows: readonly Item[]): Promise<Item[]> {
  const found = await mapConcurrent(splitEvery(rows, STEP), AHEAD, async (step) => {
    const places = step.map((row) => parseStored(Place, row));
    const returns = await readReturnsAt(
      tenant,
      places.map((place) => ({ ...place, packs: packsOfReturn(place) })),
    );
    return step.filter((_, index) =>
      returns[index]?.products.some(({ product_id }) => product_id === productId),
    );
  });
  return found.flat();
}

/** Builds the header of a return. */
export function headerOf(sale: Sale, made: SaleReturn, report_stock_id: number): ReturnHeader {
  const { id, sale_id, kind, exchange_sale_id, cashbox_id, stock_id, amount, products, transactions } = made;
  const { creator_id, impersonator_id, created_at, services = [], shift_id } = made;
  const { vat_amount = 0, written_off_amount = 0 } = made;
  const lines = [...products, ...services];
  return {
    ...{ id, sale_id, kind, exchange_sale_id, company_id: sale.company_id, cashbox_id, stock_id },
    ...{ report_stock_id, client_id: sale.client_id, currency: sale.currency, amount },
    cost: lines.reduce((sum, line) => sum + line.cost, 0),
    paid_out: payoutsByWay(transactions),
    reason: sameOf(lines.map(({ reason_type }) => reason_type)),
    has_one_comment: sameOf(lines.map(({ comment }) => comment)) !== null,
    products_count: products.length,
    ...(vat_amount > 0 && { vat_amount }),
    ...(written_off_amount > 0 && { written_off_amount }),
    ...(shift_id && { shift_id }),
    ...(services.length > 0 && { services_count: services.length }),
    ...{ creator_id, impersonator_id, created_at },
  };
}

/** Sums payouts by payment type, in the sale's currency. */
export function payoutsByWay(transactions: SaleReturn['transactions']): ReturnHeader['paid_out'] {
  const ways = new Set(transactions.map(({ payment_type }) => payment_type));
  return Object.fromEntries([...ways].map((way) => [way, amountPaidBy([way], { transactions })]));
}

/** Returns the common value; null if the values differ. */
export function sameOf<T>([first, ...others]: readonly (T | null)[]): T | null {
  return first !== undefined && others.every((other) => other === first) ? first : null;
}
