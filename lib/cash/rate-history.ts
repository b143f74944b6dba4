import * as z from 'zod';
import { byCurrency, Currency, type MinorUnits, type Rates } from '#lib/values/money.ts';
import { History, mapSpans, type Span } from '#lib/values/value-history.ts';

/** The rates and the sale currency of a company, as its item holds them. */
interface Held {
  readonly sale_currency: Currency;
  readonly rates: Readonly<Record<Currency, { readonly rate: MinorUnits }>>;
}

/** A company's sale currency and its rates at one moment. */
export interface RateSet {
  readonly saleCurrency: Currency;
  readonly rates: Rates;
}

/** What the item keeps of the last 32 days, for late sales; no answer shows it. Part 4, 4.4, 3. */
const history = new History(
  z.tuple([Currency, z.int(), z.int(), z.int(), z.int()]),
  ({ sale_currency, rates }: Held) => {
    return [sale_currency, rates.uzs.rate, rates.usd.rate, rates.eur.rate, rates.rub.rate];
  },
);

/** Keeps what a company's rates and its sale currency were before a change. */
export const recordRates = history.keep.bind(history);

/** Lists what a company's rates and its sale currency have been, the present first. */
export function rateSpans(held: Held): Span<RateSet>[] {
  return mapSpans(history.spans(held), ([saleCurrency, ...rates]) => ({
    saleCurrency,
    rates: byCurrency((_, index) => rates[index] ?? 0),
  }));
}
