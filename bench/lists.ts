import { type Load, measureUnderLoad, type ReadSchedule } from '#bench/lists/load.ts';
import {
  kinds,
  type ListFigure,
  type ListKind,
  measureIndexedPage,
  measurePage,
  pageCost,
  pagesOf,
} from '#bench/lists/page.ts';
import { loadSales, salesOf } from '#bench/support/sales.ts';
import { type Scale, sizesOf } from '#bench/support/scale.ts';
import { startMeasured } from '#bench/support/service.ts';
import { indexLoadedItems, updateRollupKinds } from '#bench/support/write-items.ts';
import { ALL_ROLLUPS } from '#lib/reports/rollups/all.ts';
import { contains } from '#lib/table/expression.ts';
import type { Source } from '#lib/table/keys.ts';
import { newMeter, runInContext, writeUnitsOf } from '#lib/table/request-context.ts';

const SIZES = [1000, 10_000, 100_000, 1_000_000];

const CARE: ReadSchedule = { times: 5, isEachPage: true, before_ms: 8000, refused_ms: 62_000 };
const LEAST_CARE: ReadSchedule = { times: 1, isEachPage: false, before_ms: 500, refused_ms: 500 };

const LOADS: readonly Load[] = [
  { name: 'under load' },
  { name: 'under load, a tenth refused', refusedOneIn: 10 },
];

/** A full scan of headers costs the same every time, and is rejected for too many records. */
const MAX_SCANNED = 100_000;

/** Reads lists of sales, of a thousand and more, each in a family of its own, while others are created. */
export async function measureLists(scale: Scale): Promise<ListFigure[]> {
  const service = await startMeasured();
  Object.assign(process.env, service.settings);
  const care = scale.isSmallest ? LEAST_CARE : CARE;
  const figures: ListFigure[] = [];
  for (const size of sizesOf(scale, SIZES)) {
    const source = salesOf(size);
    await loadSales(source, size, Date.now());
    figures.push(await measureBuilding(source, size));
    // Otherwise the worker, which updates rollups too, would do this first while lists are read under load.
    await updateRollupKinds(ALL_ROLLUPS, source.tenant);
    for (const kind of kinds()) figures.push(...(await measureKind(source, size, kind, care)));
    for (const kind of size <= MAX_SCANNED ? SCANNED : [])
      figures.push(await measureScan(source, size, kind));
    for (const load of LOADS) figures.push(...(await measureUnderLoad(source, size, load, care)));
  }
  await service.stop();
  return figures;
}

const SCANNED: readonly ListKind[] = [
  ['with a part of a text', { where: [contains('code', '99')] }],
  ['by another order', { sort: { field: 'sold_amount', descending: false } }],
];

/**
 * Measures the building of indexes, which readers don't wait for. Units are read and written; round trips are
 * sequential.
 */
async function measureBuilding(source: Source, sales: number): Promise<ListFigure> {
  const meter = newMeter();
  const began = performance.now();
  await runInContext({ meter }, () => indexLoadedItems(source));
  const ms = Math.round(performance.now() - began);
  const written = Math.round(writeUnitsOf(meter));
  return { sales, list: 'building', page: `${written} units written`, ...pageCost(meter), ms };
}

async function measureKind(
  source: Source,
  sales: number,
  [list, given]: ListKind,
  { times }: ReadSchedule,
): Promise<ListFigure[]> {
  const first = await measureIndexedPage(source, given, 1);
  const figures: ListFigure[] = [{ sales, list, page: '1, first read', ...first.cost }];
  for (const [page, number] of pagesOf(first.result.total)) {
    const costs = [];
    for (let time = 0; time < times; time++)
      costs.push((await measureIndexedPage(source, given, number)).cost);
    const middle = costs.toSorted((a, b) => a.ms - b.ms)[Math.floor(times / 2)];
    if (middle) figures.push({ sales, list, page, ...middle });
  }
  return figures;
}

async function measureScan(source: Source, sales: number, [list, given]: ListKind): Promise<ListFigure> {
  return { sales, list, page: '1', ...(await measurePage(source, given, 1)).cost };
}
