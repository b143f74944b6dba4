import { setTimeout as pause } from 'node:timers/promises';
import { inScope } from '#lib/table/call-scope.ts';
import { contains, equals, oneOf, within } from '#lib/table/expression.ts';
import { listItems } from '#lib/table/list/list.ts';
import { newMeter, roundTripsOf, unitsOf, writeUnitsOf } from '#lib/table/meter.ts';
import type { ListRequest, Page, Source } from '#lib/table/rows/request.ts';
import { dayOf, startOfDay } from '#lib/values/time.ts';
import { foldSales, loadSales, makeSale, salesOf } from './kit/sales.ts';
import { type Scale, sizesOf } from './kit/scale.ts';
import { quantile, startMeasured } from './kit/service.ts';

/**
 * The cost of a page of a list. Read again: the median of several times; under load: the largest of several
 * times.
 */
export interface ListFigure {
  readonly sales: number;
  readonly list: string;
  readonly page: string;
  readonly round_trips: number;
  readonly capacity_units: number;
  readonly ms: number;
}

type Kind = readonly [name: string, request: Partial<Pick<ListRequest, 'where' | 'sort'>>];

const SIZES = [1000, 10_000, 100_000, 1_000_000];
const PAGE_SIZE = 20;

/** How often a page is read, and how long is sold before it is read under load. */
interface Care {
  readonly times: number;
  readonly before_ms: number;
  /** The same if some sales are refused: lists ask for a missing id for a minute. */
  readonly refused_ms: number;
}

const CARE: Care = { times: 5, before_ms: 8000, refused_ms: 62_000 };
const LEAST_CARE: Care = { times: 1, before_ms: 500, refused_ms: 500 };

/** Fifty sales a second, and how many of them one is refused of. */
interface Load {
  readonly name: string;
  readonly refusedOneIn?: number;
}

const LOADS: readonly Load[] = [
  { name: 'under load' },
  { name: 'under load, a tenth refused', refusedOneIn: 10 },
];

const EACH_MS = 20;
const NEWEST = { field: 'id', descending: true };

/** A read of all headers costs the same every time, and is refused if there are too many. */
const MOST_SCANNED = 100_000;

/** Reads lists of sales, of a thousand and more, each in a family of its own, while some are made. */
export async function measureLists(scale: Scale): Promise<ListFigure[]> {
  const service = await startMeasured();
  Object.assign(process.env, service.settings);
  const care = scale.isSmallest ? LEAST_CARE : CARE;
  const figures: ListFigure[] = [];
  for (const size of sizesOf(scale, SIZES)) {
    const source = salesOf(size);
    await loadSales(source, size, Date.now());
    figures.push(await measureBuilding(source, size));
    for (const kind of kinds()) figures.push(...(await measureKind(source, size, kind, care)));
    for (const kind of size <= MOST_SCANNED ? SCANNED : [])
      figures.push(await measureScan(source, size, kind));
    for (const load of LOADS) figures.push(...(await measureUnderLoad(source, size, load, care)));
  }
  await service.stop();
  return figures;
}

function kinds(): Kind[] {
  const today = within('created_at', startOfDay(dayOf(Date.now())), Number.MAX_SAFE_INTEGER);
  const month = within(
    'created_at',
    startOfDay(dayOf(Date.now() - 30 * 86_400_000)),
    Number.MAX_SAFE_INTEGER,
  );
  const desks = oneOf('cashbox_id', [1, 2, 5]);
  return [
    ['all', {}],
    ['today', { where: [today] }],
    ['of thirty days', { where: [month] }],
    ['of a client', { where: [equals('client_id', 7)] }],
    ['of three desks', { where: [desks] }],
    ['deleted', { where: [equals('is_deleted', true)] }],
    ['not deleted', { where: [equals('is_deleted', false)] }],
    ['of a status', { where: [equals('status', 'full_returned')] }],
    ['of three desks, of a status', { where: [desks, equals('status', 'full_returned')] }],
    ['of three desks, today', { where: [desks, today] }],
  ];
}

const SCANNED: readonly Kind[] = [
  ['with a part of a text', { where: [contains('code', '99')] }],
  ['by another order', { sort: { field: 'sold_amount', descending: false } }],
];

/**
 * Measures the building of indexes, which no reader pays for. Units are read and written, a round trip is one
 * after the other.
 */
async function measureBuilding(source: Source, sales: number): Promise<ListFigure> {
  const meter = newMeter();
  const began = performance.now();
  await inScope({ meter }, () => foldSales(source));
  const ms = Math.round(performance.now() - began);
  const written = Math.round(writeUnitsOf(meter));
  return { sales, list: 'building', page: `${written} units written`, ...costOf(meter), ms };
}

