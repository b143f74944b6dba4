import { actionOf } from '#lib/table/change/change.ts';
import { writeOne } from '#lib/table/change/send.ts';
import type { Item } from '#lib/table/client.ts';
import { absent, equals } from '#lib/table/expression.ts';
import type { Key } from '#lib/table/keys.ts';
import { idOf, readRange } from '#lib/table/read/ranges.ts';
import { newGaps, type Progress, readGapHeaders, remainingGaps, scheduleGapCheck } from './progress.ts';

/** Remaining work after an update. */
export interface RemainingWork {
  /** True if the next update can run at once. */
  readonly isMore: boolean;
  /** The time of the next update; undefined if none is needed, or one is scheduled already. */
  readonly wakeAt: number | undefined;
}

/** No remaining work. */
export const NO_REMAINING_WORK: RemainingWork = { isMore: false, wakeAt: undefined };

/** The headers of an update, and the progress after it. */
export interface UpdateIntake<P extends Progress> {
  readonly before: P;
  /** Headers that have arrived in gaps, and then those with higher ids, in order. */
  readonly landed: readonly Item[];
  readonly rows: readonly Item[];
  readonly after: P;
  /** True if there are more ids than an update takes. */
  readonly isMore: boolean;
}

/** The headers to cover, and the size of an update. */
export interface UpdateTarget {
  /** The partition of the headers. */
  readonly pk: string;
  /** The last allocated id. */
  readonly last: number;
  /** Ids in an update. */
  readonly max: number;
  /** The needed attributes of the headers, including `created_at`. */
  readonly only: readonly string[];
}

/**
 * Reads the headers of an update: those after the covered ids, and those that have arrived in gaps. One round
 * trip, more beyond a megabyte.
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
  // Ids after the last record may still be in progress, so the next update begins with them.
  const upto = ahead.to < last ? ahead.to : lastRow ? idOf(lastRow) : before.upto;
  const holes = [
    ...remainingGaps(before.holes, landed, at),
    ...newGaps({ from: before.upto + 1, to: upto }, rows, at),
  ];
  const after = scheduleGapCheck({ ...before, fold: before.fold + 1, upto, holes }, at);
  return { before, landed, rows, after, isMore: ahead.to < last };
}

/** Returns true if an update with these headers would change nothing. */
export function isIdle({ before, landed, rows, after }: UpdateIntake<Progress>): boolean {
  const isSame = after.upto === before.upto && after.holes.length === before.holes.length;
  return isSame && landed.length + rows.length === 0;
}

/** Ends an update: replaces the progress that was read, by its number. False if another worker was faster. */
export function saveProgress<P extends Progress>(
  key: Key,
  before: P | undefined,
  after: P,
): Promise<boolean> {
  const same = before ? equals('fold', before.fold) : absent('pk');
  return writeOne(actionOf(key, { kind: 'put', item: { ...after } }, [same]));
}

/** Returns the work that remains after an update. */
export function remainingWork({ before, after, isMore }: UpdateIntake<Progress>): RemainingWork {
  return { isMore, wakeAt: after.wake_at > before.wake_at ? after.wake_at : undefined };
}
