import { setTimeout as pause } from 'node:timers/promises';
import { pageCost } from '#bench/lists/page.ts';
import { type Scale, sizesOf } from '#bench/support/scale.ts';
import { quantile, startMeasured } from '#bench/support/service.ts';
import { searchFilter } from '#lib/records/query/search-filter.ts';
import { equals } from '#lib/table/expression.ts';
import type { Source } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { newMeter, runInContext, writeUnitsOf } from '#lib/table/request-context.ts';
import { updateSearch } from '#lib/table/search/update.ts';
import { loadProducts, productsOf } from './products.ts';
import { newWriter } from './writer.ts';

/** Cost of a first page of a search: the median of several; beside writes the largest. */
interface SearchFigure {
  readonly products: number;
  readonly search: string;
  readonly found: number | string;
  readonly round_trips: number;
  readonly capacity_units: number;
  readonly ms: number;
}

const SIZES = [1000, 10_000, 100_000];

export const SEARCHES = [
  ['a word', 'чой'],
  ['three words', 'kok choy nestl'],
  ['two words of Russian', 'хлеб белый'],
  ['a letter', 'k'],
  ['eight letters', 'k c n b o s g 1'],
  ['a digit, of every barcode', '4'],
  ['a whole barcode', '4780007368787'],
  ['none', 'qwertz'],
] as const;

const PAGE = { sort: { field: 'id', descending: true, isDefault: true }, page: 1, pageSize: 20 };
const TIMES = 5;

/** Searches products of names in three scripts, at rest and beside fifty writes a second. */
export async function measureSearch(scale: Scale): Promise<SearchFigure[]> {
  const service = await startMeasured();
  Object.assign(process.env, service.settings);
  const figures: SearchFigure[] = [];
  for (const size of sizesOf(scale, SIZES)) {
    const source = productsOf(size);
    await loadProducts(source, size, Date.now());
    figures.push(await measureBuilding(source, size));
    const times = scale.isSmallest ? 1 : TIMES;
    for (const [search, text] of SEARCHES) figures.push(await figureOf(source, size, [search, text], times));
    figures.push(...(await besideWrites(source, size, scale.isSmallest ? 500 : 8000, times)));
  }
  await service.stop();
  return figures;
}

export async function measureBuilding(source: Source, products: number): Promise<SearchFigure> {
  const meter = newMeter();
  const began = performance.now();
  await runInContext({ meter }, async () => {
    for (let isMore = true; isMore; ) isMore = (await updateSearch(source, Date.now()))?.isMore ?? true;
  });
  const ms = Math.round(performance.now() - began);
  const { round_trips, capacity_units } = pageCost(meter);
  const found = `${Math.round(writeUnitsOf(meter))} units written`;
  return { products, search: 'building', found, round_trips, capacity_units, ms };
}

export async function searchOnce(source: Source, text: string, where = [equals('is_deleted', false)]) {
  const filter = searchFilter(source.search ?? []).parse(text);
  const meter = newMeter();
  const began = performance.now();
  const request = { ...PAGE, where: [filter, ...where] };
  const { total, rows } = await runInContext({ meter }, () => listItems(source, request));
  return { total, ids: rows.map(({ id }) => id), ms: performance.now() - began, ...pageCost(meter) };
}

async function figureOf(
  source: Source,
  products: number,
  [search, text]: readonly [string, string],
  times: number,
): Promise<SearchFigure> {
  const runs = [];
  for (let time = 0; time < times; time++) runs.push(await searchOnce(source, text));
  return {
    products,
    search,
    found: runs[0]?.total ?? 0,
    round_trips: Math.max(...runs.map(({ round_trips }) => round_trips)),
    capacity_units: Math.max(...runs.map(({ capacity_units }) => capacity_units)),
    ms: Math.round(quantile(runs.map(({ ms }) => ms)) * 10) / 10,
  };
}

/** Searches while products are made and renamed. Throws if one is not found as soon as it is saved. */
async function besideWrites(source: Source, products: number, before_ms: number, times: number) {
  const stop = newWriter(source, products, isFound)();
  await pause(before_ms);
  const figures: SearchFigure[] = [];
  for (const [search, text] of SEARCHES)
    figures.push(await figureOf(source, products, [`${search}, beside writes`, text], times));
  const rate = await stop();
  const none = { round_trips: 0, capacity_units: 0, ms: 0 };
  return [...figures, { products, search: `written: ${rate} a second`, found: '', ...none }];

  async function isFound(name: string, id: number): Promise<void> {
    const { ids } = await searchOnce(source, name, []);
    if (!ids.includes(id)) throw new Error(`Product ${id} is not found as soon as it is renamed`);
  }
}
