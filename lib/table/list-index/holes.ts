import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import type { Range } from '#lib/table/rows/ranges.ts';
import { idOf } from '#lib/table/rows/rows.ts';

/** Missing ids, and when they were first seen missing. */
export const Hole = z.object({ from: z.int(), to: z.int(), seen: z.number() });

export type Hole = Readonly<z.output<typeof Hole>>;

/** How long a missing id may still come: a call lives 29 seconds, and nothing is written after its end. */
const HOLE_MS = 60_000;

/**
 * So long after a moment nothing appears any more that is from before it: a call's life, and clocks that
 * differ.
 */
const FINAL_MS = 120_000;

/** More ids at once than are ever drawn in a moment: they are from before there were indexes. */
const MANY = 1000;

/** Keeps the holes that are left after some records have come, and others have been missing for too long. */
export function keepHoles(holes: readonly Hole[], landed: readonly Item[], at: number): Hole[] {
  const there = new Set(landed.map(idOf));
  return holes
    .filter(({ seen }) => at - seen < HOLE_MS)
    .flatMap((hole) => missingIn(hole, there).map((range) => ({ ...range, seen: hole.seen })));
}

/**
 * Finds the holes among ids that are looked at for the first time; `rows` are the existing ones, in order.
 */
export function newHoles(
  { from, to }: Range,
  rows: readonly { readonly id: number; readonly created_at: number }[],
  at: number,
): Hole[] {
  const isMany = to - from >= MANY;
  const holes: Hole[] = [];
  let next = from;
  for (const { id, created_at } of [...rows, { id: to + 1, created_at: at }]) {
    const isFinal = isMany && created_at < at - FINAL_MS;
    if (next < id && !isFinal) holes.push({ from: next, to: id - 1, seen: at });
    next = id + 1;
  }
  return holes;
}

/** Finds when to look at the holes again: once the first of them may be forgotten. */
export function endOfHoles(holes: readonly Hole[]): number {
  return Math.min(...holes.map(({ seen }) => seen)) + HOLE_MS;
}

/** Tells whether an id is in one of the holes. */
export function isInHole(holes: readonly Hole[], id: number): boolean {
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
