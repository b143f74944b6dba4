import { AsyncLocalStorage } from 'node:async_hooks';
import { begin } from '#lib/values/begin.ts';

/*
 * Work that is tried again draws the same ids as before. A try that others overtook has written nothing, so
 * its ids are free, and each that it left unused would be a hole in its list. Once a write has gone through,
 * the ids before it are taken, and what is drawn from then on is new.
 */

/** So many ids of a counter in a row; they may still be under way. */
interface Drawn {
  readonly counter: string;
  readonly count: number;
  readonly first: Promise<number>;
}

/** What all tries of some work drew, and what of it the running one has not been given yet. */
interface Tries {
  readonly drawn: Drawn[];
  readonly left: Drawn[];
}

const current = new AsyncLocalStorage<Tries>();

/** Makes work that may be tried again: each try is given the ids that those before it drew. */
export function repeatable<T>(work: () => Promise<T>): () => Promise<T> {
  const drawn: Drawn[] = [];
  return () => current.run({ drawn, left: [...drawn] }, work);
}

/** Draws ids, unless a try before this one drew as many of that counter. */
export function drawAgain(counter: string, count: number, draw: () => Promise<number>): Promise<number> {
  const { drawn = [], left = [] } = current.getStore() ?? {};
  const place = left.findIndex((each) => each.counter === counter && each.count === count);
  const [known] = place < 0 ? [] : left.splice(place, 1);
  if (known) return known.first;
  const first = begin(draw());
  drawn.push({ counter, count, first });
  return first;
}

/** Notes that a write went through: no other try is given the ids that were drawn before it. */
export function keepDrawn(): void {
  const tries = current.getStore();
  for (const list of [tries?.drawn, tries?.left]) list?.splice(0);
}
