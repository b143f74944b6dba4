import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { Currency, type MinorUnits } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { History, mapSpans, type Span } from '#lib/values/value-history.ts';

/*
 * A card keeps two things of its prices that no answer shows: by what it was sold in the last 32 days, which
 * a sale reads with it and by which a late one is judged (Part 4, 4.4, 3), and the latest change. What
 * follows the table's stream makes the history of that (Part 4, 4.6): so writers pay for no item more.
 */

/** A product's price, and the least that it may be sold for, in their currency. */
export const Price = z.tuple([z.int(), Currency, z.int().nullable()]);

type Price = z.output<typeof Price>;

/** Fields of a card that make up its price. */
export interface PriceFields {
  readonly sale_price: MinorUnits;
  readonly sale_currency: Currency;
  readonly min_price: MinorUnits | null;
}

/** What changes a price. Part 4, 4.6. */
export const PriceCause = z.enum(['card', 'import', 'receipt', 'repricing', 'sync']);

/** An occasion on which somebody changes prices. */
export interface PriceChangeContext {
  readonly cause: z.output<typeof PriceCause>;
  /** The receipt or the repricing by which they change. */
  readonly documentId?: number;
  readonly by: { readonly id: number };
  readonly at: Instant;
}

/** A change of a price, beside what the price is by it; numbered for each product. */
export const PriceHistoryEntry = z.object({
  id: z.int(),
  cause: PriceCause,
  document_id: z.int().nullable(),
  creator_id: z.int(),
  created_at: z.int(),
  /** Null for the first price. */
  previous: Price.nullable(),
});

/** The latest change of a price, as its card keeps it. */
export const LatestChange = z.object({ price_change: PriceHistoryEntry });

/** Fields of a card by which it is sold. */
interface Sellable extends PriceFields {
  readonly min_price_percent: MinorUnits | null;
  readonly is_bundle_only: boolean;
  readonly is_marked?: boolean | undefined;
}

const Kept = z.tuple([
  z.tuple([z.int(), Currency, z.int().nullable(), z.int().nullable()]),
  z.boolean(),
  z.boolean(),
]);

const history = new History(
  Kept,
  (card: Sellable): z.output<typeof Kept> => [
    [card.sale_price, card.sale_currency, card.min_price, card.min_price_percent],
    card.is_bundle_only,
    card.is_marked ?? false,
  ],
);

/** Prices that receipts have replaced, without another change since: the last is that of the newest. */
const ReplacedPrices = z.object({
  replaced: z.array(z.object({ document_id: z.int().nullable(), price: Price })),
});

/** So many receipts can be canceled one after the other, and give the price before them back. */
const MAX_REPLACED = 20;

/** Reads the price off a card. */
export function priceOf({ sale_price, sale_currency, min_price }: PriceFields): Price {
  return [sale_price, sale_currency, min_price];
}

/** Notes on a card why its price changes, and by whom; nothing if it stays. Each change must be noted. */
export function recordPriceCause<T extends PriceFields>(
  before: PriceFields | undefined,
  after: T,
  occasion: PriceChangeContext,
): T {
  const previous = before ? priceOf(before) : null;
  if (isDeepStrictEqual(previous, priceOf(after))) return after;
  const { cause, documentId: document_id = null, by, at } = occasion;
  const made = { cause, document_id, creator_id: by.id, created_at: at };
  const isReplaced = cause === 'receipt' && previous !== null;
  const replaced = isReplaced ? [...pricesBeforeReceipts(before), { document_id, price: previous }] : [];
  return {
    ...after,
    price_change: { id: changesOf(before) + 1, ...made, previous },
    replaced: replaced.length > 0 ? replaced.slice(-MAX_REPLACED) : undefined,
  };
}

/**
 * Gives a card back the price, currency and minimum that it had before a receipt, which is canceled.
 * Undefined if it set none, or if a later change stands. Contract 9.110.
 */
export function withPriceBefore<T extends PriceFields & { readonly updated_at: Instant }>(
  card: T,
  occasion: PriceChangeContext & { readonly documentId: number },
): T | undefined {
  const replaced = pricesBeforeReceipts(card);
  const last = replaced.at(-1);
  if (last?.document_id !== occasion.documentId) return undefined;
  const [sale_price, sale_currency, min_price] = last.price;
  const after = { ...card, sale_price, sale_currency, min_price, updated_at: occasion.at };
  const left = replaced.slice(0, -1);
  return { ...recordPriceCause(card, after, occasion), replaced: left.length > 0 ? left : undefined };
}

function pricesBeforeReceipts(card: PriceFields | undefined) {
  return ReplacedPrices.safeParse(card).data?.replaced ?? [];
}

/**
 * Keeps by what a card was sold before a change. Throws if the price changes and nobody noted why: so no way
 * to change one can be forgotten.
 */
export function recordPreviousPrice(
  before: Sellable | undefined,
  after: Sellable & { readonly updated_at: Instant },
): object {
  const isChanged = !isDeepStrictEqual(before && priceOf(before), priceOf(after));
  if (isChanged && changesOf(after) !== changesOf(before) + 1) {
    throw new Error('A price changes, and nobody noted why');
  }
  return history.keep(before, after);
}

/** Lists what a card has been as to its price and how it is sold, the present one first. */
export function cardSpans<C extends Sellable & { readonly created_at: Instant }>(card: C): Span<C>[] {
  return mapSpans(history.spans(card, card.created_at), ([price, is_bundle_only, is_marked]) => {
    const [sale_price, sale_currency, min_price, min_price_percent] = price;
    return { ...card, sale_price, sale_currency, min_price, min_price_percent, is_bundle_only, is_marked };
  });
}

/** Counts how often a card's price has changed; its first price counts. */
function changesOf(card: PriceFields | undefined): number {
  return LatestChange.safeParse(card).data?.price_change.id ?? 0;
}
