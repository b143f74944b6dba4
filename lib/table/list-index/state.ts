import * as z from 'zod';
import type { Source } from '#lib/table/keys.ts';
import { NO_PROGRESS, Progress } from '#lib/table/projection/progress.ts';
import { ZONE } from '#lib/values/time.ts';

/** How far the indexes of a source have come. One item: whoever changes it ends a fold. */
export const IndexState = Progress.extend({
  /** A part of the keys of the indexes: those that are built anew have another. */
  generation: z.int(),
  /** Fields that have an index each. */
  fields: z.array(z.string()),
  /** Instants whose days are kept, beside the making. */
  days: z.array(z.string()).default([]),
  /** The time zone of the days. */
  zone: z.string(),
});

export type IndexState = Readonly<z.output<typeof IndexState>>;

/** The state before the first fold. */
const NOTHING = { ...NO_PROGRESS, generation: 0, fields: [], days: [] };

/**
 * Makes the state of a source whose indexes are to be built, from the first id on: it has none yet, or
 * `before` is of no use any more.
 */
export function newIndexState(
  { indexes = [], days: instants = [] }: Source,
  before: Omit<IndexState, 'zone'> = NOTHING,
): IndexState {
  const fields = [...new Set([...indexes, ...before.fields])];
  const days = [...new Set([...instants, ...before.days])];
  const next = { fold: before.fold + 1, generation: before.generation + 1 };
  return { ...NOTHING, ...next, fields, days, zone: ZONE };
}

/** Tells whether indexes have all fields that lists filter by now, and days of the zone of now. */
export function isCurrentIndex(
  { fields, days, zone }: IndexState,
  { indexes = [], days: instants = [] }: Source,
): boolean {
  const hasDays = zone === ZONE && instants.every((instant) => days.includes(instant));
  return hasDays && indexes.every((field) => fields.includes(field));
}
