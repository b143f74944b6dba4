import type { products } from '#lib/catalog/card.ts';
import { costWithPercent, floorOf } from '#lib/catalog/floor.ts';
import { isPriceTypeLive, type PriceTypes } from '#lib/catalog/price-type.ts';
import type { SkippedRow } from '#lib/catalog/repricing/record.ts';
import { newMarkup } from '#lib/catalog/repricing/write.ts';
import { withTypePrice } from '#lib/catalog/type-prices.ts';
import type { Stored } from '#lib/records/stored.ts';
import type { BatchOrigin } from '#lib/stock/batch-part.ts';
import { convertAmount, MAX_AMOUNT, type MinorUnits, type Rates } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import type { RepricingInput } from './input.ts';

/*
 * A product may have several rows, one for its `sale_price` and one for each price type. They change its card
 * one after the other, so that each of them that passes has the card after all that pass.
 */

/** Row as sent. */
export type NamedRow = RepricingInput['products'][number];

/** Row with its product's id; 0 if unknown. */
export type NumberedRow = Omit<NamedRow, 'product_id'> & { readonly product_id: number };

type Card = Stored<typeof products.schema>;

/** Row with its product's card before the batch. */
export interface SentRow {
  readonly row: NumberedRow;
  readonly before: Card;
}

/** Row with its product's card before and after the batch. */
export interface PricedRow extends SentRow {
  readonly after: Card;
  /** Type of its price; null for `sale_price`. */
  readonly price_type_id: number | null;
}

/** Rates, price types and time by which a batch applies its rows. */
export interface BatchTerms {
  readonly rates: Rates;
  readonly types: PriceTypes;
  readonly at: Instant;
}

/** Basis for deciding whether a row can be repriced. */
interface Obstacles {
  readonly inDrafts: ReadonlySet<number>;
  readonly costs: ReadonlyMap<number, BatchOrigin>;
}

/** Card as a row would leave it. */
interface AppliedRow {
  readonly row: NumberedRow;
  readonly after: Card;
  readonly unconverted?: Minimum['unconverted'];
}

/** Minimum price of a card in its row's currency, or the reason why it cannot be converted. */
interface Minimum {
  readonly min_price?: MinorUnits | null;
  readonly unconverted?: 'min_price_without_rate' | 'min_price_too_large' | undefined;
}

/** Applies all rows, whether they may be applied or not. */
export function applyRows(rows: readonly SentRow[], terms: BatchTerms): PricedRow[] {
  return applyInTurn(rows, terms, () => undefined).passed;
}

/** Splits rows into passed and skipped ones, the latter with reasons. */
export function splitRows(rows: readonly SentRow[], obstacles: Obstacles, terms: BatchTerms) {
  return applyInTurn(rows, terms, (applied) => skipReasonOf(applied, obstacles, terms.rates));
}

function applyInTurn(
  rows: readonly SentRow[],
  terms: BatchTerms,
  judge: (applied: AppliedRow) => SkippedRow | undefined,
) {
  const cards = new Map<number, Card>();
  const reasons = new Map<SentRow, SkippedRow>();
  // The floor of prices by type is that of the card after the row of its `sale_price`.
  const [own, typed] = [rows.filter((sent) => typeOf(sent) === null), rows.filter((sent) => typeOf(sent))];
  for (const sent of [...own, ...typed]) {
    const { row, before } = sent;
    const applied = applyRow(row, cards.get(before.id) ?? before, terms);
    const skipped = judge(applied);
    if (skipped) reasons.set(sent, skipped);
    else cards.set(before.id, applied.after);
  }
  return {
    passed: rows
      .filter((sent) => !reasons.has(sent))
      .map((sent): PricedRow => {
        const after = cards.get(sent.before.id) ?? sent.before;
        return { ...sent, after, price_type_id: typeOf(sent) };
      }),
    skipped: rows.flatMap((sent) => reasons.get(sent) ?? []),
  };
}

function typeOf({ row }: SentRow): number | null {
  return row.price_type_id ?? null;
}

