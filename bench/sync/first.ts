import { setTimeout as pause } from 'node:timers/promises';
import { copyDocument } from '#bench/support/copy-document.ts';
import { type MeasuredShop, openMeasuredShop } from '#bench/support/measured-shop.ts';
import type { Scale } from '#bench/support/scale.ts';
import { quantile } from '#bench/support/service.ts';
import { saleBodyOf } from '#bench/support/shop.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { SyncQuery, sync } from '#lib/sync/sync.ts';
import { appendToFeed } from '#lib/table/feed/pages.ts';
import { newMeter, roundTripsOf, runInContext, unitsOf } from '#lib/table/request-context.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { fetchSyncPage, type MeasuredPage } from './page.ts';

const SALES = 100_000;
const LINES = 3;

/** The largest page, for the fewest requests: a caller has three hundred a minute. */
const LONGEST_PAGE = 500;

const CHANGES = 200;

/** Entries per append, like a stream batch with several sales. */
const CHANGES_AT_ONCE = 10;

const SETTLING_MS = 2_000;

/** Final pages: thirty a minute are allowed. */
const TIMES = 10;

/** Cost of a sync's pages. Round trips and units are those of reading alone, without authentication. */
interface PageFigure {
  readonly what: string;
  readonly calls: number;
  readonly seconds?: number;
  readonly p50_ms: number;
  readonly round_trips: number;
  readonly beside_caller?: number;
  /** Of a page, and of all. */
  readonly units: number;
  readonly all_units?: number;
  readonly units_beside_caller?: number;
}

/**
 * Syncs sales with lines from the beginning, then pages of changes, then empty pages. The table has no
 * stream: direct writes need no consumer, and the changes are appended to the feed here.
 */
export async function measureFirst({ isSmallest }: Scale): Promise<readonly object[]> {
  const stage = await openMeasuredShop({ products: LINES, desks: 1 }, { WITHOUT_STREAM: '1' });
  const { shop, actor, client } = stage;
  const id = await client.make('/company/trade/sale', saleBodyOf(shop, shop.desks[0] ?? 0, shop.products));
  const count = isSmallest ? CHANGES : SALES;
  const sale = { type: sales.type, tenant: actor.tenant, id };
  await copyDocument(sale, count, (_, copy) => ({ code: `#${copy}` }));
  // The service has closed idle connections: the client notices that now, and not during a request.
  await pause(SETTLING_MS);
  const { figure, cursor } = await copyAll(stage, count);
  const figures = [figure, ...(await measureChanges(stage, cursor, isSmallest ? 1 : TIMES))];
  await stage.stop();
  return figures;
}

async function copyAll(stage: MeasuredShop, count: number) {
  const pages: MeasuredPage[] = [];
  const ids = new Set<number>();
  const began = performance.now();
  do {
    const page = await fetchSyncPage(stage, pages.at(-1)?.cursor, LONGEST_PAGE);
    for (const { id, record } of page.data) {
      expectCount(`Lines of sale ${id}`, Object(record['products']).length, LINES);
      ids.add(id);
    }
    pages.push(page);
  } while (pages.at(-1)?.has_more);
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  if (ids.size <= count) throw new Error(`${ids.size} sales were copied, of more than ${count}`);
  const what = `first copy of ${ids.size} sales of ${LINES} lines`;
  const all_units = pages.reduce((sum, { line }) => sum + line.capacity_units, 0);
  return { figure: { ...figureOf(what, pages), seconds, all_units }, cursor: pages.at(-1)?.cursor };
}

async function measureChanges(stage: MeasuredShop, from: string | undefined, times: number) {
  const { actor } = stage;
  await appendChanges(actor, 1);
  const beside = await readAlone(actor, from);
  expectCount('Changes, read alone', beside.entries, CHANGES);
  const changes: MeasuredPage[] = [];
  const empty: MeasuredPage[] = [];
  for (let time = 0; time < times; time++) {
    if (time > 0) await appendChanges(actor, 1 + time * CHANGES);
    const page = await fetchSyncPage(stage, empty.at(-1)?.cursor ?? from, CHANGES);
    expectCount('Changes', page.data.length, CHANGES);
    changes.push(page);
    const last = await fetchSyncPage(stage, page.cursor, CHANGES);
    expectCount('Changes after them', last.data.length, 0);
    empty.push(last);
  }
  const besideLast = await readAlone(actor, empty.at(-1)?.cursor);
  return [
    besideCaller(figureOf(`page of ${CHANGES} changed sales`, changes), beside),
    besideCaller(figureOf('page of nothing', empty), besideLast),
  ];
}

/** Cost of reading a page alone. */
interface Alone {
  readonly entries: number;
  readonly trips: number;
  readonly units: number;
}

/** Appends changes of sales to the feed, from an id on. */
async function appendChanges({ tenant, companyId }: Staff, from: number): Promise<void> {
  for (let appended = 0; appended < CHANGES; appended += CHANGES_AT_ONCE) {
    const entries = Array.from(
      { length: CHANGES_AT_ONCE },
      (_, index) => ['trade.sale', from + appended + index, companyId, null, null] as const,
    );
    await appendToFeed(
      tenant,
      entries.map((entry) => [...entry]),
      Date.now(),
    );
  }
}

/** Reads a page without authentication and without counting the request. */
async function readAlone(actor: Staff, cursor: string | undefined): Promise<Alone> {
  const meter = newMeter();
  const query = SyncQuery.parse({ cursor, limit: CHANGES });
  const { data } = await runInContext({ meter }, () => sync({ actor, query, at: Date.now(), locale: 'ru' }));
  const reading = { ...meter, calls: meter.calls.filter(({ isWrite }) => !isWrite) };
  return { entries: data.length, trips: roundTripsOf(reading), units: unitsOf(reading) };
}

function figureOf(what: string, pages: readonly MeasuredPage[]): PageFigure {
  return {
    what,
    calls: pages.length,
    p50_ms: quantile(pages.map(({ ms }) => ms)),
    round_trips: Math.max(...pages.map(({ line }) => line.round_trips)),
    units: quantile(pages.map(({ line }) => line.capacity_units)),
  };
}

function besideCaller(figure: PageFigure, { trips, units }: Alone): PageFigure {
  return { ...figure, beside_caller: trips, units_beside_caller: units };
}

function expectCount(what: string, is: number, expected: number): void {
  if (is !== expected) throw new Error(`${what}: ${is} instead of ${expected}`);
}
