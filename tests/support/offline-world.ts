import * as fc from 'fast-check';

/*
 * A shop that changes over days, and the sales of an offline client in that time, for a test with its own
 * model of offline sales. Time is divided into slots of half an hour: changes happen at the start of a slot,
 * at most one in each, and sales in the middle of one. So conditions that held together held in a slot. All
 * money is in 1/100.
 */

/** All that sales rest on in one slot. */
export interface World {
  /** A product of free price, in sums. */
  readonly free: { readonly price: number; readonly least: number };
  /** The price of a product in dollars. */
  readonly fixed: number;
  /** A bundle: its price in the sale currency, and how many pieces it has. */
  readonly bundle: { readonly price: number; readonly pieces: number };
  /** The rate of the dollar. */
  readonly usd: number;
  readonly currency: 'uzs' | 'usd';
  /** Debt limit of the client in sums. */
  readonly limit: number | null;
}

export const FIRST_WORLD: World = {
  free: { price: 500_000, least: 200_000 },
  fixed: 200,
  bundle: { price: 900_000, pieces: 2 },
  usd: 1_200_000,
  currency: 'uzs',
  limit: null,
};

/** As many slots as are played: sixty hours. */
export const SLOTS = 120;

/** Slots of a day: the maximum age of a replica when it is synced. */
const DAY = 48;

/** Event at the start of a slot; a stocktake of the warehouse changes nothing. */
export const happening = fc.record({
  slot: fc.integer({ min: 1, max: SLOTS - 1 }),
  what: fc.constantFrom(...(['free', 'fixed', 'bundle', 'usd', 'currency', 'limit', 'count'] as const)),
  value: fc.integer({ min: 0, max: 9 }),
});

export type Happening = typeof happening extends fc.Arbitrary<infer H> ? H : never;

const LIMITS = [null, 0, 1_000_000, 5_000_000];

/** Returns a world after an event. */
export function worldAfter(world: World, { what, value }: Happening): World {
  switch (what) {
    case 'free':
      return { ...world, free: { price: 400_000 + 100_000 * value, least: 100_000 + 50_000 * (value % 5) } };
    case 'fixed':
      return { ...world, fixed: 100 + 25 * value };
    case 'bundle':
      return { ...world, bundle: { price: 300_000 + 50_000 * value, pieces: 1 + (value % 3) } };
    case 'usd':
      return { ...world, usd: 1_100_000 + 10_000 * value };
    case 'currency':
      return { ...world, currency: world.currency === 'uzs' ? 'usd' : 'uzs' };
    case 'limit':
      return { ...world, limit: LIMITS[value % LIMITS.length] ?? null };
    case 'count':
      return world;
  }
}

const slot = fc.integer({ min: 0, max: SLOTS - 2 });

/** Sale of a client: by its data of one slot, or if it cheats, by the best of several. */
export const selling = fc.record({
  seen: slot,
  /** Slots until its replica was synced, and from then to the sale. */
  known: fc.integer({ min: 0, max: 30 }),
  sold: fc.integer({ min: 0, max: 17 }),
  isKnownNamed: fc.boolean(),
  free: fc.integer({ min: 1, max: 3 }),
  fixed: fc.integer({ min: 0, max: 2 }),
  bundles: fc.integer({ min: 0, max: 2 }),
  bargain: fc.constantFrom(...(['own', 'own', 'least', 'more'] as const)),
  pays: fc.constantFrom(...(['own', 'foreign', 'foreign', 'debt'] as const)),
  cheats: fc.option(fc.record({ free: slot, fixed: slot, bundle: slot, usd: slot }), { freq: 2 }),
});

export type Selling = typeof selling extends fc.Arbitrary<infer S> ? S : never;

/** Requested sale, without its goods. */
export interface SaleOfTill {
  readonly currency: World['currency'];
  readonly prices: { readonly free: number; readonly fixed: number; readonly bundle: number };
  readonly total: number;
  readonly paid: { readonly currency: World['currency']; readonly amount: number; readonly change: number };
}