async function measureKind(
  source: Source,
  sales: number,
  [list, given]: Kind,
  { times }: Care,
): Promise<ListFigure[]> {
  const first = await measurePage(source, given, 1);
  const last = Math.max(1, Math.ceil(first.result.total / PAGE_SIZE));
  const figures: ListFigure[] = [{ sales, list, page: '1, first read', ...first.cost }];
  for (const [page, number] of pagesOf(last)) {
    const costs = [];
    for (let time = 0; time < times; time++) costs.push((await measurePage(source, given, number)).cost);
    const middle = costs.toSorted((a, b) => a.ms - b.ms)[Math.floor(times / 2)];
    if (middle) figures.push({ sales, list, page, ...middle });
  }
  return figures;
}

async function measureScan(source: Source, sales: number, [list, given]: Kind): Promise<ListFigure> {
  return { sales, list, page: '1', ...(await measurePage(source, given, 1)).cost };
}

/**
 * Makes fifty sales a second, each header with an id of its own and in a transaction, like a sale's, while
 * the service's worker folds them in and lists are read.
 */
async function measureUnderLoad(
  source: Source,
  sales: number,
  { name, refusedOneIn = Number.POSITIVE_INFINITY }: Load,
  care: Care,
): Promise<ListFigure[]> {
  let isOver = false;
  const selling = sellUntil(source, () => isOver, refusedOneIn);
  await pause(Number.isFinite(refusedOneIn) ? care.refused_ms : care.before_ms);
  const figures: ListFigure[] = [];
  for (const [list, given] of kinds()) {
    const first = await measurePage(source, given, 1);
    const last = Math.max(1, Math.ceil(first.result.total / PAGE_SIZE));
    for (const [page, number] of pagesOf(last))
      figures.push(await mostOf(source, sales, [list, given], [`${page}, ${name}`, number], care));
  }
  isOver = true;
  const rate = await selling;
  const none = { round_trips: 0, capacity_units: 0, ms: 0 };
  return [...figures, { sales, list: `made meanwhile: ${rate} a second`, page: '', ...none }];
}

async function mostOf(
  source: Source,
  sales: number,
  [list, given]: Kind,
  [page, number]: readonly [name: string, number: number],
  { times }: Care,
): Promise<ListFigure> {
  const costs = [];
  for (let time = 0; time < times; time++) {
    costs.push((await measurePage(source, given, number)).cost);
    await pause(100);
  }
  return {
    sales,
    list,
    page,
    round_trips: Math.max(...costs.map(({ round_trips }) => round_trips)),
    capacity_units: Math.max(...costs.map(({ capacity_units }) => capacity_units)),
    ms: quantile(costs.map(({ ms }) => ms)),
  };
}

/** Makes sales, of which one in so many is refused; answers with their number a second. */
async function sellUntil(source: Source, isOver: () => boolean, refusedOneIn: number): Promise<number> {
  const made: Promise<void>[] = [];
  const began = performance.now();
  while (!isOver()) {
    await pause(Math.max(0, began + made.length * EACH_MS - performance.now()));
    made.push(makeSale(source, Date.now(), made.length % refusedOneIn === refusedOneIn - 1));
  }
  await Promise.all(made);
  return Math.round((made.length * 10_000) / (performance.now() - began)) / 10;
}

function pagesOf(last: number): readonly (readonly [name: string, number: number])[] {
  return [
    ['1', 1],
    ['middle', Math.ceil(last / 2)],
    ['last', last],
  ];
}

async function measurePage(source: Source, given: Kind[1], page: number) {
  const meter = newMeter();
  const began = performance.now();
  const request = { where: [], sort: NEWEST, ...given, page, pageSize: PAGE_SIZE };
  const result: Page<unknown> = await inScope({ meter }, () => listItems(source, request));
  const ms = Math.round((performance.now() - began) * 10) / 10;
  const rows = Math.max(0, Math.min(PAGE_SIZE, result.total - (page - 1) * PAGE_SIZE));
  if (result.rows.length !== rows || result.total === 0) {
    throw new Error(`Page ${page} has ${result.rows.length} rows of ${result.total}`);
  }
  return { result, cost: { ...costOf(meter), ms } };
}

function costOf(meter: ReturnType<typeof newMeter>) {
  return { round_trips: roundTripsOf(meter), capacity_units: unitsOf(meter) };
}
