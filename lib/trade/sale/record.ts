import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import { Desk } from '#lib/cash/desk/desk.ts';
import { ProductCard } from '#lib/catalog/card.ts';
import { BonusShare } from '#lib/clients/bonus-share.ts';
import { Client } from '#lib/clients/client.ts';
import { ClientBefore } from '#lib/clients/client-balances.ts';
import { familyFilters } from '#lib/people/family-record.ts';
import { exact, exactByConstraint, period } from '#lib/records/query/filters.ts';
import { amountRange, anyService } from '#lib/records/query/looking-filters.ts';
import { BatchPart } from '#lib/stock/batch-part.ts';
import { Warehouse } from '#lib/stock/warehouse.ts';
import { documentFields } from '#lib/trade/document/fields.ts';
import type { LinedType } from '#lib/trade/document/lines.ts';
import { fieldsOfLines } from '#lib/trade/document/response-size.ts';
import { Cost } from '#lib/values/cost.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id, SourceData } from '#lib/values/fields.ts';
import { Currency, Money, Sums } from '#lib/values/money.ts';
import { Quantity } from '#lib/values/quantity.ts';
import { Timestamp } from '#lib/values/time.ts';
import { StoredVatTotal, vatFields } from '#lib/values/vat.ts';
import { byCode, byPayment, byProduct } from './filters.ts';
import { withSalesOfKey } from './idempotency-key.ts';
import { FiscalReceipt, SaleKey, SalePayment } from './input.ts';

/** Payment of a sale: money refers to its posting, debt to its debt. */
const Payment = z.object({
  payment_type: SalePayment,
  amount: Money,
  /** Currency of the sale, or another one for cash. */
  currency: Currency,
  /** Value in the currency of the sale, before change. Part 4, 4.6, 1. */
  counted_amount: Money,
  transfer_id: z.int().nullable(),
  debt_id: z.int().nullable(),
  /** Cash as handed over, and the change from it; both move nothing. Part 5, 5B.6. */
  tendered_amount: Money.nullable().default(null),
  cash_change: Money.nullable().default(null),
});

export type Payment = z.input<typeof Payment>;

const Exchanged = z.object({ exchange_key: z.string() }).or(z.array(z.never()));

/**
 * Source data of a sale; shown only for an exchange: a credit agreement, which it may hold, needs a right of
 * its own. Part 2, "Sale"; Contract 3.
 */
const SaleSource = z.codec(SourceData, Exchanged, {
  decode: (kept) => Exchanged.safeParse(kept).data ?? [],
  encode: (shown) => shown,
});

/** Sold service. Part 5, 5A.1, 2. */
export const ServiceLine = z.object({
  /** Unique among the lines of all sales. */
  id: z.int(),
  service_id: z.int(),
  quantity: Quantity,
  returned_quantity: Quantity,
  price: Money,
  discount: Money,
  /** price × quantity − discount, rounded half up. */
  amount: Money,
  refunded_amount: Money.default(0),
  cost: Cost,
  returned_cost: Cost.default(0),
  ...vatFields,
});

export type ServiceLine = z.input<typeof ServiceLine>;

/** Sale. Part 2, "Sale". */
export const Sale = z.object({
  ...documentFields,
  cashbox_id: z.int(),
  /** Shift open at its desk; null without shifts, and before they were kept. Part 5, 5B.7, 1. */
  shift_id: z.int().nullable().default(null),
  stock_id: z.int(),
  client_id: z.int().nullable(),
  /** Type of the prices of its products; null for their sale prices. Part 5, 5A.14, 2. */
  price_type_id: z.int().nullable().default(null),
  /** Balances of the client just before it; null without a client. */
  client_before: ClientBefore.nullable(),
  hold_id: z.int().nullable(),
  exchange_of_sale_id: z.int().nullable(),
  currency: Currency,
  /** Rates of the company at the time of the sale, for its prices and its returns. Contract 9.28. */
  rates: Sums,
  /** Cost of the goods, in the currency of the sale. */
  purchased_amount: Cost,
  /** Total discount of its lines. */
  discount_amount: Money,
  /** Discount of the whole sale, a part of it. Part 5, 5A.14, 1. */
  cheque_discount: z.object({ percent: Money.nullable(), amount: Money }).nullable().default(null),
  sold_amount: Money,
  /** VAT within `sold_amount`, also by rate. Part 5, 5A.2, 4. */
  vat_amount: Money.default(0),
  vat: z.array(StoredVatTotal).default([]),
  /** Services, stored in the sale itself: at most fifty. Part 5, 5A.1, 2. */
  services: z.array(ServiceLine).default([]),
  returned_amount: Money,
  /** Income by cash, card and bank, and money passed on from exchanged sales. */
  received_amount: Money,
  paid_out_amount: Money,
  /** Bonuses that the client earned, and the day from which they can be spent. Contract 9.30. */
  bonus_earned: Money,
  bonus_available_on: z.string().nullable(),
  /** Bonuses taken back by returns. */
  bonus_taken_back: Money,
  /** Bonuses earned by its money, in this sale or in sales before it. Contract 9.79. */
  bonus_shares: z.array(BonusShare),
  /** Received money passed on to other sales of a chain of exchanges. Contract 9.25. */
  passed_on_amount: Money,
  /** Value of returned goods that paid for it in an exchange. Contract 9.25. */
  exchanged_amount: Money,
  /** Sales on debt that its goods were exchanged from, the nearest first: a return repays them too. */
  origins: z.array(z.object({ sale_id: z.int(), debt_id: z.int(), client_id: z.int() })),
  status: enumeration('sale.status', ['completed', 'partial_returned', 'full_returned']),
  source_type: enumeration('sale.source_type', ['native', 'credit']),
  source_data: SaleSource,
  code: z.string(),
  comment: z.string().nullable(),
  /** Key assigned by the till. Part 4, 4.4. */
  key: z.string().nullable(),
  /** Time of the sale; before its arrival if it was made offline. */
  sold_at: Timestamp,
  /** User whose call sent it; null for a sale on credit. Part 4, 4.4, 2. */
  sent_by: z.int().nullable().default(null),
  /** User who last retried it as a refused sale. */
  retried_by: z.int().nullable().default(null),
  /** Its own time, if it was made as of a later moment. Part 4, 4.4, 5. */
  happened_at: Timestamp.nullable().default(null),
  /** True if it arrived more than ten minutes after it was sold. */
  is_late: z.boolean(),
  transactions: z.array(Payment),
  /** Change in cash, in the currency of the sale. Part 4, 4.6, 1. */
  change_amount: Money.default(0),
  /** Rates of the foreign cash of an offline sale, also for its return; else `rates`. */
  payment_rates: Sums.nullable().default(null),
  /** Fiscal receipt, once issued. Part 4, 4.6, 4. */
  fiscal: FiscalReceipt.nullable().default(null),
  is_fiscalized: z.boolean().default(false),
  cashbox: Desk.nullish(),
  stock: Warehouse.nullish(),
  client: Client.nullish(),
});

