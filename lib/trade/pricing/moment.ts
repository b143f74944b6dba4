import type * as z from 'zod';
import type { RateSet } from '#lib/cash/rate-history.ts';
import type { Bundle } from '#lib/catalog/bundle.ts';
import type { ServiceCard } from '#lib/catalog/service/service.ts';
import { type Currency, convertAmount, type MinorUnits } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { type ValidationIssue, ValidationIssues } from '#lib/values/validation-issues.ts';
import { KEPT_MS, type Span, secondOf, spansIn } from '#lib/values/value-history.ts';
import { bundleIn } from './bundle.ts';
import type { RequestedDiscount } from './cheque-discount.ts';
import {
  isHeldWhole,
  type Offers,
  type Pricing,
  type ProductForSale,
  pricesOf,
  type RequestedBundle,
  type RequestedProduct,
  type SalePriceType,
} from './price.ts';
import type { RequestedService } from './services.ts';

/*
 * An offline sale is valid if there is one moment at which all its prices and rates were valid together: the
 * till may have an old copy, but not mix two. A moment is a second. Only seconds in which some value ended
 * are examined: until then, all values that were valid with it stayed valid. Part 4, 4.4, 3.
 */

/** Fields of an offline sale that determine its moment. */
export interface OfflineSale {
  readonly currency: Currency;
  readonly known_at: Instant | null;
  readonly products: readonly RequestedProduct[];
  readonly bundles: readonly RequestedBundle[];
  readonly services: readonly RequestedService[];
  readonly discount: RequestedDiscount | null;
  readonly transactions: readonly unknown[];
}

type Bundled = z.input<typeof Bundle>;

type SpansById<T> = ReadonlyMap<number, readonly Span<T>[]>;

/** Values of each product or bundle in a second, the latest first. */
type Choices<T> = ReadonlyMap<number, readonly T[]>;

/** History of everything that an offline sale depends on, the latest first. */
export interface Past {
  readonly products: SpansById<ProductForSale>;
  readonly bundles: SpansById<Bundled>;
  readonly services: SpansById<ServiceCard>;
  readonly rates: readonly Span<RateSet>[];
  /** VAT rates of the company. */
  readonly vat: readonly Span<MinorUnits | null>[];
  /** Price types of the sale. */
  readonly priceTypes: readonly Span<SalePriceType>[];
}

/** Everything that an offline sale depends on, as of one moment. */
export interface Moment extends Offers {
  readonly second: Instant;
  readonly saleCurrency: Currency;
}

/** Search for a moment: time of the sale, and validation as of a moment. */
interface Search<S extends OfflineSale> {
  readonly sold_at: Instant;
  readonly at: Instant;
  readonly pricing: Pricing;
  readonly check: (sale: S, moment: Moment, issues: ValidationIssues) => void;
}

/** Maximum age of a till's copy at its sync, and maximum advance of its clock. */
const LOOK_BACK_MS = 24 * 60 * 60 * 1000;
export const MAX_AHEAD_MS = 5 * 60 * 1000;

/** Issues that no other moment resolves. */
const OF_ARRIVAL: readonly unknown[] = [
  ...['validation.not_found', 'validation.required', 'validation.duplicate', 'validation.too_many_items'],
  ...['sale.no_lines', 'sale.discount_too_large', 'sale.foreign_not_cash'],
];

/**
 * Finds the moment of a sale. If it is valid at none, returns the moment for which issues are reported, or at
 * which everything else is accepted. Undefined if its history has expired.
 */
export function findMoment<S extends OfflineSale>(
  sale: S,
  past: Past,
  search: Search<S>,
): Moment | undefined {
  const { sold_at, at, pricing } = search;
  const made = lastMade(sale, past, pricing);
  const fitting = pricing.areAccepted ? undefined : findFitting(sale, past, search, made);
  const reported = Math.max(sold_at, made);
  if (fitting || reported < at - KEPT_MS) return fitting;
  return momentsIn(secondOf(Math.min(reported, at)), sale, past, search)[0];
}

