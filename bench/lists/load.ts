import { setTimeout as pause } from 'node:timers/promises';
import { makeSale } from '#bench/support/sales.ts';
import { quantile } from '#bench/support/service.ts';
import type { Source } from '#lib/table/keys.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { kinds, type ListFigure, type ListKind, measureIndexedPage, pagesOf } from './page.ts';

/** Reads per page, and the duration of sales before a page is read under load. */
export interface ReadSchedule {
  readonly times: number;
  /** True if each page is read under load; otherwise one of each list, a different one in the next list. */
  readonly isEachPage: boolean;
  readonly before_ms: number;
  /** The same if some sales are rejected: lists look for a missing id for a minute. */
  readonly refused_ms: number;
}

/** Load of fifty sales a second, of which one in this many is rejected. */
export interface Load {
  readonly name: string;
  readonly refusedOneIn?: number;
}

const EACH_MS = 20;

/** A machine that keeps up has fewer sales in progress. At this number no more are started. */
const MAX_AT_ONCE = 40;

const BUSY = 503;

/**
 * Creates fifty sales a second, each header with an id of its own and in a transaction, like a sale's, while
 * the service's worker updates indexes and lists are read.
 */
export async function measureUnderLoad(
  source: Source,
  sales: number,
  { name, refusedOneIn = Number.POSITIVE_INFINITY }: Load,
  care: ReadSchedule,
): Promise<ListFigure[]> {
  let isOver = false;
  const selling = sellUntil(source, () => isOver, refusedOneIn);
  await pause(Number.isFinite(refusedOneIn) ? care.refused_ms : care.before_ms);
  const figures: ListFigure[] = [];
  for (const [index, [list, given]] of kinds().entries()) {
    const first = await measureIndexedPage(source, given, 1);
    const pages = pagesOf(first.result.total);
    const read = care.isEachPage ? pages : pages.slice(index % pages.length).slice(0, 1);
    for (const [page, number] of read)
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
  { times }: ReadSchedule,
): Promise<ListFigure> {
  const costs = [];
  for (let time = 0; time < times; time++) {
    costs.push((await measureIndexedPage(source, given, number)).cost);
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

/**
 * Creates sales, one in this many rejected; returns the number created per second. A machine too slow for the
 * load may respond that it is busy, as a service may.
 */
async function sellUntil(source: Source, isOver: () => boolean, refusedOneIn: number): Promise<number> {
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let made = 0;
  const began = performance.now();
  for (let offered = 0; !isOver(); offered++) {
    await pause(Math.max(0, began + offered * EACH_MS - performance.now()));
    if (underWay.size >= MAX_AT_ONCE) continue;
    const sale = makeSale(source, Date.now(), offered % refusedOneIn === refusedOneIn - 1).then(
      () => void made++,
      (error: unknown) => void failures.push(error),
    );
    underWay.add(sale);
    void sale.then(() => underWay.delete(sale));
  }
  await Promise.all(underWay);
  const failed = failures.find((error) => !(error instanceof ApiError && error.status === BUSY));
  if (failed !== undefined || made === 0) throw failed ?? failures[0];
  return Math.round((made * 10_000) / (performance.now() - began)) / 10;
}
