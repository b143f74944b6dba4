import { type Priced, pricesSince } from '#lib/catalog/price.ts';
import { type Cents, type Currency, convertAmount } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import type { Instant } from '#lib/values/time.ts';

/** The time whose prices a sale may have that comes late: from a moment until now. Part 4, 4.4. */
export interface Window {
  readonly from: Instant;
  /** The rates of each moment in it, those of now first. */
  readonly rates: readonly Readonly<Record<Currency, Cents>>[];
}

/** How long before a late sale a till may have loaded its prices. */
const LOOK_BACK_MS = 24 * 60 * 60 * 1000;

/** Finds the beginning of a late sale's window. */
export function windowStart(soldAt: Instant): Instant {
  return soldAt - LOOK_BACK_MS;
}

/**
 * Finds what a product cost within a window, in a currency, by any rates in it, the present price first; and
 * the least that it could be sold for then. A price below its own minimum could be had, as it can today.
 */
export function pricesWithin(card: Priced, currency: Currency, { from, rates }: Window) {
  const usual = new Set<Cents>();
  let least = Number.POSITIVE_INFINITY;
  for (const [price, own, minimum] of pricesSince(card, from)) {
    for (const each of own === currency ? rates.slice(0, 1) : rates) {
      const convert = (cents: Cents) =>
        own === currency ? cents : convertAmount(cents, each[own], each[currency]);
      const [is, lowest] = [convert(price), convert(minimum ?? 0)];
      if (is === undefined || lowest === undefined) continue;
      usual.add(is);
      least = Math.min(least, is, lowest);
    }
  }
  return { usual, least };
}

/** Requires a part of a late sale to name its price: nobody knows any more which one was meant. */
export function requireNamed(
  { path, price }: { readonly path: string; readonly price?: Cents | undefined },
  window: Window | undefined,
  problems: Problems,
): void {
  if (window && price === undefined) problems.add(`${path}.price`, 'validation.required');
}
