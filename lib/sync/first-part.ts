import type { Staff } from '#lib/access/actor.ts';
import { type CopiedNoun, Head, presentIn } from './copy/copy.ts';
import type { CopyCandidate, CopyPlace, FirstPlace, Stretch } from './place.ts';

/*
 * The first part of a copy: all that exists, type by type in the order of ids. The place in the family's feed
 * was taken before it. So whatever is written behind the walk comes among the changes.
 */

/** As many types after one that is done are looked at for the rest of a page. */
const FURTHER = 12;

/**
 * Walks on from a place. Two round trips as a rule; three if a list index has to tell what the caller
 * reaches, one more if nothing is found for long.
 */
export async function readFirst(
  actor: Staff,
  copies: readonly CopiedNoun[],
  { from, start, most }: { readonly from: FirstPlace; readonly start: CopyPlace; readonly most: number },
): Promise<Stretch> {
  const first = await readType(actor, copies, from, most);
  const candidates = [...first.candidates];
  if (first.end) return { candidates, end: first.end, isEnd: false };
  let next = from.type + 1;
  const room = most - candidates.length;
  const further = first.isNarrow || room === 0 ? [] : await readFurther(actor, copies, { next, room });
  for (const each of further) {
    const fitting = each.candidates.slice(0, most - candidates.length);
    candidates.push(...fitting);
    const end = fitting.length < each.candidates.length ? fitting.at(-1)?.after : each.end;
    if (end) return { candidates, end, isEnd: false };
    if (fitting.length < each.candidates.length) break;
    next += 1;
  }
  return { candidates, end: next < copies.length ? { type: next, id: 0 } : start, isEnd: false };
}

/** The next records of a type, and the place after them; undefined if these are the last. */
interface Part {
  readonly candidates: readonly CopyCandidate[];
  readonly end: FirstPlace | undefined;
  readonly isNarrow: boolean;
}

/** Reads the beginnings of the next types, up to one of which not all is in reach. */
async function readFurther(
  actor: Staff,
  copies: readonly CopiedNoun[],
  { next, room }: { readonly next: number; readonly room: number },
): Promise<Part[]> {
  const few = copies.slice(next, next + FURTHER);
  const reaches = await Promise.all(few.map((copy) => copy.reach(actor)));
  const narrow = reaches.findIndex((reach) => reach.length > 0);
  const wide = narrow === -1 ? few : few.slice(0, narrow);
  return Promise.all(wide.map((_, index) => readType(actor, copies, { type: next + index, id: 0 }, room)));
}

async function readType(
  actor: Staff,
  copies: readonly CopiedNoun[],
  { type, id }: FirstPlace,
  most: number,
): Promise<Part> {
  const copy = copies[type];
  if (!copy) return { candidates: [], end: undefined, isNarrow: false };
  const narrow = await copy.reach(actor);
  const usual = presentIn(copy);
  const { rows, reached } = await copy.walk(actor.home, { usual, narrow, after: id, most });
  return {
    candidates: rows.map((row) => {
      const head = Head.parse(row);
      return { copy, head, after: { type, id: head.id } };
    }),
    end: reached === undefined ? undefined : { type, id: reached },
    isNarrow: narrow.length > 0,
  };
}
