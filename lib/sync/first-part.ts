import type { Staff } from '#lib/access/actor.ts';
import { IN_AN_ANSWER } from '#lib/table/list/rows-after.ts';
import { type CopiedNoun, Head, presentIn } from './copy/copy.ts';
import type { CopyCandidate, CopyPlace, FirstPlace, Stretch } from './place.ts';

/*
 * The first part of a copy: all that exists, type by type in the order of ids. The place in the family's feed
 * was taken before it. So whatever is written behind the walk comes among the changes.
 *
 * A page walks in one round trip, whatever its caller reaches: so many records are looked at as were needed
 * on the page before, ten thousand at most. List indexes would name the few that a caller reaches, but take
 * three round trips.
 */

/** As many types are begun at once: small ones share a page. */
const AT_ONCE = 6;

/** Walks on from a place. One round trip; two if the table must tell what of the type the caller reaches. */
export async function readFirst(
  actor: Staff,
  copies: readonly CopiedNoun[],
  { from, start, most }: { readonly from: FirstPlace; readonly start: CopyPlace; readonly most: number },
): Promise<Stretch> {
  const parts = await Promise.all(
    typesAfter(actor, copies, from).map((copy, index) =>
      readType(actor, copy, index === 0 ? from : beginningOf(from.type + index), most),
    ),
  );
  const candidates: CopyCandidate[] = [];
  let type = from.type;
  for (const part of parts) {
    const fitting = part.candidates.slice(0, most - candidates.length);
    candidates.push(...fitting);
    const isCut = fitting.length < part.candidates.length;
    const end = isCut ? (fitting.at(-1)?.after ?? beginningOf(type)) : part.end;
    if (end) return { candidates, end, isEnd: false };
    type += 1;
  }
  return { candidates, end: type < copies.length ? beginningOf(type) : start, isEnd: false };
}

function beginningOf(type: number): FirstPlace {
  return { type, id: 0, looked: 0 };
}

/** Lists the types that a page begins or goes on with. One that has been begun fills it, as a rule. */
function typesAfter(actor: Staff, copies: readonly CopiedNoun[], { type, id }: FirstPlace): CopiedNoun[] {
  const few = copies.slice(type, type + (id === 0 ? AT_ONCE : 1));
  const slow = few.findIndex((copy) => copy.further(actor) !== undefined);
  return slow === -1 ? few : few.slice(0, Math.max(1, slow));
}

/** The next records of a type, and the place after them; undefined if these are the last. */
interface Part {
  readonly candidates: readonly CopyCandidate[];
  readonly end: FirstPlace | undefined;
}

async function readType(actor: Staff, copy: CopiedNoun, place: FirstPlace, most: number): Promise<Part> {
  const { type, id: after } = place;
  const reach = [...copy.reach(actor), ...((await copy.further(actor)?.()) ?? [])];
  const looked = Math.max(most, place.looked || (reach.length > 0 ? IN_AN_ANSWER : most));
  const where = [...presentIn(copy), ...reach];
  const { rows, reached, likely } = await copy.walk(actor.home, { where, after, most, looked });
  return {
    candidates: rows.map((row) => {
      const head = Head.parse(row);
      return { copy, head, after: { type, id: head.id, looked: likely } };
    }),
    end: reached === undefined ? undefined : { type, id: reached, looked: likely },
  };
}
