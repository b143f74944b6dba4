import { actionOf } from '#lib/table/change/change.ts';
import { writeOne } from '#lib/table/change/send.ts';
import type { Item } from '#lib/table/client.ts';
import { absent, equals } from '#lib/table/expression.ts';
import type { Key } from '#lib/table/keys.ts';
import { idOf, readRange } from '#lib/table/read/ranges.ts';
import { newGaps, type Progress, readGapHeaders, remainingGaps, scheduleGapCheck } from './progress.ts';

/** The remains after a fold has ended. */
export interface RemainingWork {
  /** True if there is more to fold in at once. */
  readonly isMore: boolean;
  /** When to come back; undefined if there is no need to, or if someone has been asked to. */
  readonly wakeAt: number | undefined;
}

/** What remains if there is nothing to do. */
export const NO_REMAINING_WORK: RemainingWork = { isMore: false, wakeAt: undefined };

/** Headers that a fold takes on, and the progress once it is done. */
export interface UpdateIntake<P extends Progress> {
  readonly before: P;
  /** Headers that have come into holes, and then those with higher ids, in order. */
  readonly landed: readonly Item[];
  readonly rows: readonly Item[];
  readonly after: P;
  /** True if there are more ids than a fold takes. */
  readonly isMore: boolean;
}

/** What is folded, and how much of it at a time. */
export interface UpdateTarget {
  /** The partition of the headers. */
  readonly pk: string;
  /** The last id given out. */
  readonly last: number;
  /** Ids in a fold. */
  readonly max: number;
  /** The wanted attributes of the headers; `created_at` is among them. */
  readonly only: readonly string[];
}

/**
 * Reads the headers that a fold takes on: those after the ids that are folded in, and those that have come
 * into holes. One round trip, more beyond a megabyte.
 */
export async function readUpdateIntake<P extends Progress>(
  before: P,
  { pk, last, max, only }: UpdateTarget,
  at: number,
): Promise<UpdateIntake<P>> {
  const ahead = { from: before.upto + 1, to: Math.min(last, before.upto + max) };
  const [rows, landed] = await Promise.all([
    readRange(pk, ahead, { where: [], only }),
    readGapHeaders(pk, before.holes),
  ]);
  const lastRow = rows.at(-1);
  // Ids after the last record may be under way, so the next fold begins with them.
  const upto = ahead.to < last ? ahead.to : lastRow ? idOf(lastRow) : before.upto;
  const holes = [
    ...remainingGaps(before.holes, landed, at),
    ...newGaps({ from: before.upto + 1, to: upto }, rows, at),
  ];
  const after = scheduleGapCheck({ ...before, fold: before.fold + 1, upto, holes }, at);
  return { before, landed, rows, after, isMore: ahead.to < last };
}

/** Tells whether a fold of these headers would change nothing. */
export function isIdle({ before, landed, rows, after }: UpdateIntake<Progress>): boolean {
  const isSame = after.upto === before.upto && after.holes.length === before.holes.length;
  return isSame && landed.length + rows.length === 0;
}

/**
 * Ends a fold: puts the progress in the place of that which was read, by its number. False if someone else
 * was faster.
 */
export function saveProgress<P extends Progress>(
  key: Key,
  before: P | undefined,
  after: P,
): Promise<boolean> {
  const same = before ? equals('fold', before.fold) : absent('pk');
  return writeOne(actionOf(key, { kind: 'put', item: { ...after } }, [same]));
}

/** Tells what a fold that has ended leaves. */
export function remainingWork({ before, after, isMore }: UpdateIntake<Progress>): RemainingWork {
  return { isMore, wakeAt: after.wake_at > before.wake_at ? after.wake_at : undefined };
}