/** Builds the request of a client, by the worlds of the slots. */
export function askFor(worldAt: (slot: number) => World, given: Selling): SaleOfTill {
  const { seen, cheats } = given;
  const of = (what: 'free' | 'fixed' | 'bundle' | 'usd') => worldAt(cheats?.[what] ?? seen);
  const { currency } = worldAt(seen);
  const { own, least } = pricesOfFree({ ...of('free'), currency });
  const asked = { own, least, more: own + 100 };
  const prices = {
    free: asked[given.bargain],
    fixed: priceOfFixed({ ...of('fixed'), currency }),
    bundle: of('bundle').bundle.price,
  };
  const total = prices.free * given.free + prices.fixed * given.fixed + prices.bundle * given.bundles;
  const world = { ...of('usd'), currency };
  if (given.pays !== 'foreign')
    return { currency, prices, total, paid: { currency, amount: total, change: 0 } };
  const foreign = currency === 'uzs' ? 'usd' : 'uzs';
  const amount =
    Math.ceil((total * rateIn(world, currency)) / rateIn(world, foreign)) + (given.sold % 2) * 100;
  return {
    currency,
    prices,
    total,
    paid: { currency: foreign, amount, change: worthIn(world, foreign, amount) - total },
  };
}

/** Returns whether a world allows a sale, and whether all its prices are that world's. */
function judge(
  world: World,
  given: Selling,
  { currency, prices, total, paid }: SaleOfTill,
): 'own' | 'let' | null {
  const { own, least } = pricesOfFree(world);
  const isAllowed =
    currency === world.currency &&
    (prices.free === own || prices.free >= least) &&
    (given.fixed === 0 || prices.fixed === priceOfFixed(world)) &&
    (given.bundles === 0 || prices.bundle === world.bundle.price) &&
    (paid.currency === currency || worthIn(world, paid.currency, paid.amount) - total === paid.change);
  if (!isAllowed) return null;
  return prices.free === own ? 'own' : 'let';
}

/** Returns the slots of a till's replica and of its sale. */
export function slotsOf({ seen, known, sold }: Selling): { readonly known: number; readonly sold: number } {
  const up = Math.min(seen + known, SLOTS - 1);
  return { known: up, sold: Math.min(up + sold, SLOTS - 1) };
}

/** Returns the slot that applies to a sale: the latest with its own prices, else the latest of all. */
export function slotFor(
  worldAt: (slot: number) => World,
  given: Selling,
  asked: SaleOfTill,
): number | undefined {
  const { known, sold } = slotsOf(given);
  const from = (given.isKnownNamed ? known : sold) - DAY;
  const slots = Array.from({ length: sold - from + 1 }, (_, index) => sold - index);
  const judged = slots.map((each) => ({ each, how: judge(worldAt(each), given, asked) }));
  return (judged.find(({ how }) => how === 'own') ?? judged.find(({ how }) => how === 'let'))?.each;
}

function rateIn({ usd }: World, currency: World['currency']): number {
  return currency === 'uzs' ? 100 : usd;
}

function convert(world: World, cents: number, from: World['currency']): number {
  const [theirs, ours] = [rateIn(world, from), rateIn(world, world.currency)];
  return Math.floor((2 * cents * theirs + ours) / (2 * ours));
}

function pricesOfFree(world: World): { readonly own: number; readonly least: number } {
  const { price, least } = world.free;
  return { own: convert(world, price, 'uzs'), least: convert(world, least, 'uzs') };
}

function priceOfFixed(world: World): number {
  return convert(world, world.fixed, 'usd');
}

/** Converts foreign cash, rounded down. */
function worthIn(world: World, from: World['currency'], amount: number): number {
  return Math.floor((amount * rateIn(world, from)) / rateIn(world, world.currency));
}
