import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RateSet } from '#lib/cash/rate-history.ts';
import { recordPreviousPrice, recordPriceCause } from '#lib/catalog/price.ts';
import { priceLines } from '#lib/trade/pricing/lines.ts';
import { findMoment, type Moment, type OfflineSale } from '#lib/trade/pricing/moment.ts';
import type { ProductForSale } from '#lib/trade/pricing/price.ts';
import { byCurrency, convertAmount, type MinorUnits } from '#lib/values/money.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { type Span, secondOf, spansIn } from '#lib/values/value-history.ts';

const NO_TYPE = [
  {
    value: { id: null, isClients: true },
    from: Number.NEGATIVE_INFINITY,
    until: Number.POSITIVE_INFINITY,
  },
];

const HOUR_MS = 60 * 60 * 1000;
const AT = 100 * 24 * HOUR_MS;

/** What something has been: each value until the next began. */
const timelineOf = <T>(value: fc.Arbitrary<T>) =>
  fc
    .array(fc.tuple(value, fc.integer({ min: 0, max: 60 * HOUR_MS })), { minLength: 1, maxLength: 6 })
    .map((all): Span<T>[] => {
      const steps = all.toSorted((a, b) => b[1] - a[1]);
      return steps
        .map(([held], index) => ({
          value: held,
          from: index === 0 ? Number.NEGATIVE_INFINITY : AT - (steps[index]?.[1] ?? 0),
          until: index === steps.length - 1 ? Number.POSITIVE_INFINITY : AT - (steps[index + 1]?.[1] ?? 0),
        }))
        .toReversed();
    });

const priced = timelineOf(fc.constantFrom(100, 200, 300));
const rated = timelineOf(fc.constantFrom(5000, 10_000, 0));

function cardOf(id: number, sale_price: MinorUnits, sale_currency: 'uzs' | 'usd'): ProductForSale {
  const card = {
    id,
    name: '',
    barcode: '',
    plu: null,
    external_id: null,
    description: null,
    images_list: [],
  };
  const places = { company_id: 1, creator_id: 1, parent_id: null, category_id: 1, brand_id: 1, unit_id: 1 };
  const flags = { is_free_price: false, is_favorite: false, is_bundle_only: false, is_deleted: false };
  const limits = { min_price: null, min_price_percent: null, min_quantity: null, images_list_thumbs: [] };
  const stamps = { created_at: 0, updated_at: 0 };
  return { ...card, ...places, ...flags, ...limits, ...stamps, sale_price, sale_currency };
}

const mapped = <T, U>(spans: readonly Span<T>[], make: (value: T) => U): Span<U>[] =>
  spans.map((span) => ({ ...span, value: make(span.value) }));

const setOf = (usd: MinorUnits): RateSet => {
  return { saleCurrency: 'uzs', rates: byCurrency((each) => (each === 'usd' ? usd : 100)) };
};

/** Creates an offline sale of one of two products each, the second priced in dollars. */
function saleOf(prices: readonly [MinorUnits, MinorUnits], known_at: number | null): OfflineSale {
  const products = prices.map((price, index) => ({
    product_id: index,
    sold_quantity: 1e8,
    price,
    discount: 0,
  }));
  return { currency: 'uzs', known_at, products, bundles: [], services: [], discount: null, transactions: [] };
}

function find(
  sale: OfflineSale,
  sold_at: number,
  first: Span<MinorUnits>[],
  second: Span<MinorUnits>[],
  usd: Span<MinorUnits>[],
) {
  const past = {
    products: new Map([
      [0, mapped(first, (price) => cardOf(0, price, 'uzs'))],
      [1, mapped(second, (price) => cardOf(1, price, 'usd'))],
    ]),
    bundles: new Map(),
    services: new Map(),
    rates: mapped(usd, setOf),
    vat: [],
    priceTypes: NO_TYPE,
  };
  const pricing = { currency: 'uzs', rates: setOf(1).rates, canDiscount: false, areNamed: true } as const;
  const check = (part: OfflineSale, moment: Moment, issues: ValidationIssues) =>
    void priceLines(part, moment, issues);
  const moment = findMoment(sale, past, { sold_at, at: AT, pricing, check });
  if (!moment) return undefined;
  const issues = new ValidationIssues();
  check(sale, moment, issues);
  return { second: moment.second, areRight: !issues.areAny };
}

