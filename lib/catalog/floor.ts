import { type Currency, type MinorUnits, type Rates, roundHalfUp } from '#lib/values/money.ts';
import type { PriceFields } from './price.ts';

/** Fields of a card that limit its price. */
export type Floored = Pick<PriceFields, 'min_price' | 'sale_currency'> & {
  /** In hundredths of a percent. */
  readonly min_price_percent: MinorUnits | null;
};

/** Cost per piece of the newest goods ever received of a product. */
export interface LatestCost {
  readonly cost: MinorUnits;
  readonly currency: Currency;
}

/** Currency of a floor, and the rates for its conversion. */
export interface Quote {
  readonly currency: Currency;
  readonly rates: Rates;
}

/** A hundred percent, in hundredths. */
const WHOLE = 100_00;

/**
 * Computes the floor of a product: the higher of its minimum price and its latest cost plus the percentage; 0
 * if it has neither. Undefined if a currency has no rate. Contract 9.107.
 */
export function floorOf(card: Floored, latest: LatestCost | undefined, quote: Quote): MinorUnits | undefined {
  const [minimum, marked] = [minimumOf(card, quote), costWithPercent(card, latest, quote)];
  return minimum === undefined || marked === undefined ? undefined : Math.max(minimum, marked);
}

/** Returns whether the floor of a product is its latest cost plus the percentage, which reveals the cost. */
export function isFloorByCost(card: Floored, latest: LatestCost | undefined, quote: Quote): boolean {
  return (costWithPercent(card, latest, quote) ?? 0) > (minimumOf(card, quote) ?? 0);
}

/** Converts a product's minimum price; 0 if it has none. Undefined if a currency has no rate. */
function minimumOf({ min_price, sale_currency }: Floored, quote: Quote): MinorUnits | undefined {
  return min_price === null ? 0 : convertFraction(BigInt(min_price), 1n, sale_currency, quote);
}

/**
 * Computes a product's latest cost plus the percentage, rounded once, half up; 0 without a percentage, or if
 * the product was never received. Undefined if a currency has no rate.
 */
export function costWithPercent(
  { min_price_percent }: Floored,
  latest: LatestCost | undefined,
  quote: Quote,
): MinorUnits | undefined {
  if (min_price_percent === null || !latest) return 0;
  const marked = BigInt(latest.cost) * BigInt(WHOLE + min_price_percent);
  return convertFraction(marked, BigInt(WHOLE), latest.currency, quote);
}

/** Converts a fraction of another currency. */
function convertFraction(dividend: bigint, divisor: bigint, from: Currency, { currency, rates }: Quote) {
  if (from === currency) return Number(roundHalfUp(dividend, divisor));
  const [ours, theirs] = [rates[currency], rates[from]];
  if (ours === 0 || theirs === 0) return undefined;
  return Number(roundHalfUp(dividend * BigInt(theirs), divisor * BigInt(ours)));
}