function applyRow(row: NumberedRow, before: Card, { rates, types, at }: BatchTerms): AppliedRow {
  const { price_type_id = null, sale_price, sale_currency, markup_percent } = row;
  if (price_type_id !== null) {
    const price = { price_type_id, price: sale_price, currency: sale_currency };
    const prices = withTypePrice(before.prices, price, (id) => isPriceTypeLive(types, id));
    return { row, after: { ...before, prices, updated_at: at } };
  }
  const { min_price = null, unconverted } = minimumOf(row, before, rates);
  const after = {
    ...before,
    ...newMarkup(sale_price, sale_currency, markup_percent),
    sale_price,
    sale_currency,
    min_price,
    min_price_percent: row.min_price_percent ?? before.min_price_percent,
    updated_at: at,
  };
  return { row, after, unconverted };
}

/**
 * Computes the card's new minimum price in the row's currency: the row's own, or the present one converted.
 * If that is impossible, returns the reason.
 */
function minimumOf(row: NumberedRow, before: Card, rates: Rates): Minimum {
  const currency = row.sale_currency;
  if (row.min_price !== null || before.min_price === null) return { min_price: row.min_price };
  if (currency === before.sale_currency) return { min_price: before.min_price };
  const minimum = convertAmount(before.min_price, rates[before.sale_currency], rates[currency]);
  if (minimum === undefined) return { unconverted: 'min_price_without_rate' };
  return minimum > MAX_AMOUNT ? { unconverted: 'min_price_too_large' } : { min_price: minimum };
}

/** Reason why a row was skipped, with the cost if that is it. */
type Reason = Pick<SkippedRow, 'reason' | 'cost' | 'cost_currency'>;

/** Returns the reason why a row cannot be repriced; undefined if it can. Contract 9.33; Contract 9.90. */
function skipReasonOf(
  applied: AppliedRow,
  { inDrafts, costs }: Obstacles,
  rates: Rates,
): SkippedRow | undefined {
  const { product_id, price_type_id = null } = applied.row;
  const judge = price_type_id === null ? findReason : findReasonByType;
  const reason = inDrafts.has(product_id)
    ? because('in_active_sale')
    : judge(applied, costs.get(product_id), rates);
  return reason && { product_id, price_type_id, ...reason };
}

/**
 * Finds the reason against a new `sale_price`. Minimum price and percentage are those of the resulting card:
 * the row's own, or else the card's. The price is compared with the minimum and with the latest cost plus the
 * percentage, the minimum with the latest cost itself, in the row's currency, by the rates of the batch.
 * Goods never received have no cost, and a card with neither limit passes. Contract 9.108.
 */
function findReason(
  { after, unconverted }: AppliedRow,
  last: BatchOrigin | undefined,
  rates: Rates,
): Reason | undefined {
  const { sale_currency, min_price } = after;
  if (unconverted) return because(unconverted);
  if (min_price !== null && after.sale_price < min_price) return because('below_min_price');
  if (!last || (min_price === null && after.min_price_percent === null)) return undefined;
  const floor = costWithPercent(after, last, { currency: sale_currency, rates });
  const cost = convertAmount(last.cost, rates[last.currency], rates[sale_currency]);
  if (cost === undefined || floor === undefined) return withoutRate(last);
  if (after.sale_price < floor) return because('below_min_price');
  if (min_price === null || min_price >= cost) return undefined;
  return { reason: 'min_price_below_cost', cost, cost_currency: sale_currency };
}

/** Finds the reason against a price by type: it is below the floor of its card. Part 5, 5A.14, 2. */
function findReasonByType(
  { row, after }: AppliedRow,
  last: BatchOrigin | undefined,
  rates: Rates,
): Reason | undefined {
  const { sale_price, sale_currency: currency } = row;
  const floor = floorOf(after, last, { currency, rates });
  if (floor !== undefined) return sale_price < floor ? because('below_min_price') : undefined;
  const isCostUnknown = last && costWithPercent(after, last, { currency, rates }) === undefined;
  return isCostUnknown ? withoutRate(last) : because('min_price_without_rate');
}

function because(reason: SkippedRow['reason']): Reason {
  return { reason, cost: null, cost_currency: null };
}

function withoutRate({ cost, currency }: BatchOrigin): Reason {
  return { reason: 'cost_without_rate', cost, cost_currency: currency };
}
