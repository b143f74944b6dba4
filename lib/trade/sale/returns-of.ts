import * as z from 'zod';
import { madeBy } from '#lib/auth/actor.ts';
import { parseStored } from '#lib/records/stored.ts';
import { BatchPart } from '#lib/stock/batch-part.ts';
import { putNew, type Write } from '#lib/table/change/write.ts';
import { type Key, padId, partition, type RecordRef, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { requireFreshId } from '#lib/table/sequences.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { Cost } from '#lib/values/cost.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Currency, Money, ReceivedPayment } from '#lib/values/money.ts';
import { Quantity } from '#lib/values/quantity.ts';
import { Timestamp } from '#lib/values/time.ts';
import { StoredVatTotal, vatFields } from '#lib/values/vat.ts';
import { FiscalReceipt } from './input.ts';

/** Reasons of a return. Part 2, "Sales". */
export const ReturnReason = enumeration('return.reason', [
  'defective',
  'size_not_fit',
  'expired_date',
  'not_match',
]);

/** Returned goods of a line, with the reason and the batches that received them. */
export const ReturnedLine = z.object({
  /** Line of the sale. */
  id: z.int(),
  product_id: z.int(),
  returned_quantity: Quantity,
  /** Null if the whole remainder was returned without listing lines. Contract 9.20. */
  reason_type: ReturnReason.nullable(),
  comment: z.string().nullable(),
  /** Their share of the line's amount. */
  amount: Money,
  /** Cost of the goods, in the currency of the sale. Contract 9.21. */
  cost: Cost,
  batches: z.array(BatchPart),
  /** Their tracking codes. */
  marks: z.array(z.string()).default([]),
  ...vatFields,
});

export type ReturnedLine = z.input<typeof ReturnedLine>;

/** Returned service. Part 5, 5A.1, 4. */
export const ReturnedService = ReturnedLine.omit({ product_id: true, batches: true, marks: true }).extend({
  service_id: z.int(),
});

export type ReturnedService = z.input<typeof ReturnedService>;

/** Return of goods of a sale, by itself or by an exchange. Contract 9.28. */
export const SaleReturn = z.object({
  id: z.int(),
  sale_id: z.int(),
  kind: enumeration('return.kind', ['return', 'exchange']),
  /** New sale of an exchange. */
  exchange_sale_id: z.int().nullable(),
  /** Desk of the payout, and warehouse that received the goods. */
  cashbox_id: z.int(),
  /** Shift open at its desk; null without shifts, and before they were kept. Part 5, 5B.7, 1. */
  shift_id: z.int().nullable().default(null),
  stock_id: z.int(),
  /** Total of its lines. */
  amount: Money,
  products: z.array(ReturnedLine),
  services: z.array(ReturnedService).default([]),
  /** VAT within `amount`, also by rate. Part 5, 5A.2, 4. */
  vat_amount: Money.default(0),
  vat: z.array(StoredVatTotal).default([]),
  /** Payouts. */
  transactions: z.array(
    z.object({
      payment_type: ReceivedPayment,
      /** Stored as sent, without meaning. Contract 9.23. */
      payment_type_id: z.int().nullable(),
      amount: Money,
      /** Currency of the sale, or the one in which cash was paid. */
      currency: Currency,
      /** Value in the currency of the sale. Part 4, 4.6, 1. */
      counted_amount: Money,
      /** Null for a payout to the client's deposit. */
      transfer_id: z.int().nullable(),
    }),
  ),
  /** Debt of the sale repaid with the value. */
  debt_amount: Money,
  /** Debt of the sale that was written off, closed with the value. Part 5, 5A.7, 4. */
  written_off_amount: Money.default(0),
  /** Debts of sales that it was exchanged from, also repaid with it. */
  origins: z.array(
    z.object({
      sale_id: z.int(),
      debt_amount: Money,
      written_off_amount: Money.default(0),
      /** Received money moved to that sale; negative if moved from it. */
      money_amount: Money,
      /** Bonuses moved with it. Contract 9.79. */
      bonus_amount: Money,
    }),
  ),
  /** Goods of the new sale paid with the value. Contract 9.25. */
  exchanged_amount: Money,
  /** Received money passed on to the new sale. */
  passed_on_amount: Money,
  /** Bonuses passed on with it. Contract 9.79. */
  passed_on_bonus_amount: Money,
  /** Bonuses taken back. Contract 9.30. */
  bonus_amount: Money,
  /** Fiscal receipt, once issued. */
  fiscal: FiscalReceipt.nullable().default(null),
  ...madeBy,
  created_at: Timestamp,
});

export type SaleReturn = z.input<typeof SaleReturn>;

/** Lists a return's lines, goods and services. */
export function allLinesOf({ products, services = [] }: Pick<SaleReturn, 'products' | 'services'>) {
  return [...products, ...services];
}

/** Counter of returns, and first part of their keys. */
export const SALE_RETURN = 'sale-return';

/** Lines in an item, so that a return of any length fits. */
const PACK = 100;

/** Counts the items of a return: one even if it is of services alone. */
export function packsOfReturn({ products_count }: { readonly products_count: number }): number {
  return Math.max(1, Math.ceil(products_count / PACK));
}

/** Reads the returns of a sale, the oldest first. One round trip. */
export async function readReturns(sale: RecordRef): Promise<SaleReturn[]> {
  const items = await wholePartition(`${partition(SALE_RETURN, sale.tenant)}#${sale.id}`);
  const packs = items.map((item) => parseStored(SaleReturn, item));
  return [...Map.groupBy(packs, ({ id }) => id).values()].map(joinPacks);
}

/**
 * Builds the writes of a return: in a partition of the sale, with a hundred lines to an item, services in the
 * first.
 */
export function returnWrites(tenant: Tenant, made: SaleReturn): Write[] {
  requireFreshId(SALE_RETURN, tenant, made.id);
  const pk = partition(SALE_RETURN, tenant);
  const { services: _, ...others } = made;
  const [first = [], ...further] = splitEvery(made.products, PACK);
  return [
    putNew(returnPackKey(pk, made, 0), { ...made, products: first }),
    ...further.map((products, index) => putNew(returnPackKey(pk, made, index + 1), { ...others, products })),
  ];
}

/**
 * Returns the key of a hundred lines of a return, which are stored with the return itself; `returns` is the
 * partition of the headers of returns.
 */
export function returnPackKey(
  returns: string,
  { id, sale_id }: Pick<SaleReturn, 'id' | 'sale_id'>,
  pack: number,
): Key {
  const sk = `${padId(id)}-${String(pack).padStart(6, '0')}`;
  return { pk: `${returns}#${sale_id}`, sk };
}

/** Reads returns of any sales, with the first `packs` hundreds of lines of each. One round trip in total. */
export async function readReturnsAt(
  tenant: Tenant,
  places: readonly (Pick<SaleReturn, 'id' | 'sale_id'> & { readonly packs: number })[],
): Promise<SaleReturn[]> {
  const pk = partition(SALE_RETURN, tenant);
  const keys = places.map((place) =>
    Array.from({ length: place.packs }, (_, pack) => returnPackKey(pk, place, pack)),
  );
  const items = await getItems(keys.flat());
  let from = 0;
  return keys.map(({ length }) => {
    const packs = items.slice(from, from + length).map((item) => parseStored(SaleReturn, item));
    from += length;
    return joinPacks(packs);
  });
}

function joinPacks([first, ...others]: readonly SaleReturn[]): SaleReturn {
  if (!first) throw new Error('A return has no lines');
  return { ...first, products: [first, ...others].flatMap(({ products }) => products) };
}