/**
 * Finds the latest moment at which a sale is valid and every price is the product's own, or else the latest
 * at which it is valid with other prices.
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

/** Returns the creation time of the newest goods of a sale, apart from held ones. */
function lastMade(sale: OfflineSale, past: Past, { promised }: Pricing): Instant {
  const products = sale.products.filter((line) => !isHeldWhole(line, promised));
  const bundles = sale.bundles.filter(({ bundle_id }) => !promised?.bundles.has(bundle_id));
  const spans = [
    ...products.map(({ product_id }) => past.products.get(product_id)),
    ...bundles.map(({ bundle_id }) => past.bundles.get(bundle_id)),
    ...sale.services.map(({ service_id }) => past.services.get(service_id)),
  ];
  return secondOf(Math.max(0, ...spans.map((each) => each?.at(-1)?.from ?? 0)));
}

/** Lists the seconds of a period in which some value ended, and its last second, the latest first. */
function secondsBetween(past: Past, from: Instant, to: Instant): Instant[] {
  const { products, bundles, services, rates, vat, priceTypes } = past;
  const things = [rates, vat, priceTypes, ...products.values(), ...bundles.values(), ...services.values()];
  const spans: readonly Span<unknown>[] = things.flat();
  const ceased = spans.map(({ until }) => until).filter((until) => until >= secondOf(from) && until <= to);
  return from > to ? [] : [...new Set([to, ...ceased].map(secondOf))].sort((a, b) => b - a);
}

/** Builds the moments of a second: one for each set of rates and each price type in it. */
function momentsIn<S extends OfflineSale>(second: Instant, sale: S, past: Past, search: Search<S>): Moment[] {
  const terms = spansIn(past.rates, second).flatMap((set) =>
    spansIn(past.priceTypes, second).map(({ value }) => ({ set, priceType: value })),
  );
  return terms.map(({ set, priceType }): Moment => {
    const { rates, saleCurrency } = set.value;
    const products = choicesIn(past.products, (spans) => spansIn(spans, second));
    const pricing = { ...search.pricing, rates, priceType };
    // A bundle's price is in the sale currency of its time, so both must be of one time. With a hold it is
    // converted to the hold's currency; without a rate it is omitted.
    const bundles = choicesIn(
      past.bundles,
      (spans) => spansIn(spans, second).filter(({ from, until }) => from <= set.until && until >= set.from),
      (bundle) => (pricing.promised ? bundleIn(bundle, saleCurrency, pricing) : bundle),
    );
    const services = choicesIn(past.services, (spans) => spansIn(spans, second));
    const [vat = past.vat[0]] = spansIn(past.vat, second);
    const moment = {
      ...{ second, saleCurrency, vatPercent: vat?.value ?? null, pricing },
      ...{ products: firstOf(products), bundles: firstOf(bundles), services: firstOf(services) },
    };
    const none = { ...sale, products: [], bundles: [], services: [], discount: null, transactions: [] };
    for (const line of sale.products) {
      const own = { ...none, products: [line] };
      choose(moment.products, line.product_id, products, () => rankOf(own, moment, search));
    }
    for (const line of sale.bundles) {
      const own = { ...none, bundles: [line] };
      choose(moment.bundles, line.bundle_id, bundles, () => rankOf(own, moment, search));
    }
    for (const line of sale.services) {
      const own = { ...none, services: [line] };
      choose(moment.services, line.service_id, services, () => rankOf(own, moment, search));
    }
    return moment;
  });
}

/** Lists the values of each thing in a second, the latest first; its present value if it had none. */
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

/** Chooses the value of a second that suits a line best. */
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

/** Ranks a moment for a sale: 0 if valid with own prices, 1 if valid with other prices, else 2. */
function rankOf<S extends OfflineSale>(sale: S, moment: Moment, { check }: Search<S>): number {
  const issues = new ValidationIssues();
  check(sale, moment, issues);
  if (issues.some(isOfMoment)) return 2;
  return hasOwnPrices(sale, moment) ? 0 : 1;
}

function isOfMoment(path: string, issue: ValidationIssue): boolean {
  const code = typeof issue === 'string' ? issue : issue.key;
  if (code === 'sale.discount_forbidden') return path.endsWith('.price');
  return !OF_ARRIVAL.includes(code);
}

function hasOwnPrices({ products, bundles, services }: OfflineSale, moment: Moment): boolean {
  const { promised, rates, currency } = moment.pricing;
  return (
    services.every(({ service_id, price }) => {
      const service = moment.services.get(service_id);
      if (!service || price === undefined) return true;
      return convertAmount(service.price, rates[service.currency ?? 'uzs'], rates[currency]) === price;
    }) &&
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
