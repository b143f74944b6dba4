import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { enumeration } from '#lib/values/enumeration.ts';
import { Currency, type MinorUnits } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { History, mapSpans, type Span } from '#lib/values/value-history.ts';
import { type PricedByType, type TypePrice, typePriceChanges } from './type-prices.ts';

/*
 * A card stores two histories of its prices, both absent from responses: its terms of sale in the last 32
 * days, which a sale reads along with the card and an offline sale is validated against (Part 4, 4.4, 3), and
 * the latest change, from which the stream consumer builds the price history (Part 4, 4.6), so that writers
 * pay for no extra item.
 */

/** A product's price and minimum price, in their currency; a price by type has no minimum of its own. */
export const Price = z.tuple([z.int(), Currency, z.int().nullable()]);

type Price = z.output<typeof Price>;

/** Fields of a card that make up its price. */
export interface PriceFields extends PricedByType {
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

/** Price change, numbered per product. */
const PriceHistoryEntry = z.object({
  id: z.int(),
  cause: PriceCause,
  document_id: z.int().nullable(),
  creator_id: z.int(),
  created_at: z.int(),
});

/** Change of a price, with both prices. */
export const PriceEntry = PriceHistoryEntry.extend({
  /** Null for the price of the card itself, and in entries that predate price types. */
  price_type_id: z.int().nullable().default(null),
  /** Null for the first price. */
  previous: Price.nullable(),
  price: Price,
});

/** Latest change of a card's prices, as stored in the card: its entries have the numbers up to `id`. */
const PriceChange = PriceHistoryEntry.extend({
  /** Absent if only prices by type have changed. */
  previous: Price.nullable().optional(),
  /** Price types, with their previous and new prices. */
  by_type: z.array(z.tuple([z.int(), Price.nullable(), Price])).optional(),
});

/** Card with its latest price change. */
export const LatestChange = z.object({ price_change: PriceChange });

/** Lists the entries of a card's latest price change, in the order of their numbers. */
export function entriesOfChange(
  { previous, by_type = [], id: last, ...made }: z.output<typeof PriceChange>,
  own: Price,
): z.input<typeof PriceEntry>[] {
  const changes = [
    ...by_type.map(([price_type_id, was, is]) => ({ price_type_id, previous: was, price: is })),
    ...(previous === undefined ? [] : [{ price_type_id: null, previous, price: own }]),
  ];
  return changes.map((change, index) => ({ ...made, ...change, id: last - changes.length + 1 + index }));
}

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
  // Absent in entries that predate them.
  z.int().nullable().optional(),
  z.array(z.tuple([z.int(), z.int(), Currency])).optional(),
]);

const history = new History(
  HistoryEntry,
  (card: Sellable): z.output<typeof HistoryEntry> => [
    [card.sale_price, card.sale_currency, card.min_price, card.min_price_percent],
    card.is_bundle_only,
    card.is_marked ?? false,
    card.vat_percent ?? null,
    (card.prices ?? []).map(({ price_type_id, price, currency }) => [price_type_id, price, currency]),
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
 * Records the cause and user of a change of a card's prices; nothing if they stay. Required for every change.
 */
export function recordPriceCause<T extends PriceFields>(
  before: PriceFields | undefined,
  after: T,
  occasion: PriceChangeContext,
): T {
  const previous = before ? priceOf(before) : null;
  const isOwn = !isDeepStrictEqual(previous, priceOf(after));
  const by_type = typePriceChanges(before, after).map((change) => {
    // Without a price by the type, the card's own applies.
    const is = change.after ? tupleOf(change.after) : priceOf({ ...after, min_price: null });
    return [change.price_type_id, change.before && tupleOf(change.before), is] as const;
  });
  const count = by_type.length + (isOwn ? 1 : 0);
  if (count === 0) return after;
  const { cause, documentId: document_id = null, by, at } = occasion;
  const made = { cause, document_id, creator_id: by.id, created_at: at };
  const price_change = {
    ...{ id: changesOf(before) + count, ...made },
    ...(isOwn && { previous }),
    ...(by_type.length > 0 && { by_type }),
  };
  if (!isOwn) return { ...after, price_change };
  const isReplaced = cause === 'receipt' && previous !== null;
  const replaced = isReplaced ? [...pricesBeforeReceipts(before), { document_id, price: previous }] : [];
  return {
    ...after,
    price_change,
    replaced: replaced.length > 0 ? replaced.slice(-MAX_REPLACED) : undefined,
  };
}

function tupleOf({ price, currency }: TypePrice): Price {
  return [price, currency, null];
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
  const isOwn = !isDeepStrictEqual(before && priceOf(before), priceOf(after));
  const count = typePriceChanges(before, after).length + (isOwn ? 1 : 0);
  if (changesOf(after) !== changesOf(before) + count) {
    throw new Error('A price changes, and nobody noted why');
  }
  return history.keep(before, after);
}

/** Returns a card's past prices and terms of sale, the present ones first. */
export function cardSpans<C extends Sellable & { readonly created_at: Instant }>(card: C): Span<C>[] {
  return mapSpans(history.spans(card, card.created_at), ([price, is_bundle_only, is_marked, ...rest]) => {
    const [vat = null, byType = []] = rest;
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
      prices: byType.map(([price_type_id, is, currency]) => ({ price_type_id, price: is, currency })),
    };
  });
}

/** Counts the changes of a card's prices, including its first. */
function changesOf(card: PriceFields | undefined): number {
  return LatestChange.safeParse(card).data?.price_change.id ?? 0;
}
