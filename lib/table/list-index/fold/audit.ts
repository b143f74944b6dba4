import { type News, readNews } from '#lib/table/list-index/news.ts';
import { MANY, type State } from '#lib/table/list-index/state.ts';
import type { Range } from '#lib/table/rows/ranges.ts';
import type { Source } from '#lib/table/rows/request.ts';

/*
 * Nobody should find an index wrong. It would be wrong if a record came after its hole was given up, if
 * someone restored a part of the table, or by a defect. So each time a thousand ids have been folded in, a
 * thousand that were folded in some time ago are compared with their records, and a thousand of all ids, in
 * turn. The fold that finds a difference mends it.
 */

/** Ids that are compared at a time, each time this many have been folded in. */
const AUDITED_IDS = 1000;

/** After this time all late records have come, so what was folded in is whole. */
const AUDIT_MS = 600_000;

/** Records to compare the indexes with, and how far the comparison has come then. */
export interface Audit {
  readonly rows: readonly News[];
  readonly reached: Partial<Pick<State, 'audited' | 'patrolled'>>;
}

/** Reads what is to be compared if a fold passes a thousand; undefined if it doesn't, or is building. */
export async function readAudit(
  source: Source,
  { fields, upto, audited, patrolled }: State,
  { to }: Range,
  at: number,
): Promise<Audit | undefined> {
  const isPassing = Math.floor(to / AUDITED_IDS) > Math.floor(upto / AUDITED_IDS);
  if (!isPassing || to - upto >= MANY) return undefined;
  const [fresh, old] = [stretchAfter(audited, upto), stretchAfter(patrolled >= upto ? 0 : patrolled, upto)];
  const [freshRows, oldRows] = await Promise.all([
    readNews(source, fields, fresh),
    readNews(source, fields, old),
  ]);
  const isOld = (freshRows.at(-1)?.created_at ?? 0) < at - AUDIT_MS;
  return {
    rows: isOld ? [...freshRows, ...oldRows] : oldRows,
    reached: { patrolled: old.to, ...(isOld && { audited: fresh.to }) },
  };
}

function stretchAfter(id: number, upto: number): Range {
  return { from: id + 1, to: Math.min(upto, id + AUDITED_IDS) };
}
