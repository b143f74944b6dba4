import type { Item } from '#lib/table/client.ts';
import { partition, type Source } from '#lib/table/keys.ts';
import type { ChangeEntry, SourceState } from '#lib/table/list-index/changes.ts';
import { dayNumber, instantsOf, MAKING } from '#lib/table/list-index/days.ts';
import { keepHoles, newHoles, readHoles, type State, scheduleWake } from '#lib/table/list-index/state.ts';
import { textsOf } from '#lib/table/list-index/value.ts';
import { idOf, type Range, readRange } from '#lib/table/read/ranges.ts';

/** Ids in a fold: their records fit well into memory, and more ids to a fold mean fewer writes. */
const MOST_IDS = 16_000;

/** Changes in a fold. */
const MOST_CHANGES = 500;

/** The work of one fold. */
export interface Work {
  readonly before: State;
  /** Records that come to the indexes. */
  readonly news: readonly News[];
  readonly changes: readonly ChangeEntry[];
  /** The state once it is done. */
  readonly after: State;
  /** True if another fold has more to do at once. */
  readonly isMore: boolean;
}

/** A fold before it reads: the state it begins with, the changes since, and the last id given out. */
type Start = Pick<SourceState, 'byId'> & { readonly before: State; readonly last: number };

/** Reads what a fold takes on. One round trip, more beyond a megabyte. */
export async function readWork(source: Source, { before, byId, last }: Start, at: number): Promise<Work> {
  const ahead = { from: before.upto + 1, to: Math.min(last, before.upto + MOST_IDS) };
  const [rows, landed] = await Promise.all([
    readNews(source, before, ahead),
    readHoles(partition(source.type, source.home), before.holes),
  ]);
  // Ids after the last record may be under way, so the next fold begins with them.
  const upto = ahead.to < last ? ahead.to : (rows.at(-1)?.id ?? before.upto);
  const changes = [...byId.values()].filter(({ id }) => id <= upto).slice(0, MOST_CHANGES);
  const holes = [
    ...keepHoles(before.holes, landed, at),
    ...newHoles({ from: before.upto + 1, to: upto }, rows, at),
  ];
  return {
    before,
    news: [...landed.map((item) => newsOf(before, item)), ...rows],
    changes,
    after: scheduleWake({ ...before, fold: before.fold + 1, upto, holes }, at),
    isMore: ahead.to < last || changes.length === MOST_CHANGES,
  };
}

/** Tells whether a fold would change nothing. */
export function isIdle({ before, news, changes, after }: Work): boolean {
  const isSame = after.upto === before.upto && after.holes.length === before.holes.length;
  return isSame && news.length === 0 && changes.length === 0;
}

/** A record as a fold takes it in. */
export interface News {
  readonly id: number;
  readonly created_at: number;
  /** The number of the day of each of its instants. */
  readonly days: Readonly<Record<string, number>>;
  readonly texts: Readonly<Record<string, string | null>>;
}

/** Reads the records of a stretch of ids, as a fold takes them in. */
async function readNews(source: Source, kept: Kept, range: Range): Promise<News[]> {
  const only = [...instantsOf(kept), ...kept.fields];
  const rows = await readRange(partition(source.type, source.home), range, { where: [], only });
  return rows.map((row) => newsOf(kept, row));
}

/** Fields and instants of records by which lists are filtered. */
type Kept = Pick<State, 'fields' | 'days'>;

/** Reduces a record to what a fold takes in. */
function newsOf(kept: Kept, row: Item): News {
  const days = instantsOf(kept).map((instant) => [instant, dayNumber(row[instant])] as const);
  return {
    id: idOf(row),
    created_at: Number(row[MAKING]),
    days: Object.fromEntries(days),
    texts: textsOf(kept.fields, row),
  };
}
