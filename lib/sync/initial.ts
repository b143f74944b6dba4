import type { Staff } from '#lib/auth/actor.ts';
import { MAX_SCANNED_ROWS, ROWS_PER_QUERY } from '#lib/table/list/rows-after.ts';
import { presentIn, RecordHeader, type SyncDefinition } from './definition/definition.ts';
import type { InitialPosition, SyncCandidate, SyncPosition, SyncWindow } from './position.ts';

/*
 * The first part of a copy: all that exists, type by type in the order of ids. The place in the family's feed
 * was taken before it. So whatever is written behind the walk comes among the changes.
 *
 * A page walks in one round trip, whatever its caller reaches: so many records are looked at as were needed
 * on the page before, ten thousand at most. One that would be empty walks on by ten thousand: what is not
 * shown takes no round trips. The very first page has none to spare, and looks at ten thousand at once. List
 * indexes would name the few that a caller reaches, but take three round trips.
 */

/**
 * As many types are begun at once: small ones share a page. More, of ten thousand records each, would wait
 * for a connection.
 */
const AT_ONCE = 4;

/** What is asked of the first part: records after a place, and where the changes begin. */
interface FirstAsked {
  readonly from: InitialPosition;
  readonly start: SyncPosition;
  readonly max: number;
}

/**
 * Walks on from a place. One round trip, or two if nothing was found by the first; two if the table must tell
 * what of the type the caller reaches.
 */
export async function readInitial(
  actor: Staff,
  copies: readonly SyncDefinition[],
  asked: FirstAsked,
): Promise<SyncWindow> {
  const { from } = asked;
  const stretch = await walkOn(actor, copies, asked);
  const { candidates, end } = stretch;
  if (candidates.length > 0 || !('type' in end) || isVeryFirst(from)) return stretch;
  const isSlow = [from, end].some(({ type }) => copies[type]?.further(actor) !== undefined);
  return isSlow ? stretch : walkOn(actor, copies, { ...asked, from: { ...end, looked: MAX_SCANNED_ROWS } });
}

function isVeryFirst({ type, id }: InitialPosition): boolean {
  return type === 0 && id === 0;
}

async function walkOn(
  actor: Staff,
  copies: readonly SyncDefinition[],
  { from, start, max }: FirstAsked,
): Promise<SyncWindow> {
  const narrow = isVeryFirst(from) ? MAX_SCANNED_ROWS : ROWS_PER_QUERY;
  const parts = await Promise.all(
    typesAfter(actor, copies, from).map((copy, index) =>
      readType(actor, copy, index === 0 ? from : beginningOf(from.type + index), { max, narrow }),
    ),
  );
  const candidates: SyncCandidate[] = [];
  let type = from.type;
  for (const part of parts) {
    const fitting = part.candidates.slice(0, max - candidates.length);
    candidates.push(...fitting);
    const isCut = fitting.length < part.candidates.length;
    const end = isCut ? (fitting.at(-1)?.after ?? beginningOf(type)) : part.end;
    if (end) return { candidates, end, isEnd: false };
    type += 1;
  }
  return { candidates, end: type < copies.length ? beginningOf(type) : start, isEnd: false };
}

function beginningOf(type: number): InitialPosition {
  return { type, id: 0, looked: 0 };
}

/** Lists the types that a page begins or goes on with. One that has been begun fills it, as a rule. */
function typesAfter(
  actor: Staff,
  copies: readonly SyncDefinition[],
  { type, id }: InitialPosition,
): SyncDefinition[] {
  const few = copies.slice(type, type + (id === 0 ? AT_ONCE : 1));
  const slow = few.findIndex((copy) => copy.further(actor) !== undefined);
  return slow === -1 ? few : few.slice(0, Math.max(1, slow));
}

/** The next records of a type, and the place after them; undefined if these are the last. */
interface Part {
  readonly candidates: readonly SyncCandidate[];
  readonly end: InitialPosition | undefined;
}

/** How many records are wanted, and are looked at first for who reaches few of them. */
interface Measure {
  readonly max: number;
  readonly narrow: number;
}

async function readType(
  actor: Staff,
  copy: SyncDefinition,
  place: InitialPosition,
  { max, narrow }: Measure,
): Promise<Part> {
  const { type, id: after } = place;
  const reach = [...copy.reach(actor), ...((await copy.further(actor)?.()) ?? [])];
  const looked = Math.max(max, place.looked || (reach.length > 0 ? narrow : max));
  const where = [...presentIn(copy), ...reach];
  const { rows, reached, likely } = await copy.walk(actor.tenant, { where, after, max, looked });
  return {
    candidates: rows.map((row) => {
      const head = RecordHeader.parse(row);
      return { copy, head, after: { type, id: head.id, looked: likely } };
    }),
    end: reached === undefined ? undefined : { type, id: reached, looked: likely },
  };
}
