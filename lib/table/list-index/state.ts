import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import { padId, type Source } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { idOf, type Range, readRange } from '#lib/table/read/ranges.ts';
import { ZONE } from '#lib/values/time.ts';

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

/** How far the indexes of a source have come. One item: whoever changes it ends a fold. */
export const State = z.object({
  /** The number of the last fold. */
  fold: z.int(),
  /** A part of the keys of the indexes: those that are built anew have another. */
  generation: z.int(),
  /** Fields that have an index each. */
  fields: z.array(z.string()),
  /** Instants whose days are kept, beside the making. */
  days: z.array(z.string()).default([]),
  /** The time zone of the days. */
  zone: z.string(),
  /** Ids up to this one are folded in, except for the holes. */
  upto: z.int(),
  holes: z.array(Hole),
  /** The time of the next message, as last scheduled, that comes back to the holes. */
  wake_at: z.number(),
});

export type State = Readonly<z.output<typeof State>>;

/** The state before the first fold. */
const NOTHING = { fold: 0, generation: 0, fields: [], days: [], upto: 0, holes: [], wake_at: 0 };

/**
 * Makes the state of a source whose indexes are to be built, from the first id on: it has none yet, or
 * `before` is of no use any more.
 */
export function newState(
  { indexes = [], days: instants = [] }: Source,
  before: Omit<State, 'zone'> = NOTHING,
): State {
  const fields = [...new Set([...indexes, ...before.fields])];
  const days = [...new Set([...instants, ...before.days])];
  const next = { fold: before.fold + 1, generation: before.generation + 1 };
  return { ...NOTHING, ...next, fields, days, zone: ZONE };
}

/** Tells whether indexes have all fields that lists filter by now, and days of the zone of now. */
export function isFit({ fields, days, zone }: State, { indexes = [], days: instants = [] }: Source): boolean {
  const hasDays = zone === ZONE && instants.every((instant) => days.includes(instant));
  return hasDays && indexes.every((field) => fields.includes(field));
}

/** Adds a time to come back to the holes, if there are any and nobody has been asked to. */
export function scheduleWake(state: State, at: number): State {
  if (state.holes.length === 0 || state.wake_at > at) return state;
  return { ...state, wake_at: Math.max(at, endOfHoles(state.holes)) + 1000 };
}

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
function endOfHoles(holes: readonly Hole[]): number {
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

/** Up to this length the ids of a hole are read one by one; longer holes are read as stretches. */
const SHORT = 8;

/** Reads the headers that have come into holes. One round trip. */
export async function readHoles(pk: string, holes: readonly Hole[]): Promise<Item[]> {
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
