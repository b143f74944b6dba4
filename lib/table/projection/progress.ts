import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import { padId } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { idOf, type Range, readRange } from '#lib/table/read/ranges.ts';

/** Missing ids, and the time at which they were first found missing. */
export const IdGap = z.object({ from: z.int(), to: z.int(), seen: z.number() });

export type IdGap = Readonly<z.output<typeof IdGap>>;

/**
 * How long a missing id may still be committed: a call runs for 29 seconds, and nothing is written after its
 * end.
 */
const GAP_MS = 60_000;

/** After this time no record from before can still appear: a call's duration, and clock skew. */
const FINAL_MS = 120_000;

/** More ids than are ever drawn at once: the range is from before the first update. */
const MANY = 1000;

/** How many headers an index or rollup covers. Part of a single item: writing that ends an update. */
export const Progress = z.object({
  /** The number of the last update. */
  fold: z.int(),
  /** Ids up to this one are covered, except for the gaps. */
  upto: z.int(),
  holes: z.array(IdGap),
  /** Time of the scheduled message for the next check of the gaps. */
  wake_at: z.number(),
});

export type Progress = Readonly<z.output<typeof Progress>>;

/** The progress before the first update. */
export const NO_PROGRESS: Progress = { fold: 0, upto: 0, holes: [], wake_at: 0 };

/** Returns true if an id is covered, or was never used. */
export function covers({ upto, holes }: Pick<Progress, 'upto' | 'holes'>, id: number): boolean {
  return id <= upto && !isInGap(holes, id);
}

/** Schedules a check of the gaps, if any remain and none is scheduled. */
export function scheduleGapCheck<P extends Progress>(progress: P, at: number): P {
  if (progress.holes.length === 0 || progress.wake_at > at) return progress;
  return { ...progress, wake_at: Math.max(at, nextGapCheck(progress.holes)) + 1000 };
}

/** Returns the gaps that remain: without the ids that have arrived, and without gaps that have expired. */
export function remainingGaps(holes: readonly IdGap[], landed: readonly Item[], at: number): IdGap[] {
  const present = new Set(landed.map(idOf));
  return holes
    .filter(({ seen }) => at - seen < GAP_MS)
    .flatMap((gap) => missingIn(gap, present).map((range) => ({ ...range, seen: gap.seen })));
}

/** Returns the gaps among newly read ids; `rows` are the existing ones, in order. */
export function newGaps({ from, to }: Range, rows: readonly Item[], at: number): IdGap[] {
  const isMany = to - from >= MANY;
  const holes: IdGap[] = [];
  let next = from;
  for (const row of [...rows, { id: to + 1, created_at: at }]) {
    const id = idOf(row);
    const isFinal = isMany && Number(row['created_at']) < at - FINAL_MS;
    if (next < id && !isFinal) holes.push({ from: next, to: id - 1, seen: at });
    next = id + 1;
  }
  return holes;
}

/** Returns the time of the next check of the gaps: the expiry of the oldest. */
export function nextGapCheck(holes: readonly IdGap[]): number {
  return Math.min(...holes.map(({ seen }) => seen)) + GAP_MS;
}

/** Returns true if an id is in one of the gaps. */
export function isInGap(holes: readonly IdGap[], id: number): boolean {
  return holes.some(({ from, to }) => from <= id && id <= to);
}

function missingIn({ from, to }: Range, present: ReadonlySet<number>): Range[] {
  const missing: Range[] = [];
  let start = from;
  for (let id = from; id <= to + 1; id++) {
    if (id <= to && !present.has(id)) continue;
    if (start < id) missing.push({ from: start, to: id - 1 });
    start = id + 1;
  }
  return missing;
}

/** Up to this length the ids of a gap are read one by one; longer gaps are read as ranges. */
const SHORT = 8;

/** Reads the headers that have arrived in gaps. One round trip. */
export async function readGapHeaders(pk: string, holes: readonly IdGap[]): Promise<Item[]> {
  const [long, short] = [holes.filter(isLong), holes.filter((gap) => !isLong(gap))];
  const keys = short.flatMap(({ from, to }) =>
    Array.from({ length: to - from + 1 }, (_, index) => ({ pk, sk: padId(from + index) })),
  );
  const [items, ...ranges] = await Promise.all([
    getItems(keys),
    ...long.map((gap) => readRange(pk, gap, { where: [] })),
  ]);
  return [...items.filter((item) => item !== undefined), ...ranges.flat()];
}

function isLong({ from, to }: Range): boolean {
  return to - from >= SHORT;
}
