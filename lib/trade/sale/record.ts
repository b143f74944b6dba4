import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import { Desk } from '#lib/cash/desk/desk.ts';
import { ProductCard } from '#lib/catalog/card.ts';
import { BonusShare } from '#lib/clients/bonus-share.ts';
import { Client } from '#lib/clients/client.ts';
import { ClientBefore } from '#lib/clients/client-balances.ts';
import { familyFilters } from '#lib/people/family-record.ts';
import { exact, exactByConstraint, period } from '#lib/records/query/filters.ts';
import { BatchPart } from '#lib/stock/batch-part.ts';
import { Warehouse } from '#lib/stock/warehouse.ts';
import { documentFields } from '#lib/trade/document/fields.ts';
import type { LinedType } from '#lib/trade/document/lines.ts';
import { fieldsOfLines } from '#lib/trade/document/response-size.ts';
import { Id, SourceData } from '#lib/values/fields.ts';
import { Currency, Money, Sums } from '#lib/values/money.ts';
import { Quantity } from '#lib/values/quantity.ts';
import { Timestamp } from '#lib/values/time.ts';
import { withSalesOfKey } from './idempotency-key.ts';
import { FiscalReceipt, SaleKey, SalePayment } from './input.ts';

/** A payment of a cheque: one with money names its posting, one on debt its debt. */
const Payment = z.object({
  payment_type: SalePayment,
  amount: Money,
  /** The cheque's, but for cash in another one. */
  currency: Currency,
  /** What it counts for in the cheque's currency, change not taken off. Part 4, 4.6, 1. */
  counted_amount: Money,
  transfer_id: z.int().nullable(),
  debt_id: z.int().nullable(),
});

export type Payment = z.input<typeof Payment>;

const Exchanged = z.object({ exchange_key: z.string() }).or(z.array(z.never()));

/**
 * A note of the cheque's source, shown as far as it is an exchange: to see the agreement on credit that it
 * may hold is a right of its own. Part 2, "Sale"; Contract 3.
 */
const SaleSource = z.codec(SourceData, Exchanged, {
  decode: (kept) => Exchanged.safeParse(kept).data ?? [],
  encode: (shown) => shown,
});

/** A cheque. Part 2, "Sale". */
export const Sale = z.object({
  ...documentFields,
  cashbox_id: z.int(),
  stock_id: z.int(),
  client_id: z.int().nullable(),
  /** What the client had and owed just before it; null without a client. */
  client_before: ClientBefore.nullable(),
  hold_id: z.int().nullable(),
  exchange_of_sale_id: z.int().nullable(),
  currency: Currency,
  /**
   * The company's rates at the moment of the sale: it was priced by them, and is returned by them. Contract
   * 9.28.
   */
  rates: Sums,
  /** The cost of the goods, in the cheque's currency. */
  purchased_amount: Money,
  /** The discounts of its lines. */
  discount_amount: Money,
  sold_amount: Money,
  returned_amount: Money,
  /** The income from it, by cash, card and bank, and what other cheques passed on to it. */
  received_amount: Money,
  paid_out_amount: Money,
  /** What the client earned by it, and from when it may be spent. Contract 9.30. */
  bonus_earned: Money,
  bonus_available_on: z.string().nullable(),
  /** What returns have taken back from the client. */
  bonus_taken_back: Money,
  /** What its money earned, by itself or in cheques before it. Contract 9.79. */
  bonus_shares: z.array(BonusShare),
  /** Received money that went on to other cheques of a chain of exchanges. Contract 9.25. */
  passed_on_amount: Money,
  /** Value of returned goods, if an exchange paid for it with them. Contract 9.25. */
  exchanged_amount: Money,
  /** Cheques on debt that its goods were exchanged from, the nearest first: a return closes them too. */
  origins: z.array(z.object({ sale_id: z.int(), debt_id: z.int(), client_id: z.int() })),
  status: z.enum(['completed', 'partial_returned', 'full_returned']),
  source_type: z.enum(['native', 'credit']),
  source_data: SaleSource,
  code: z.string(),
  comment: z.string().nullable(),
  /** The till's own number of it. Part 4, 4.4. */
  key: z.string().nullable(),
  /** When it was sold: before it arrived, if a till had no network. */
  sold_at: Timestamp,
  /** Whose call brought what was sold; null of a sale on credit. Part 4, 4.4, 2. */
  sent_by: z.int().nullable().default(null),
  /** Who retried it last, if it was refused and waited. */
  retried_by: z.int().nullable().default(null),
  /** When it was sold, if it was made as of a later moment. Part 4, 4.4, 5. */
  happened_at: Timestamp.nullable().default(null),
  /** Whether it was made more than ten minutes after it was sold. */
  is_late: z.boolean(),
  transactions: z.array(Payment),
  /** Given back in cash, in the cheque's currency. Part 4, 4.6, 1. */
  change_amount: Money.default(0),
  /** The rates by which foreign cash of a late sale counts, there and back; else `rates`. */
  payment_rates: Sums.nullable().default(null),
  /** The fiscal receipt, once there is one. Part 4, 4.6, 4. */
  fiscal: FiscalReceipt.nullable().default(null),
  is_fiscalized: z.boolean().default(false),
  cashbox: Desk.nullish(),
  stock: Warehouse.nullish(),
  client: Client.nullish(),
});

