import { setTimeout as pause } from 'node:timers/promises';
import { type Scale, sizesOf } from '#bench/support/scale.ts';
import { quantile, startMeasured } from '#bench/support/service.ts';
import type { Source } from '#lib/table/keys.ts';
import { loadProducts, productsOf } from './products.ts';
import { measureBuilding, SEARCHES, searchOnce } from './search.ts';
import { newWriter } from './writer.ts';

/** Times of searches at rest or beside writes, of all turns. */
interface BesideFigure {
  readonly products: number;
  readonly beside: string;
  readonly searches: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  readonly max_units: number;
}

const SIZES = [10_000, 100_000];
const TURNS = 8;
const TIMES = 4;

/** Writers are at their pace, and have changed records since the segments. */
const WARM_MS = 1500;

/**
 * Searches at rest and beside fifty writes a second, by turns in one sitting: on a machine with other work
 * only the ratio of both counts.
 */
export async function measureSearchBeside(scale: Scale): Promise<BesideFigure[]> {
  const service = await startMeasured();
  Object.assign(process.env, service.settings);
  const figures: BesideFigure[] = [];
  for (const products of sizesOf(scale, SIZES)) {
    const source = productsOf(products);
    await loadProducts(source, products, Date.now());
    await measureBuilding(source, products);
    figures.push(...(await takeTurns(source, products, scale.isSmallest ? 1 : TURNS)));
  }
  await service.stop();
  return figures;
}

async function takeTurns(source: Source, products: number, turns: number): Promise<BesideFigure[]> {
  const startWriting = newWriter(source, products, async () => {});
  const [atRest, beside]: [Run[], Run[]] = [[], []];
  const rates: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    atRest.push(...(await searchAll(source)));
    const stop = startWriting();
    await pause(WARM_MS);
    beside.push(...(await searchAll(source)));
    rates.push(await stop());
  }
  const named = `writes, ${Math.min(...rates)} to ${Math.max(...rates)} a second`;
  return [figureOf(products, 'nothing', atRest), figureOf(products, named, beside)];
}

interface Run {
  readonly ms: number;
  readonly capacity_units: number;
}

async function searchAll(source: Source): Promise<Run[]> {
  const runs: Run[] = [];
  for (let time = 0; time < TIMES; time++)
    for (const [, text] of SEARCHES) runs.push(await searchOnce(source, text));
  return runs;
}

function figureOf(products: number, beside: string, runs: readonly Run[]): BesideFigure {
  const times = runs.map(({ ms }) => ms);
  return {
    ...{ products, beside, searches: runs.length },
    ...{ p50_ms: quantile(times), p95_ms: quantile(times, 0.95), p99_ms: quantile(times, 0.99) },
    max_units: Math.max(...runs.map(({ capacity_units }) => capacity_units)),
  };
}
