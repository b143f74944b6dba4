import type { Range } from '#lib/table/list/ranges.ts';
import type { Source } from '#lib/table/list/request.ts';
import { type News, readNews } from '#lib/table/list-index/news.ts';
import { MANY, type State } from '#lib/table/list-index/state.ts';

/*
 * Nobody should find an index wrong. It would be, if a record came after its hole was given up, or if someone restored a
 * part of the table, or by a defect. So each time a thousand ids have been folded in, as many that were folded in some
 * time ago are compared with their records, and as many of all, in turn; what differs is mended by the fold that finds it.
 */

/** So many ids are compared at a time, and each time so many have been folded in. */
const AUDITED_IDS = 1000;

/** What was folded in so long ago is whole: whatever came late has come. */
const AUDIT_MS = 600_000;

/** Records to compare the indexes with, and how far the comparing has come then. */
export interface Audit {
  readonly rows: readonly News[];
  readonly reached: Partial<Pick<State, 'audited' | 'patrolled'>>;
}

/** Reads what is to be compared where a fold passes a thousand; undefined where it doesn't, or is building. */
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
