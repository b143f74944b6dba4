import * as z from 'zod';
import type { Range } from '#lib/table/rows/ranges.ts';
import { ZONE } from '#lib/values/time.ts';

/** Missing ids, and when they were first seen missing. */
const Hole = z.object({ from: z.int(), to: z.int(), seen: z.number() });

export type Hole = Readonly<z.output<typeof Hole>>;

/** How far the indexes of a source have come. One item: whoever changes it ends a fold. */
export const State = z.object({
  /** The number of the last fold. */
  fold: z.int(),
  generation: z.int(),
  /** Fields that have an index each. */
  fields: z.array(z.string()),
  /** The time zone of the days. */
  zone: z.string(),
  /** Ids up to this one are folded in, except for the holes. */
  upto: z.int(),
  holes: z.array(Hole),
  /** The time of the next message, as last scheduled, that comes back to the holes. */
  wake_at: z.number(),
  /** Ids up to this one have been compared with their records, a while after they were folded in. */
  audited: z.int(),
  /** How far the endless comparison of all ids has come. */
  patrolled: z.int(),
  /** When the indexes in use were built, all at once. */
  built_at: z.number(),
  /** Indexes that are being built anew, and how far they have come. */
  next: z.object({ generation: z.int(), fields: z.array(z.string()), upto: z.int() }).optional(),
  /** Indexes that nobody uses any more, and since when. */
  retired: z.object({ generation: z.int(), fields: z.array(z.string()), at: z.number() }).optional(),
});

export type State = Readonly<z.output<typeof State>>;

/** How long a missing id may still come: a call lives 29 seconds, and nothing is written after its end. */
const HOLE_MS = 60_000;

/**
 * So long after a moment nothing appears any more that is from before it: a call's life, and clocks that
 * differ.
 */
const FINAL_MS = 120_000;

/** More ids at once than are ever drawn in a moment: they are from before there were indexes. */
export const MANY = 1000;

/** Makes the state of a source without indexes. */
export function newState(fields: readonly string[], at: number): State {
  const nothing = { fold: 0, upto: 0, holes: [], wake_at: 0, audited: 0, patrolled: 0 };
  return { ...nothing, generation: 1, fields: [...fields], zone: ZONE, built_at: at };
}

/**
 * Makes the state of a source whose indexes are of no use, so that they are built anew; until then it has
 * none.
 */
export function restart({ fold, generation, fields }: State, at: number): State {
  const begun = { ...newState(fields, at), fold: fold + 1, generation: generation + 1 };
  return { ...begun, retired: { generation, fields, at } };
}

/** Keeps the holes that are left after some of their ids came, and others have been missing for too long. */
export function openHoles(holes: readonly Hole[], landed: ReadonlySet<number>, at: number): Hole[] {
  return holes
    .filter(({ seen }) => at - seen < HOLE_MS)
    .flatMap((hole) => missingIn(hole, landed).map((range) => ({ ...range, seen: hole.seen })));
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

/** Tells when to look at the holes again: once the first of them may be forgotten. */
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
