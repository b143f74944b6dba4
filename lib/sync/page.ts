import type { Viewer } from './definition/definition.ts';
import { type SyncEntry, showEntries } from './entries.ts';
import type { SyncCandidate, SyncPosition, SyncWindow } from './position.ts';

/** Lines that are read for a page: twenty megabytes at the worst, if all but the first are in vain. */
const MAX_LINES = 20_000;

/** As many bytes as a page has. Part 4, 4.1, 2. */
const MAX_BYTES = 4_000_000;

/** As many times longer than in the table a record is shown at most. */
const MAX_LONGER = 2;

/** A page of a copy. */
export interface SyncPage {
  readonly entries: readonly SyncEntry[];
  /** The place after it. */
  readonly place: SyncPosition;
  readonly isEnd: boolean;
}

/** Shows a stretch, or as much of it as is a page: the rest comes with the next one. */
export async function makePage(view: Viewer, { candidates, end, isEnd }: SyncWindow): Promise<SyncPage> {
  const few = candidates.slice(0, countWithin(candidates, MAX_LINES, linesOf));
  const shown = await showEntries(view, few);
  const count = countWithin(shown, MAX_BYTES, (entry) => MAX_LONGER * bytesOf(entry));
  const entries = shown.slice(0, count).filter((entry) => entry !== undefined);
  if (count === candidates.length) return { entries, place: end, isEnd };
  return { entries, place: candidates[count - 1]?.after ?? end, isEnd: false };
}

/** Counts the first things that are together within a limit; the very first is, whatever it has. */
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
