import type { Staff } from '#lib/auth/actor.ts';
import { MAX_SCANNED_ROWS, ROWS_PER_QUERY } from '#lib/table/list/rows-after.ts';
import { presentIn, RecordHeader, type SyncDefinition } from './definition/definition.ts';
import type { InitialPosition, SyncCandidate, SyncPosition, SyncWindow } from './position.ts';

/*
 * Initial sync: all existing records, type by type in the order of ids. The feed position is taken before it,
 * so writes behind the scan come among the changes. A page scans in one round trip for any reach: it reads as
 * many records as the page before needed, ten thousand at most. A page that would be empty scans ten thousand
 * more: its records take no round trips to show. The very first page has no round trip to spare, and scans
 * ten thousand at once. List indexes would find the few records in reach, but take three round trips.
 */

/**
 * Types scanned at once: small ones share a page. More, at ten thousand records each, would wait for a
 * connection.
 */
const AT_ONCE = 4;

/** Request of an initial page: the position, and the start of the changes. */
interface InitialRequest {
  readonly from: InitialPosition;
  readonly start: SyncPosition;
  readonly max: number;
}

/**
 * Scans on from a position. One round trip, or two if the first finds nothing; two if the reach of the type
 * needs a further read.
 */
export async function readInitial(
  actor: Staff,
  copies: readonly SyncDefinition[],
  request: InitialRequest,
): Promise<SyncWindow> {
  const { from } = request;
  const stretch = await scanOn(actor, copies, request);
  const { candidates, end } = stretch;
  if (candidates.length > 0 || !('type' in end) || isVeryFirst(from)) return stretch;
  const isSlow = [from, end].some(({ type }) => copies[type]?.further(actor) !== undefined);
  return isSlow ? stretch : scanOn(actor, copies, { ...request, from: { ...end, looked: MAX_SCANNED_ROWS } });
}

function isVeryFirst({ type, id }: InitialPosition): boolean {
  return type === 0 && id === 0;
}

async function scanOn(
  actor: Staff,
  copies: readonly SyncDefinition[],
  { from, start, max }: InitialRequest,
): Promise<SyncWindow> {
  const narrow = isVeryFirst(from) ? MAX_SCANNED_ROWS : ROWS_PER_QUERY;
  const parts = await Promise.all(
    typesAfter(actor, copies, from).map((copy, index) =>
      readType(actor, copy, index === 0 ? from : startOf(from.type + index), { max, narrow }),
    ),
  );
  const candidates: SyncCandidate[] = [];
  let type = from.type;
  for (const part of parts) {
    const fitting = part.candidates.slice(0, max - candidates.length);
    candidates.push(...fitting);
    const isCut = fitting.length < part.candidates.length;
    const end = isCut ? (fitting.at(-1)?.after ?? startOf(type)) : part.end;
    if (end) return { candidates, end, isEnd: false };
    type += 1;
  }
  return { candidates, end: type < copies.length ? startOf(type) : start, isEnd: false };
}

function startOf(type: number): InitialPosition {
  return { type, id: 0, looked: 0 };
}

/** Lists the types that a page continues or starts. A continued one usually fills it. */
function typesAfter(
  actor: Staff,
  copies: readonly SyncDefinition[],
  { type, id }: InitialPosition,
): SyncDefinition[] {
  const few = copies.slice(type, type + (id === 0 ? AT_ONCE : 1));
  const slow = few.findIndex((copy) => copy.further(actor) !== undefined);
  return slow === -1 ? few : few.slice(0, Math.max(1, slow));
}

/** Next records of a type, and the position after them; undefined at the end. */
interface Part {
  readonly candidates: readonly SyncCandidate[];
  readonly end: InitialPosition | undefined;
}

/** Records requested, and records scanned first for a caller with little in reach. */
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
