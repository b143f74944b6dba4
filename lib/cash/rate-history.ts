import * as z from 'zod';
import { byCurrency, Currency, type MinorUnits, type Rates } from '#lib/values/money.ts';
import { History, mapSpans, type Span } from '#lib/values/value-history.ts';

/** Rates and sale currency of a company, as stored. */
interface StoredRates {
  readonly sale_currency: Currency;
  readonly rates: Readonly<Record<Currency, { readonly rate: MinorUnits }>>;
}

/** Sale currency and rates of a company at one time. */
export interface RateSet {
  readonly saleCurrency: Currency;
  readonly rates: Rates;
}

/**
 * Values of the last 32 days, stored in the item for offline sales; absent from responses. Part 4, 4.4, 3.
 */
const history = new History(
  z.tuple([Currency, z.int(), z.int(), z.int(), z.int()]),
  ({ sale_currency, rates }: StoredRates) => {
    return [sale_currency, rates.uzs.rate, rates.usd.rate, rates.eur.rate, rates.rub.rate];
  },
);

/** Records a company's rates and sale currency before a change. */
export const recordRates = history.keep.bind(history);

/** Returns a company's past rates and sale currencies, the present first. */
export function rateSpans(stored: StoredRates): Span<RateSet>[] {
  return mapSpans(history.spans(stored), ([saleCurrency, ...rates]) => ({
    saleCurrency,
    rates: byCurrency((_, index) => rates[index] ?? 0),
  }));
}
