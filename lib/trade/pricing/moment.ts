import type * as z from 'zod';
import type { RateSet } from '#lib/cash/rate-history.ts';
import type { Bundle } from '#lib/catalog/bundle.ts';
import type { Currency } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { type ValidationIssue, ValidationIssues } from '#lib/values/validation-issues.ts';
import { KEPT_MS, type Span, secondOf, spansIn } from '#lib/values/value-history.ts';
import {
  isHeldWhole,
  type Offers,
  type Pricing,
  type ProductForSale,
  pricesOf,
  type RequestedBundle,
  type RequestedProduct,
} from './price.ts';
import { bundleIn } from './sale-currency.ts';

/*
 * A late sale is right if there is one moment at which all that it rests on was so together: whoever sells
 * may have an old copy, but not the best of two. A moment is a second. Only those seconds are looked at in
 * which something ceased: until then all that held with it did. Part 4, 4.4, 3.
 */

/** A late sale, as far as a moment is found for it. */
export interface OfflineSale {
  readonly currency: Currency;
  readonly known_at: Instant | null;
  readonly products: readonly RequestedProduct[];
  readonly bundles: readonly RequestedBundle[];
  readonly transactions: readonly unknown[];
}

type Bundled = z.input<typeof Bundle>;

type SpansById<T> = ReadonlyMap<number, readonly Span<T>[]>;

/** What each thing was in a second, the latest first. */
type Choices<T> = ReadonlyMap<number, readonly T[]>;

/** All that a late sale rests on, as it has been, the latest first. */
export interface Past {
  readonly products: SpansById<ProductForSale>;
  readonly bundles: SpansById<Bundled>;
  readonly rates: readonly Span<RateSet>[];
}

/** All that a late sale rests on as it was at one moment. */
export interface Moment extends Offers {
  readonly second: Instant;
  readonly saleCurrency: Currency;
}

/** By what a moment is found: when it was sold, and what is wrong with a body at one. */
interface Search<S extends OfflineSale> {
  readonly sold_at: Instant;
  readonly at: Instant;
  readonly pricing: Pricing;
  readonly judge: (sale: S, moment: Moment, issues: ValidationIssues) => void;
}

/** How old a till's copy may be when it is brought up to date, and how fast its clock. */
const LOOK_BACK_MS = 24 * 60 * 60 * 1000;
export const MAX_AHEAD_MS = 5 * 60 * 1000;

/** What is wrong whenever it was sold: no other moment mends it. */
const OF_ARRIVAL: readonly unknown[] = [
  ...['validation.not_found', 'validation.required', 'validation.duplicate', 'validation.too_many_items'],
  ...['sale.no_lines', 'sale.discount_too_large', 'sale.foreign_not_cash'],
];

/**
 * Finds the moment by which a sale is judged; if there is none at which all fits, that at which what fails is
 * told, or all else is taken as it was. Undefined if that is forgotten.
 */
export function findMoment<S extends OfflineSale>(
  sale: S,
  past: Past,
  search: Search<S>,
): Moment | undefined {
  const { sold_at, at, pricing } = search;
  const made = lastMade(sale, past, pricing);
  const fitting = pricing.areAccepted ? undefined : findFitting(sale, past, search, made);
  const told = Math.max(sold_at, made);
  if (fitting || told < at - KEPT_MS) return fitting;
  return momentsIn(secondOf(Math.min(told, at)), sale, past, search)[0];
}

/**
 * Finds the latest moment at which every price of a sale was its own and all else fits, or the latest at
 * which the other prices are let pass.
 */
function findFitting<S extends OfflineSale>(
  sale: S,
  past: Past,
  search: Search<S>,
  made: Instant,
): Moment | undefined {
  const { sold_at, at } = search;
  const from = Math.max((sale.known_at ?? sold_at) - LOOK_BACK_MS, at - KEPT_MS, made);
  const to = Math.max(Math.min(sold_at + MAX_AHEAD_MS, at), made);
  let other: Moment | undefined;
  for (const second of secondsBetween(past, from, to)) {
    for (const moment of momentsIn(second, sale, past, search)) {
      const rank = rankOf(sale, moment, search);
      if (rank === 0) return moment;
      if (rank === 1) other ??= moment;
    }
  }
  return other;
}

/** Finds when the last of a sale's goods was made, but of those that a hold has. */
function lastMade(sale: OfflineSale, past: Past, { promised }: Pricing): Instant {
  const products = sale.products.filter((line) => !isHeldWhole(line, promised));
  const bundles = sale.bundles.filter(({ bundle_id }) => !promised?.bundles.has(bundle_id));
  const spans = [
    ...products.map(({ product_id }) => past.products.get(product_id)),
    ...bundles.map(({ bundle_id }) => past.bundles.get(bundle_id)),
  ];
  return secondOf(Math.max(0, ...spans.map((each) => each?.at(-1)?.from ?? 0)));
}

