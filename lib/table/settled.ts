import { type Range, readRange } from './ranges.ts';
import { idOf } from './rows.ts';

/*
 * Ids are given out in order, and a record is written within the life of the call that took its id, which is under half
 * a minute. A record two minutes old took its id at least a minute and a half ago, and so did every lower id: those are
 * written by now, or never will be.
 */

const SETTLED_MS = 120_000;

/** How many ids are looked at first, and how many times more with every look. */
const NEAR = 64;
const GROWTH = 8;

/** The highest id of a stretch up to which nothing can appear any more; what lies before the stretch where none is. */
export async function settledEnd(pk: string, { from, to }: Range, at: number): Promise<number> {
  let end = to;
  for (let width = NEAR; end >= from; width *= GROWTH) {
    const start = Math.max(from, end - width + 1);
    const rows = await readRange(pk, { from: start, to: end }, { where: [], only: ['created_at'] });
    const old = rows.findLast(({ created_at }) => Number(created_at) < at - SETTLED_MS);
    if (old) return idOf(old);
    end = start - 1;
  }
  return from - 1;
}
