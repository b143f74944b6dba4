import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Staff } from '#lib/auth/actor.ts';
import type { SyncType } from '#lib/records/sync-type.ts';
import { rightFor } from '#lib/sync/right.ts';
import { SyncQuery, sync } from '#lib/sync/sync.ts';
import { appendToFeed, type FeedEntry } from '#lib/table/feed/pages.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { newMeter, roundTripsOf, runInContext, unitsOf } from '#lib/table/request-context.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { type Day, newDay } from '#tests/journeys/random-day/day.ts';
import { live } from '#tests/journeys/random-day/live.ts';
import { anyStep } from '#tests/journeys/random-day/steps.ts';
import { directorAs } from '#tests/support/family.ts';
import { TYPES } from '#tests/support/sync.ts';

/** Round trips of a page, without those of authentication, which are one of a user, and two of a key. */
const MAX_TRIPS = 4;

/** Attempts at a figure that a busy machine may raise. */
const TRIES = 10;

const PEOPLE = 3;
const STEPS_EACH = 40;

let day: Day;
let told: FeedEntry[];

beforeAll(async () => {
  day = await newDay(PEOPLE);
  const steps = fc.sample(anyStep, { seed: 11, numRuns: PEOPLE * STEPS_EACH });
  const ways = splitEvery(
    steps.map((step) => ({ ...step, kill: null })),
    STEPS_EACH,
  );
  await Promise.all(day.actors.map((actor, index) => live(day, actor, ways[index] ?? [])));
  told = (await readAll(director(), TYPES)).flatMap(({ data }) =>
    data.map(({ type, id }): FeedEntry => [type, id, null, null, null]),
  );
});

const director = (): Staff => directorAs(day.actors[0]?.id ?? 0, day.companyId);

/** Callers of every width. */
const CALLERS: Readonly<Record<string, () => Staff>> = {
  'a director of all': director,
  'a director of a branch': () => ({ ...director(), companies: [day.branch.companyId] }),
  'who reaches one desk and one warehouse': () => ({
    ...director(),
    type: 'employee',
    rights: TYPES.flatMap((type) => rightFor(type) ?? []),
    companies: [day.companyId],
    warehouses: day.stockIds.slice(0, 1),
    cashDesks: day.cashboxIds.slice(0, 1),
  }),
  'who reaches nothing': () => ({ ...director(), companies: [], warehouses: [], cashDesks: [] }),
};

interface Asked {
  readonly types?: readonly SyncType[];
  readonly cursor?: string;
  readonly limit?: number;
}

// A minute allows thirty responses without changes.
const APART_MS = 2000;

let calls = 0;

/** Reads a page, again if it takes long: a call that begins late seems to have waited for another. */
async function measure(actor: Staff, asked: Asked) {
  for (let tries = 1; ; tries++) {
    const page = await measureOnce(actor, asked);
    if (page.trips <= MAX_TRIPS || tries === TRIES) return page;
  }
}

async function measureOnce(actor: Staff, asked: Asked) {
  const meter = newMeter();
  const query = SyncQuery.parse(asked);
  calls += 1;
  const at = Date.now() + calls * APART_MS;
  const page = await runInContext({ meter }, () => sync({ actor, query, at, locale: 'ru' }));
  // The cost of counting is excluded from the figures.
  const reading = { ...meter, calls: meter.calls.filter(({ isWrite }) => !isWrite) };
  return { ...page, units: unitsOf(reading), trips: roundTripsOf(reading) };
}

/** Reads to the end. */
async function readAll(actor: Staff, types: readonly SyncType[], from: Asked = { types }) {
  const pages = [await measure(actor, from)];
  for (let last = pages[0]; last?.has_more; last = pages.at(-1)) {
    pages.push(await measure(actor, { ...from, types, cursor: last.cursor }));
  }
  return pages;
}

const max = (pages: readonly { readonly trips: number }[]) => Math.max(...pages.map(({ trips }) => trips));

test.each(Object.entries(CALLERS))(
  '%s: a page of 200 costs at most 5 round trips with that of knowing the caller, an empty one 1 more',
  async (_, caller) => {
    const actor = caller();
    const lined = ['trade.sale', 'stock.product', 'trade.purchase', 'cashbox.currency-rate'] as const;
    for (const types of [TYPES, TYPES.toReversed(), lined, ['trade.sale'] as const]) {
      const first = await readAll(actor, types);
      expect(max(first)).toBeLessThanOrEqual(MAX_TRIPS);
      await appendToFeed(familyTenant(day.companyId), told, Date.now());
      const cursor = String(first.at(-1)?.cursor);
      const news = await readAll(actor, types, { cursor });
      expect(max(news)).toBeLessThanOrEqual(MAX_TRIPS);
      const empty = await measure(actor, { cursor: String(news.at(-1)?.cursor) });
      expect(empty).toMatchObject({ data: [], has_more: false, trips: 1 });
      expect(empty.units).toBeLessThanOrEqual(3);
    }
  },
);

test('a branch’s director hears of the balances of its warehouses alone, however many others change', async () => {
  const actor = { ...director(), companies: [day.branch.companyId] };
  const types = ['stock.product'] as const;
  const first = await readAll(actor, types);
  const balances = first.flatMap(({ data }) => data.map(({ id }) => id));
  expect(balances.length).toBeGreaterThan(0);
  const everywhere = await readAll(director(), types);
  const entries = everywhere.flatMap(({ data }) =>
    data.map(({ id, record }): FeedEntry => ['stock.product', id, null, null, Object(record).stock_id]),
  );
  expect(entries.length).toBeGreaterThan(balances.length);
  await appendToFeed(familyTenant(day.companyId), entries, Date.now());
  const news = await readAll(actor, types, { cursor: String(first.at(-1)?.cursor), limit: 1 });
  expect(news.flatMap(({ data }) => data.map(({ id }) => id)).toSorted()).toEqual(balances.toSorted());
  expect(news.filter(({ data }) => data.length > 0)).toHaveLength(balances.length);
});
