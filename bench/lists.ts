import { startDatabase } from '#bin/local/database.ts';
import { atLeast, type Expression, equals, lessThan } from '#lib/table/expression.ts';
import { listItems } from '#lib/table/list.ts';
import type { ListRequest, Page, Source } from '#lib/table/list-request.ts';
import { metered, newMeter, roundTripsOf, unitsOf } from '#lib/table/meter.ts';
import { loadSales, salesOf } from './sales.ts';

/** What a page of a list costs. The first read of a list builds its memo; the others are medians of reads after it. */
export interface ListFigure {
  readonly sales: number;
  readonly list: string;
  readonly page: string;
  readonly round_trips: number;
  readonly capacity_units: number;
  readonly ms: number;
  /** How much more memory the process held at the most, where that was looked at. */
  readonly memory_mb?: number;
}

const TABLE = 'bench';
const SIZES = [1000, 10_000, 100_000, 1_000_000];
const PAGE_SIZE = 20;
const WARM = 9;
const DAY_MS = 86_400_000;

/** What reads all headers is slow where there are many, and costs the same every time. */
const MOST_SCANNED = 10_000;

type Kind = readonly [name: string, filters: Pick<ListRequest, 'settled' | 'where'>];

/** Reads lists of sales, of a thousand and more, in a database of its own. */
export async function measureLists(): Promise<ListFigure[]> {
  const place = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
  Object.assign(process.env, { ...place, TABLE_NAME: TABLE });
  const database = await startDatabase(TABLE, undefined);
  process.env['AWS_ENDPOINT_URL_DYNAMODB'] = database.endpoint;
  const figures: ListFigure[] = [];
  for (const size of SIZES) {
    const source = salesOf(size);
    const now = Date.now();
    await loadSales(source, size, now);
    for (const kind of kinds(now)) figures.push(...(await measureKind(source, size, kind, now)));
  }
  await database.stop();
  return figures;
}

function kinds(now: number): Kind[] {
  const settled = (...filters: Expression[]) => ({ settled: filters, where: [] });
  return [
    ['all', settled()],
    ['of a company', settled(equals('company_id', 2))],
    ['of a client', settled(equals('client_id', 7))],
    [
      'of a period',
      // A fifth of the year: its last page is full at every size, so that full pages are compared.
      settled(atLeast('created_at', now - 200 * DAY_MS), lessThan('created_at', now - 127 * DAY_MS)),
    ],
    ['of a status', { settled: [], where: [equals('status', 'full_returned')] }],
  ];
}

async function measureKind(
  source: Source,
  sales: number,
  [list, filters]: Kind,
  at: number,
): Promise<ListFigure[]> {
  const sort = { field: 'id', descending: true };
  const read = (page: number) => listItems(source, { ...filters, sort, page, pageSize: PAGE_SIZE }, at);
  const first = await peaking(() => measured(() => read(1)));
  const last = Math.max(1, Math.ceil(first.result.total / PAGE_SIZE));
  const figures: ListFigure[] = [
    { sales, list, page: '1, first read', ...first.cost, memory_mb: first.megabytes },
  ];
  const times = filters.where.length > 0 && sales > MOST_SCANNED ? 1 : WARM;
  for (const [page, number] of [
    ['1', 1],
    ['middle', Math.ceil(last / 2)],
    ['last', last],
  ] as const) {
    const costs = [];
    for (let time = 0; time < times; time++) costs.push((await measured(() => read(number))).cost);
    const middle = costs.toSorted((a, b) => a.ms - b.ms)[Math.floor(times / 2)];
    if (middle) figures.push({ sales, list, page, ...middle });
  }
  return figures;
}

async function measured(work: () => Promise<Page<unknown>>) {
  const meter = newMeter();
  const began = performance.now();
  const result = await metered(meter, work);
  const ms = Math.round((performance.now() - began) * 10) / 10;
  return { result, cost: { round_trips: roundTripsOf(meter), capacity_units: unitsOf(meter), ms } };
}

/** Does something and looks at the process's memory meanwhile. */
async function peaking<T extends object>(
  work: () => Promise<T>,
): Promise<T & { readonly megabytes: number }> {
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 50);
  const result = await work();
  clearInterval(watch);
  return { ...result, megabytes: Math.round((peak - before) / 1_048_576) };
}
