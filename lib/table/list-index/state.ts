import * as z from 'zod';
import type { Source } from '#lib/table/rows/request.ts';
import { ZONE } from '#lib/values/time.ts';
import { endOfHoles, Hole } from './holes.ts';

/** How far the indexes of a source have come. One item: whoever changes it ends a fold. */
export const State = z.object({
  /** The number of the last fold. */
  fold: z.int(),
  /** A part of the keys of the indexes: those that are built anew have another. */
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
});

export type State = Readonly<z.output<typeof State>>;

/** The state before the first fold. */
const NOTHING = { fold: 0, generation: 0, fields: [], upto: 0, holes: [], wake_at: 0 };

/**
 * Makes the state of a source whose indexes are to be built, from the first id on: it has none yet, or
 * `before` is of no use any more.
 */
export function newState({ indexes = [] }: Source, before: Omit<State, 'zone'> = NOTHING): State {
  const fields = [...new Set([...indexes, ...before.fields])];
  const next = { fold: before.fold + 1, generation: before.generation + 1 };
  return { ...NOTHING, ...next, fields, zone: ZONE };
}

/** Tells whether indexes have all fields that lists filter by now, and days of the zone of now. */
export function isFit({ fields, zone }: State, { indexes = [] }: Source): boolean {
  return zone === ZONE && indexes.every((field) => fields.includes(field));
}

/** Adds a time to come back to the holes, if there are any and nobody has been asked to. */
export function scheduleWake(state: State, at: number): State {
  if (state.holes.length === 0 || state.wake_at > at) return state;
  return { ...state, wake_at: Math.max(at, endOfHoles(state.holes)) + 1000 };
}