export type Sale = z.input<typeof Sale>;

/** Sale as stored. */
const StoredSale = Sale.extend({
  /** Payments as it was made, once they were corrected: its reports count these. Part 5, 5A.8, 3. */
  first_transactions: z.array(Payment).optional(),
});

export type StoredSale = z.input<typeof StoredSale>;

/** Returns the payments of a sale as it was made. */
export function firstPaymentsOf({
  first_transactions,
  transactions,
}: StoredSale): StoredSale['transactions'] {
  return first_transactions ?? transactions;
}

/** Line of a sale: a single product, or a product of a bundle. */
export const SaleLine = z.object({
  id: z.int(),
  product_id: z.int(),
  bundle_id: z.int().nullable(),
  /** Common to all lines of a sold bundle. */
  bundle_key: z.string().nullable(),
  /** Number of bundles; null for a single product. */
  bundle_quantity: z.int().nullable(),
  sold_quantity: Quantity,
  returned_quantity: Quantity,
  price: Money,
  /** A bundle's is allocated to its lines like its price. */
  discount: Money,
  /** price × quantity − discount, rounded half up; a bundle's price is allocated to its lines. */
  amount: Money,
  refunded_amount: Money.default(0),
  /** Cost of its goods, a part of the sale's `purchased_amount`. Part 4, 4.5, 2. */
  cost: Cost,
  /** Part of it that returns have taken back. */
  returned_cost: Cost.default(0),
  ...vatFields,
  /** Batches that its goods were taken from. */
  batches: z.array(BatchPart),
  /** Tracking codes of its pieces, and the returned ones. Part 4, 4.6, 4. */
  marks: z.array(z.string()).default([]),
  returned_marks: z.array(z.string()).default([]),
  /** First stocktake that counted its product after it was sold; null without one. Part 4, 4.4, 6. */
  counted_since: z.int().nullable().default(null),
  product: ProductCard.nullish(),
});

export type SaleLine = z.input<typeof SaleLine>;

/** Sale with its lines, in the order in which they were added. */
export const SaleWithLines = Sale.extend({ products: z.array(SaleLine) });

/** Sale in a list, with its first lines if requested. Part 4, 4.1. */
export const ListedSale = Sale.extend(fieldsOfLines(SaleLine));

/** Document type of sales. Callers reach those of the desks open to them. */
export const sales: LinedType<typeof StoredSale, typeof SaleLine> = {
  type: 'sale',
  copied: 'trade.sale',
  schema: StoredSale,
  line: SaleLine,
  filters: {
    ...familyFilters,
    cashbox_id: exact('cashbox_id', Id),
    shift_id: exact('shift_id', Id),
    stock_id: exact('stock_id', Id),
    client_id: exact('client_id', Id),
    currency: exact('currency', Currency),
    source_type: exact('source_type', Sale.shape.source_type),
    exchange_of_sale_id: exact('exchange_of_sale_id', Id),
    status: exact('status', Sale.shape.status),
    sold_at: period('sold_at'),
    is_late: exact('is_late', z.boolean()),
    is_fiscalized: exact('is_fiscalized', z.boolean()),
    key: exactByConstraint('key', SaleKey),
    code: byCode,
    product_id: byProduct,
    service_id: anyService(Id),
    payment_type: byPayment,
    sold_amount: amountRange('sold_amount'),
  },
  days: ['sold_at'],
  narrow: withSalesOfKey,
  reach: (actor) => withinReachOf(actor, actor.cashDesks, 'cashbox_id'),
};

/** Agreement of a sale on credit, as stored in its `source_data`. */
export const Agreement = z.object({
  external_id: z.string(),
  agreement_number: z.string(),
  agreement_date: z.string(),
  months: z.int(),
  client: z.object({ full_name: z.string(), phone: z.string(), pinfl: z.string().nullable() }),
  /** Name of the credit system's key. */
  system: z.string(),
});

/** Returns the name of the system that made a sale on credit, as shown to its company's director. */
export function systemOf({ source_data }: Pick<Sale, 'source_data'>): string {
  return Agreement.parse(source_data).system;
}