/** Lists the seconds of a time in which something ceased, and its last, the latest first. */
function secondsBetween({ products, bundles, rates }: Past, from: Instant, to: Instant): Instant[] {
  const spans = [rates, ...products.values(), ...bundles.values()].flat();
  const ceased = spans.map(({ until }) => until).filter((until) => until >= secondOf(from) && until <= to);
  return from > to ? [] : [...new Set([to, ...ceased].map(secondOf))].sort((a, b) => b - a);
}

/** Makes what a second was: once for each set of rates in it, as all else rests on one. */
function momentsIn<S extends OfflineSale>(second: Instant, sale: S, past: Past, search: Search<S>): Moment[] {
  return spansIn(past.rates, second).flatMap((set): Moment[] => {
    const { rates, saleCurrency } = set.value;
    const products = choicesIn(past.products, (spans) => spansIn(spans, second));
    const pricing = { ...search.pricing, rates };
    // A bundle's price is in the sale currency of its time: they go together. With a hold it is paid in the
    // hold's own, and without a rate there is nothing to pay.
    const bundles = choicesIn(
      past.bundles,
      (spans) => spansIn(spans, second).filter(({ from, until }) => from <= set.until && until >= set.from),
      (bundle) => (pricing.promised ? bundleIn(bundle, saleCurrency, pricing) : bundle),
    );
    const moment = { second, saleCurrency, products: firstOf(products), bundles: firstOf(bundles), pricing };
    for (const line of sale.products) {
      const own = { ...sale, products: [line], bundles: [], transactions: [] };
      choose(moment.products, line.product_id, products, () => rankOf(own, moment, search));
    }
    for (const line of sale.bundles) {
      const own = { ...sale, products: [], bundles: [line], transactions: [] };
      choose(moment.bundles, line.bundle_id, bundles, () => rankOf(own, moment, search));
    }
    return [moment];
  });
}

/** Lists what each thing was in a second, the latest first; of what was not there, what it is. */
function choicesIn<T>(
  things: SpansById<T>,
  choose: (spans: readonly Span<T>[]) => readonly Span<T>[],
  offer: (value: T) => T | undefined = (value) => value,
): Choices<T> {
  return new Map(
    [...things].map(([id, spans]) => {
      const held = choose(spans);
      return [id, (held.length > 0 ? held : spans.slice(0, 1)).flatMap(({ value }) => offer(value) ?? [])];
    }),
  );
}

function firstOf<T>(choices: Choices<T>): Map<number, T> {
  return new Map([...choices].flatMap(([id, [first]]) => (first === undefined ? [] : [[id, first]])));
}

/** Sets what suits a line best of what its goods were in one second. */
function choose<T>(chosen: Map<number, T>, id: number, choices: Choices<T>, rank: () => number): void {
  const all = choices.get(id) ?? [];
  if (all.length < 2) return;
  const ranked = all.map((each) => {
    chosen.set(id, each);
    return { each, rank: rank() };
  });
  const [best] = ranked.toSorted((a, b) => a.rank - b.rank);
  if (best) chosen.set(id, best.each);
}

/** Ranks a moment for a sale: 0 if all fits and each price is its own, 1 if the rest is let pass, else 2. */
function rankOf<S extends OfflineSale>(sale: S, moment: Moment, { judge }: Search<S>): number {
  const issues = new ValidationIssues();
  judge(sale, moment, issues);
  if (issues.some(isOfMoment)) return 2;
  return hasOwnPrices(sale, moment) ? 0 : 1;
}

function isOfMoment(path: string, issue: ValidationIssue): boolean {
  const code = typeof issue === 'string' ? issue : issue.key;
  if (code === 'sale.discount_forbidden') return path.endsWith('.price');
  return !OF_ARRIVAL.includes(code);
}

function hasOwnPrices({ products, bundles }: OfflineSale, moment: Moment): boolean {
  const { promised } = moment.pricing;
  return (
    products.every((line) => {
      const card = moment.products.get(line.product_id);
      if (!card || line.price === undefined || isHeldWhole(line, promised)) return true;
      return pricesOf(card, moment.pricing, '', new ValidationIssues())?.own === line.price;
    }) &&
    bundles.every(({ bundle_id, price }) => {
      const bundle = moment.bundles.get(bundle_id);
      return !bundle || price === undefined || price === bundle.price || promised?.bundles.has(bundle_id);
    })
  );
}
