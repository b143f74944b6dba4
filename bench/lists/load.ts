import { setTimeout as pause } from 'node:timers/promises';
import { makeSale } from '#bench/kit/sales.ts';
import { quantile } from '#bench/kit/service.ts';
import type { Source } from '#lib/table/keys.ts';
import { kinds, type ListFigure, type ListKind, measurePage, pagesOf } from './page.ts';

/** How often a page is read, and how long is sold before it is read under load. */
export interface Care {
  readonly times: number;
  readonly before_ms: number;
  /** The same if some sales are refused: lists ask for a missing id for a minute. */
  readonly refused_ms: number;
}

/** Fifty sales a second, and how many of them one is refused of. */
export interface Load {
  readonly name: string;
  readonly refusedOneIn?: number;
}

const EACH_MS = 20;

/**
 * Makes fifty sales a second, each header with an id of its own and in a transaction, like a sale's, while
 * the service's worker folds them in and lists are read.
 */
export async function measureUnderLoad(
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
    for (const [page, number] of pagesOf(first.result.total))
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
  [list, given]: ListKind,
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
