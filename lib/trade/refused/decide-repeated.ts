import * as z from 'zod';
import { Id } from '#lib/values/fields.ts';
import { fromJson } from '#lib/values/from-json.ts';
import { amount, Currency, type MinorUnits, totalAmount } from '#lib/values/money.ts';
import { ONE, quantity } from '#lib/values/quantity.ts';
import type { Instant } from '#lib/values/time.ts';

/*
 * A key that waits may be sent with another body of the same sale: a mistake may have been corrected, but
 * no more goods and no more of the client's deposit are taken than the till took.
 */

export const KINDS_OF_GOODS = ['products', 'bundles', 'services'] as const;

type Kind = (typeof KINDS_OF_GOODS)[number];

/** Ids of goods, by kind. */
export type GoodsIds = Readonly<Record<Kind, readonly number[]>>;

/** First body of a waiting sale, with the ids of it that name nothing, or nothing any more. */
interface FirstBody {
  readonly sold_at: Instant;
  readonly body: unknown;
  readonly gone: GoodsIds;
}

/** Body sent again. */
interface SentBody {
  readonly sold_at: Instant | null;
  readonly body: unknown;
}

/** Computes a value for each kind of goods. */
export function byKind<T>(compute: (kind: Kind) => T): Record<Kind, T> {
  return { products: compute('products'), bundles: compute('bundles'), services: compute('services') };
}

/**
 * Lists the goods of a first body that a repeated one leaves out, if it has others: those may replace them if
 * they are gone.
 */
export function goodsReplaced(first: unknown, repeated: unknown): GoodsIds {
  const [firstGoods, repeatedGoods] = [goodsIn(first), goodsIn(repeated)];
  return byKind((kind) => {
    const [before, after] = [firstGoods[kind], repeatedGoods[kind]];
    const hasOthers = amountsWithout(after, before).length > 0;
    return hasOthers ? amountsWithout(before, after).map(([id]) => id) : [];
  });
}

/**
 * Returns whether a body sent again is of the same sale: of the same time, with no more goods and no more of
 * the client's deposit. Contract 9.98; Part 4, 4.4, 5; Part 5, 5.0, 5.
 */
export function isSameSale(first: FirstBody, repeated: SentBody): boolean {
  if (repeated.sold_at !== first.sold_at) return false;
  const isMoreTaken = Currency.options.some(
    (currency) => depositTaken(repeated.body, currency) > depositTaken(first.body, currency),
  );
  if (isMoreTaken) return false;
  const [firstGoods, repeatedGoods] = [goodsIn(first.body), goodsIn(repeated.body)];
  return KINDS_OF_GOODS.every((kind) => areWithin(firstGoods[kind], repeatedGoods[kind], first.gone[kind]));
}

/** Returns whether goods are no more than the first ones, apart from those that replace missing ones. */
function areWithin(first: Amounts, repeated: Amounts, gone: readonly number[]): boolean {
  const isMore = [...repeated].some(([id, amount]) => amount > (first.get(id) ?? amount));
  if (isMore) return false;
  const left = amountsWithout(first, repeated).filter(([id]) => gone.includes(id));
  return canReplace(amountsWithout(repeated, first), left);
}

type Amount = readonly [id: number, amount: bigint];

function amountsWithout(amounts: Amounts, others: Amounts): Amount[] {
  return [...amounts].filter(([id]) => !others.has(id));
}

/** Returns whether each new product can replace a different missing one of at least its quantity. */
function canReplace(others: readonly Amount[], missing: readonly Amount[]): boolean {
  const places = missing.toSorted(largestFirst);
  return others
    .toSorted(largestFirst)
    .every(([, amount], index) => amount <= (places[index]?.[1] ?? BigInt(0)));
}

function largestFirst([, a]: Amount, [, b]: Amount): number {
  return a > b ? -1 : 1;
}

const Line = z.object({ product_id: Id, sold_quantity: quantity(8) });
const BundleLine = z.object({ bundle_id: Id, quantity: z.int().min(1).default(1) });
const ServiceLine = z.object({ service_id: Id, quantity: quantity(8).default(ONE) });

/** Readable goods of a body. */
const Goods = z.object({
  products: readable(Line),
  bundles: readable(BundleLine),
  services: readable(ServiceLine),
});

/** Quantity of each product, bundle or service, by id. */
type Amounts = ReadonlyMap<number, bigint>;

/**
 * Sums a body's quantities by product, by bundle and by service, over all its lines; unreadable ones are
 * ignored. Contract 9.98.
 */
function goodsIn(sent: unknown): Readonly<Record<Kind, Amounts>> {
  const { products, bundles, services } = Goods.parse(fromJson(Goods, { parsed: sent, text: '{}' }));
  return {
    products: sumOf(products.map((line) => [line?.product_id, line?.sold_quantity])),
    bundles: sumOf(bundles.map((line) => [line?.bundle_id, line?.quantity])),
    services: sumOf(services.map((line) => [line?.service_id, line?.quantity])),
  };
}

const Payment = z.object({ payment_type: z.literal('deposit'), amount: amount(0) });

/** Readable payments of a body by deposit. */
const Deposited = z.object({ currency: Currency.catch('uzs'), transactions: readable(Payment) });

/** Sums a body's payments by deposit in a currency; unreadable ones are ignored. Part 5, 5.0, 5. */
function depositTaken(sent: unknown, currency: Currency): MinorUnits {
  const body = Deposited.parse(fromJson(Deposited, { parsed: sent, text: '{}' }));
  return body.currency === currency ? totalAmount(body.transactions.flatMap((paid) => paid ?? [])) : 0;
}

function readable<S extends z.ZodType>(line: S) {
  return z.array(line.nullable().catch(null)).catch([]);
}

type Part = readonly [id: number | undefined, amount: number | undefined];

function sumOf(parts: readonly Part[]): Amounts {
  const amounts = new Map<number, bigint>();
  for (const [id, amount] of parts) {
    if (id === undefined || amount === undefined) continue;
    amounts.set(id, (amounts.get(id) ?? BigInt(0)) + BigInt(amount));
  }
  return amounts;
}
