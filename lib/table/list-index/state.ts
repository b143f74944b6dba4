import * as z from 'zod';
import type { Source } from '#lib/table/keys.ts';
import { NO_PROGRESS, Progress } from '#lib/table/projection/progress.ts';
import { ZONE } from '#lib/values/time.ts';

/** The progress of a source's indexes. A single item: writing it ends an index update. */
export const IndexState = Progress.extend({
  /** A part of the index keys: a rebuild uses the next generation. */
  generation: z.int(),
  /** Fields with an index each. */
  fields: z.array(z.string()),
  /** Instants whose days are stored, besides the creation. */
  days: z.array(z.string()).default([]),
  /** The time zone of the days. */
  zone: z.string(),
});

export type IndexState = Readonly<z.output<typeof IndexState>>;

/** The state before the first index update. */
const NOTHING = { ...NO_PROGRESS, generation: 0, fields: [], days: [] };

/**
 * Returns the state that starts a build of a source's indexes from the first id: the source has none yet, or
 * those of `before` are obsolete.
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

/** Returns true if the indexes cover all current filter fields, and days of the current time zone. */
export function isCurrentIndex(
  { fields, days, zone }: IndexState,
  { indexes = [], days: instants = [] }: Source,
): boolean {
  const hasDays = zone === ZONE && instants.every((instant) => days.includes(instant));
  return hasDays && indexes.every((field) => fields.includes(field));
}
