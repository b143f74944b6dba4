import type { Viewer } from './definition/definition.ts';
import { type SyncEntry, showEntries } from './entries.ts';
import type { SyncCandidate, SyncPosition, SyncWindow } from './position.ts';

/** Lines read per page: twenty megabytes at worst, if all but the first record are discarded. */
const MAX_LINES = 20_000;

/** Limit of a page, in bytes. Part 4, 4.1, 2. */
const MAX_BYTES = 4_000_000;

/** Upper bound of the growth of a record from stored to shown. */
const MAX_LONGER = 2;

/** A page of a sync. */
export interface SyncPage {
  readonly entries: readonly SyncEntry[];
  /** Position after it. */
  readonly place: SyncPosition;
  readonly isEnd: boolean;
}

/** Shows the records of a window, as many as fit a page; the next page continues. */
export async function makePage(view: Viewer, { candidates, end, isEnd }: SyncWindow): Promise<SyncPage> {
  const few = candidates.slice(0, countWithin(candidates, MAX_LINES, linesOf));
  const shown = await showEntries(view, few);
  const count = countWithin(shown, MAX_BYTES, (entry) => MAX_LONGER * bytesOf(entry));
  const entries = shown.slice(0, count).filter((entry) => entry !== undefined);
  if (count === candidates.length) return { entries, place: end, isEnd };
  return { entries, place: candidates[count - 1]?.after ?? end, isEnd: false };
}

/** Counts the first items that fit a limit together; the very first always fits. */
function countWithin<T>(things: readonly T[], max: number, sizeOf: (thing: T) => number): number {
  let size = 0;
  const past = things.findIndex((thing, index) => {
    size += sizeOf(thing);
    return index > 0 && size > max;
  });
  return past === -1 ? things.length : past;
}

function linesOf({ copy, head }: SyncCandidate): number {
  return copy.countLines(head);
}

function bytesOf(entry: SyncEntry | undefined): number {
  return entry ? Buffer.byteLength(JSON.stringify(entry)) : 0;
}
