import * as z from 'zod';
import { addFormer, formerOf, valuesSince } from '#lib/values/former.ts';
import { byCurrency, type Cents, Currency } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';

/** The rates and the sale currency of a company, as its item holds them. */
interface Held {
  readonly sale_currency: Currency;
  readonly rates: Readonly<Record<Currency, { readonly rate: Cents }>>;
}

/** The rates of one moment, in the order of the currencies. */
const RateSet = z.tuple([z.int(), z.int(), z.int(), z.int()]);

/** What the item keeps of the last 32 days, for late sales; no answer shows it. Part 4, 4.4. */
const FormerRates = z.object({
  former_rates: formerOf(RateSet).default([]),
  former_currencies: formerOf(Currency).default([]),
});

/** Keeps what a company's rates and its sale currency were before a change. */
export function keepRates(before: Held | undefined, after: Held & { readonly updated_at: Instant }): object {
  if (!before) return {};
  const { former_rates, former_currencies } = FormerRates.parse(before);
  const at = after.updated_at;
  return {
    former_rates: addFormer(former_rates, setOf(before), setOf(after), at),
    former_currencies: addFormer(former_currencies, before.sale_currency, after.sale_currency, at),
  };
}

/**
 * Lists the sale currencies and the rates that a company had at any moment since one, the present ones first.
 * Rates are whole sets, each of one moment.
 */
export function ratesWithin(held: Held, from: Instant) {
  const { former_rates, former_currencies } = FormerRates.parse(held);
  const sets = valuesSince(setOf(held), former_rates, from);
  return {
    saleCurrencies: valuesSince(held.sale_currency, former_currencies, from),
    rates: sets.map((set) => byCurrency((_, index) => set[index] ?? 0)),
  };
}

function setOf({ rates: { uzs, usd, eur, rub } }: Held): z.output<typeof RateSet> {
  return [uzs.rate, usd.rate, eur.rate, rub.rate];
}