export type Sale = z.input<typeof Sale>;

/** A line of a cheque: a product, or a product that was sold as a part of a bundle. */
export const SaleLine = z.object({
  id: z.int(),
  product_id: z.int(),
  bundle_id: z.int().nullable(),
  /** One value for all lines of a bundle that was sold. */
  bundle_key: z.string().nullable(),
  /** So many bundles it is a part of; null for a product by itself. */
  bundle_quantity: z.int().nullable(),
  sold_quantity: Quantity,
  returned_quantity: Quantity,
  price: Money,
  /** A bundle's is shared over its lines as its price is. */
  discount: Money,
  /** price × quantity − discount, rounded half up; a bundle's price is shared over its lines. */
  amount: Money,
  refunded_amount: Money.default(0),
  /** What its goods had cost, of the cheque's `purchased_amount`. Part 4, 4.5, 2. */
  cost: Money,
  /** What returns have taken back of it. */
  returned_cost: Money.default(0),
  /** Batches that the goods were taken from. */
  batches: z.array(BatchPart),
  /** Marks of its pieces, and those of them that came back. Part 4, 4.6, 4. */
  marks: z.array(z.string()).default([]),
  returned_marks: z.array(z.string()).default([]),
  /** The first count in which its product was counted once it was sold; null without one. Part 4, 4.4, 6. */
  counted_since: z.int().nullable().default(null),
  product: ProductCard.nullish(),
});

export type SaleLine = z.input<typeof SaleLine>;

/** A cheque with its lines, in the order in which they were added. */
export const SaleWithLines = Sale.extend({ products: z.array(SaleLine) });

/** A cheque in a list, with its first lines if they were asked for. Part 4, 4.1. */
export const ListedSale = Sale.extend(fieldsOfLines(SaleLine));

/** Document type of cheques. A caller reaches those of the desks open to them. */
export const sales: LinedType<typeof Sale, typeof SaleLine> = {
  type: 'sale',
  copied: 'trade.sale',
  schema: Sale,
  line: SaleLine,
  filters: {
    ...familyFilters,
    cashbox_id: exact('cashbox_id', Id),
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
  },
  days: ['sold_at'],
  narrow: withSalesOfKey,
  reach: (actor) => withinReachOf(actor, actor.cashDesks, 'cashbox_id'),
};

/** The agreement by which a sale on credit was made, as its `source_data` holds it. */
export const Agreement = z.object({
  external_id: z.string(),
  agreement_number: z.string(),
  agreement_date: z.string(),
  months: z.int(),
  client: z.object({ full_name: z.string(), phone: z.string(), pinfl: z.string().nullable() }),
  /** The name of the credit system's key. */
  system: z.string(),
});

/** Names the system that made a sale on credit, as its company's director. */
export function systemOf({ source_data }: Pick<Sale, 'source_data'>): string {
  return Agreement.parse(source_data).system;
}
