/*
 * Ids that a call drew without any attempt to write, for the next call of this process.
 *
 * An operation draws its ids in parallel with its reads, so a rejected one has drawn them in vain, and each
 * is a gap that all lists must check for a minute: it could still be committed. So they are returned here,
 * and the next call that draws as many from that counter reuses them, which saves a write. No id is used
 * twice: ids are returned only if the call has written nothing at all, and then it never will.
 */

/**
 * Consecutive ids, with the time of their draw by both clocks: a frozen process stops one, the other may be
 * set.
 */
export interface IdDraw {
  readonly counter: string;
  readonly first: number;
  readonly count: number;
  readonly at: number;
  readonly date: number;
}

/** Much less than the maximum age of an id at its write: the next call has its whole time. */
const RECENT_MS = 5_000;

let unused: readonly IdDraw[] = [];

/** Returns a draw with the current time. */
export function newIdDraw(counter: string, first: number, count: number): IdDraw {
  return { counter, first, count, at: performance.now(), date: Date.now() };
}

/** Stores returned ids. Drops those not reused in time. */
export function returnUnusedIds(draws: readonly IdDraw[]): void {
  unused = [...unused, ...draws].filter(isRecent);
}

/** Returns unused ids of a counter; undefined if none are left. */
export function takeUnusedIds(counter: string, count: number): IdDraw | undefined {
  const found = unused.find((draw) => draw.counter === counter && draw.count === count && isRecent(draw));
  unused = unused.filter((draw) => draw !== found);
  return found;
}

function isRecent({ at, date }: IdDraw): boolean {
  return Math.max(performance.now() - at, Math.abs(Date.now() - date)) < RECENT_MS;
}
