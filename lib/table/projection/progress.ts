import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import { padId } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { idOf, type Range, readRange } from '#lib/table/read/ranges.ts';

/** Missing ids, and when they were first seen missing. */
export const IdGap = z.object({ from: z.int(), to: z.int(), seen: z.number() });

export type IdGap = Readonly<z.output<typeof IdGap>>;

/** How long a missing id may still come: a call lives 29 seconds, and nothing is written after its end. */
const HOLE_MS = 60_000;

/**
 * So long after a moment nothing appears any more that is from before it: a call's life, and clocks that
 * differ.
 */
const FINAL_MS = 120_000;

/** More ids at once than are ever drawn in a moment: they are from before there were folds. */
const MANY = 1000;

/**
 * How far headers have been folded into something. It is a part of one item: whoever changes that ends a
 * fold.
 */
export const Progress = z.object({
  /** The number of the last fold. */
  fold: z.int(),
  /** Ids up to this one are folded in, except for the holes. */
  upto: z.int(),
  holes: z.array(IdGap),
  /** The time of the next message, as last scheduled, that comes back to the holes. */
  wake_at: z.number(),
});

export type Progress = Readonly<z.output<typeof Progress>>;

/** The progress before the first fold. */
export const NO_PROGRESS: Progress = { fold: 0, upto: 0, holes: [], wake_at: 0 };

/** Tells whether an id is folded in, or never came. */
export function covers({ upto, holes }: Pick<Progress, 'upto' | 'holes'>, id: number): boolean {
  return id <= upto && !isInGap(holes, id);
}

/** Adds a time to come back to the holes, if there are any and nobody has been asked to. */
export function scheduleGapCheck<P extends Progress>(progress: P, at: number): P {
  if (progress.holes.length === 0 || progress.wake_at > at) return progress;
  return { ...progress, wake_at: Math.max(at, nextGapCheck(progress.holes)) + 1000 };
}

/** Keeps the holes that are left after some records have come, and others have been missing for too long. */
export function remainingGaps(holes: readonly IdGap[], landed: readonly Item[], at: number): IdGap[] {
  const there = new Set(landed.map(idOf));
  return holes
    .filter(({ seen }) => at - seen < HOLE_MS)
    .flatMap((hole) => missingIn(hole, there).map((range) => ({ ...range, seen: hole.seen })));
}

/**
 * Finds the holes among ids that are looked at for the first time; `rows` are the existing ones, in order.
 */
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

/** Finds when to look at the holes again: once the first of them may be forgotten. */
export function nextGapCheck(holes: readonly IdGap[]): number {
  return Math.min(...holes.map(({ seen }) => seen)) + HOLE_MS;
}

/** Tells whether an id is in one of the holes. */
export function isInGap(holes: readonly IdGap[], id: number): boolean {
  return holes.some(({ from, to }) => from <= id && id <= to);
}

function missingIn({ from, to }: Range, there: ReadonlySet<number>): Range[] {
  const missing: Range[] = [];
  let start = from;
  for (let id = from; id <= to + 1; id++) {
    if (id <= to && !there.has(id)) continue;
    if (start < id) missing.push({ from: start, to: id - 1 });
    start = id + 1;
  }
  return missing;
}

/** Up to this length the ids of a hole are read one by one; longer holes are read as stretches. */
const SHORT = 8;

/** Reads the headers that have come into holes. One round trip. */
export async function readGapHeaders(pk: string, holes: readonly IdGap[]): Promise<Item[]> {
  const [long, short] = [holes.filter(isLong), holes.filter((hole) => !isLong(hole))];
  const keys = short.flatMap(({ from, to }) =>
    Array.from({ length: to - from + 1 }, (_, index) => ({ pk, sk: padId(from + index) })),
  );
  const [items, ...stretches] = await Promise.all([
    getItems(keys),
    ...long.map((hole) => readRange(pk, hole, { where: [] })),
  ]);
  return [...items.filter((item) => item !== undefined), ...stretches.flat()];
}

function isLong({ from, to }: Range): boolean {
  return to - from >= SHORT;
}
