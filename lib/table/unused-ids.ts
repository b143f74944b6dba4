/*
 * Ids that a call drew and never tried to write, for the next call of this process.
 *
 * An operation draws its ids beside its reads, so one that is refused has drawn them in vain, and each is a
 * hole that all lists must look into for a minute: it could still come. So they are given back here, and the
 * next call that wants as many of a counter takes them, which saves it a write. No id comes twice: they are
 * given back only if the call has written nothing at all, and then it never will.
 */

/** Ids in a row, drawn at a time by both clocks: a process that is frozen stops one, the other may be set. */
export interface IdDraw {
  readonly counter: string;
  readonly first: number;
  readonly count: number;
  readonly at: number;
  readonly date: number;
}

/** Much less than an id may be written late: whoever takes one has its whole time. */
const RECENT_MS = 5_000;

let unused: readonly IdDraw[] = [];

/** Makes the draw of ids that were drawn just now. */
export function newIdDraw(counter: string, first: number, count: number): IdDraw {
  return { counter, first, count, at: performance.now(), date: Date.now() };
}

/** Keeps ids that were given back. Those that nobody has taken in time are dropped. */
export function returnUnusedIds(draws: readonly IdDraw[]): void {
  unused = [...unused, ...draws].filter(isRecent);
}

/** Takes ids of a counter that were given back; undefined if there are none. */
export function takeUnusedIds(counter: string, count: number): IdDraw | undefined {
  const found = unused.find((draw) => draw.counter === counter && draw.count === count && isRecent(draw));
  unused = unused.filter((draw) => draw !== found);
  return found;
}

function isRecent({ at, date }: IdDraw): boolean {
  return Math.max(performance.now() - at, Math.abs(Date.now() - date)) < RECENT_MS;
}
