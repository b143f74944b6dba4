import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { enumeration } from '#lib/values/enumeration.ts';
import { Currency, type MinorUnits } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { History, mapSpans, type Span } from '#lib/values/value-history.ts';

/*
 * A card stores two histories of its prices, both absent from responses: its terms of sale in the last 32
 * days, which a sale reads along with the card and an offline sale is validated against (Part 4, 4.4, 3), and
 * the latest change, from which the stream consumer builds the price history (Part 4, 4.6), so that writers
 * pay for no extra item.
 */

/** A product's price and minimum price, in their currency. */
export const Price = z.tuple([z.int(), Currency, z.int().nullable()]);

type Price = z.output<typeof Price>;

/** Fields of a card that make up its price. */
export interface PriceFields {
  readonly sale_price: MinorUnits;
  readonly sale_currency: Currency;
  readonly min_price: MinorUnits | null;
}

/** Cause of a price change. Part 4, 4.6. */
export const PriceCause = enumeration('price.cause', ['card', 'import', 'receipt', 'repricing', 'sync']);

/** Context of price changes. */
export interface PriceChangeContext {
  readonly cause: z.output<typeof PriceCause>;
  /** Id of the goods receipt or repricing. */
  readonly documentId?: number;
  readonly by: { readonly id: number };
  readonly at: Instant;
}

/** Price change without the new price; numbered per product. */
export const PriceHistoryEntry = z.object({
  id: z.int(),
  cause: PriceCause,
  document_id: z.int().nullable(),
  creator_id: z.int(),
  created_at: z.int(),
  /** Null for the first price. */
  previous: Price.nullable(),
});

/** Latest price change, as stored in the card. */
export const LatestChange = z.object({ price_change: PriceHistoryEntry });

/** Fields of a card that determine its sale. */
interface Sellable extends PriceFields {
  readonly min_price_percent: MinorUnits | null;
  readonly is_bundle_only: boolean;
  readonly is_marked?: boolean | undefined;
  readonly vat_percent?: MinorUnits | null | undefined;
}

const HistoryEntry = z.tuple([
  z.tuple([z.int(), Currency, z.int().nullable(), z.int().nullable()]),
  z.boolean(),
  z.boolean(),
  // Absent in entries that predate it.
  z.int().nullable().optional(),
]);

const history = new History(
  HistoryEntry,
  (card: Sellable): z.output<typeof HistoryEntry> => [
    [card.sale_price, card.sale_currency, card.min_price, card.min_price_percent],
    card.is_bundle_only,
    card.is_marked ?? false,
    card.vat_percent ?? null,
  ],
);

/** Prices replaced by goods receipts, with no other change since; the last is that of the newest. */
const ReplacedPrices = z.object({
  replaced: z.array(z.object({ document_id: z.int().nullable(), price: Price })),
});

/** Limit of goods receipts that can be canceled in a row, each restoring the price before it. */
const MAX_REPLACED = 20;

/** Returns a card's price. */
export function priceOf({ sale_price, sale_currency, min_price }: PriceFields): Price {
  return [sale_price, sale_currency, min_price];
}

/**
 * Records the cause and user of a card's price change; nothing if the price stays. Required for every change.
 */
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
 * Restores the price, currency and minimum that a card had before a canceled goods receipt. Undefined if the
 * receipt set none, or if a later change applies. Contract 9.110.
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
 * Records a card's terms of sale before a change. Throws if the price changes without a recorded cause, so
 * that no way of changing it can omit that.
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

/** Returns a card's past prices and terms of sale, the present ones first. */
export function cardSpans<C extends Sellable & { readonly created_at: Instant }>(card: C): Span<C>[] {
  return mapSpans(history.spans(card, card.created_at), ([price, is_bundle_only, is_marked, vat = null]) => {
    const [sale_price, sale_currency, min_price, min_price_percent] = price;
    return {
      ...card,
      sale_price,
      sale_currency,
      min_price,
      min_price_percent,
      is_bundle_only,
      is_marked,
      vat_percent: vat,
    };
  });
}

/** Counts the changes of a card's price, including its first. */
function changesOf(card: PriceFields | undefined): number {
  return LatestChange.safeParse(card).data?.price_change.id ?? 0;
}
