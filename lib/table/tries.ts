import { begin } from '#lib/values/begin.ts';
import { callScope, type DrawnIds, inScope } from './call-scope.ts';

/*
 * Work that is tried again draws the same ids as before. A try that others overtook has written nothing, so
 * its ids are free, and each that it left unused would be a hole in its list. Once a write has gone through,
 * the ids before it are taken, and what is drawn from then on is new.
 */

/** Makes work that may be tried again: each try is given the ids that those before it drew. */
export function repeatable<T>(work: () => Promise<T>): () => Promise<T> {
  const drawn: DrawnIds[] = [];
  return () => inScope({ tries: { drawn, left: [...drawn] } }, work);
}

/** Draws ids, unless a try before this one drew as many of that counter. */
export function drawAgain(counter: string, count: number, draw: () => Promise<number>): Promise<number> {
  const { drawn = [], left = [] } = callScope().tries ?? {};
  const place = left.findIndex((each) => each.counter === counter && each.count === count);
  const [known] = place < 0 ? [] : left.splice(place, 1);
  if (known) return known.first;
  const first = begin(draw());
  drawn.push({ counter, count, first });
  return first;
}

/** Notes that a write went through: no other try is given the ids that were drawn before it. */
export function keepDrawn(): void {
  const { tries } = callScope();
  for (const list of [tries?.drawn, tries?.left]) list?.splice(0);
}