/** Finds the same by asking of each second of the window in turn. */
function findSlowly(
  [first, second]: readonly [MinorUnits, MinorUnits],
  [from, to]: readonly [number, number],
  [firsts, seconds, usd]: readonly [Span<MinorUnits>[], Span<MinorUnits>[], Span<MinorUnits>[]],
): number | undefined {
  const edges = [firsts, seconds, usd].flat().flatMap(({ from: began, until }) => [began, until]);
  const all = [from, to, ...edges.flatMap((edge) => [edge - 1000, edge, edge + 1000])].map(secondOf);
  const within = all.filter((each) => each >= secondOf(from) && each <= secondOf(to));
  return within
    .sort((a, b) => b - a)
    .find((each) => {
      const isFirst = spansIn(firsts, each).some(({ value }) => value === first);
      const isSecond = spansIn(usd, each).some(({ value: rate }) =>
        spansIn(seconds, each).some(({ value }) => convertAmount(value, rate, 100) === second),
      );
      return isFirst && isSecond;
    });
}

test('the moment that is found is the latest second of its time at which all was so together, or there is none (Part 4, 4.4, 3)', () => {
  const hours = fc.integer({ min: 0, max: 40 });
  const prices = fc.tuple(
    fc.constantFrom(100, 200, 300),
    fc.constantFrom(5000, 10_000, 15_000, 20_000, 30_000),
  );
  const counts = { found: 0, none: 0 };
  fc.assert(
    fc.property(
      priced,
      priced,
      rated,
      prices,
      hours,
      fc.option(hours),
      (first, second, usd, named, ago, older) => {
        const sold_at = AT - ago * HOUR_MS;
        const known = older === null ? null : sold_at - older * HOUR_MS;
        const to = Math.min(sold_at + 5 * 60_000, AT);
        const window = [(known ?? sold_at) - 24 * HOUR_MS, to] as const;
        const expected = findSlowly(named, window, [first, second, usd]);
        const found = find(saleOf(named, known), sold_at, first, second, usd);
        if (expected === undefined) expect(found).toEqual({ second: secondOf(sold_at), areRight: false });
        else expect(found).toEqual({ second: expected, areRight: true });
        counts[expected === undefined ? 'none' : 'found'] += 1;
      },
    ),
    { numRuns: 1000 },
  );
  expect(Math.min(counts.found, counts.none)).toBeGreaterThan(70);
});

test.each([
  [12_650, 20],
  [0, undefined],
])(
  'with a hold in dollars, at a rate of %i a bundle at 25.30 sums costs %s cents: it is none without a rate (Contract 9.115)',
  (usd, price) => {
    const bundle = { id: 7, company_id: 1, creator_id: 1, is_deleted: false, created_at: 0, updated_at: 0 };
    const spans = [
      {
        value: { ...bundle, name: '', price: 2530, products: [] },
        from: Number.NEGATIVE_INFINITY,
        until: Number.POSITIVE_INFINITY,
      },
    ];
    const rates = [{ value: setOf(usd), from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY }];
    const promised = { products: new Map(), bundles: new Map(), areAdded: false };
    const pricing = { currency: 'usd', rates: setOf(usd).rates, canDiscount: false, promised } as const;
    const sale = { ...saleOf([1, 1], null), currency: 'usd', products: [] } as const;
    const none = { products: new Map(), services: new Map(), vat: [], priceTypes: NO_TYPE };
    const past = { ...none, bundles: new Map([[7, spans]]), rates };
    const moment = findMoment(sale, past, { sold_at: AT, at: AT, pricing, check: () => {} });
    expect(moment?.bundles.get(7)?.price).toBe(price);
  },
);

test('a price that changes without a reason is a defect, for any writer', () => {
  const card = { ...cardOf(1, 500, 'uzs'), updated_at: 5 };
  const other = { ...card, sale_price: 700 };
  expect(() => recordPreviousPrice(card, other)).toThrow('nobody noted why');
  expect(() => recordPreviousPrice(undefined, other)).toThrow('nobody noted why');
  expect(recordPreviousPrice(card, { ...card })).toEqual({});
  const noted = recordPriceCause(card, other, { cause: 'card', by: { id: 1 }, at: 5 });
  expect(recordPreviousPrice(card, noted)).toMatchObject({
    former: [[[[500, 'uzs', null, null], false, false, null, []], 5]],
  });
});
