import type { Item } from '#lib/table/client.ts';
import { partition, type Source } from '#lib/table/keys.ts';
import type { ChangeEntry, SourceState } from '#lib/table/list-index/changes.ts';
import { dayNumber, instantsOf } from '#lib/table/list-index/days.ts';
import type { IndexState } from '#lib/table/list-index/state.ts';
import { textsOf } from '#lib/table/list-index/value.ts';
import { isIdle, readUpdateIntake, type UpdateIntake } from '#lib/table/projection/step.ts';
import { idOf } from '#lib/table/read/ranges.ts';

/** Ids in a fold: their records fit well into memory, and more ids to a fold mean fewer writes. */
const MAX_IDS = 16_000;

/** Changes in a fold. */
const MAX_CHANGES = 500;

/** The work of one fold. */
export interface IndexUpdate extends UpdateIntake<IndexState> {
  /** Records that come to the indexes. */
  readonly news: readonly IncomingRecord[];
  readonly changes: readonly ChangeEntry[];
}

/** A fold before it reads: the state it begins with, the changes since, and the last id given out. */
type Start = Pick<SourceState, 'byId'> & { readonly before: IndexState; readonly last: number };

/** Reads what a fold takes on. One round trip, more beyond a megabyte. */
export async function readIndexUpdate(
  source: Source,
  { before, byId, last }: Start,
  at: number,
): Promise<IndexUpdate> {
  const only = [...instantsOf(before), ...before.fields];
  const stretch = { pk: partition(source.type, source.tenant), last, max: MAX_IDS, only };
  const step = await readUpdateIntake(before, stretch, at);
  const changes = [...byId.values()].filter(({ id }) => id <= step.after.upto).slice(0, MAX_CHANGES);
  return {
    ...step,
    news: [...step.landed, ...step.rows].map((row) => newsOf(before, row)),
    changes,
    isMore: step.isMore || changes.length === MAX_CHANGES,
  };
}

/** Tells whether a fold would change nothing. */
export function isEmptyUpdate(work: IndexUpdate): boolean {
  return isIdle(work) && work.changes.length === 0;
}

/** A record as a fold takes it in. */
export interface IncomingRecord {
  readonly id: number;
  /** The number of the day of each of its instants. */
  readonly days: Readonly<Record<string, number>>;
  readonly texts: Readonly<Record<string, string | null>>;
}

/** Fields and instants of records by which lists are filtered. */
type Kept = Pick<IndexState, 'fields' | 'days'>;

/** Reduces a record to what a fold takes in. */
function newsOf(kept: Kept, row: Item): IncomingRecord {
  const days = instantsOf(kept).map((instant) => [instant, dayNumber(row[instant])] as const);
  return { id: idOf(row), days: Object.fromEntries(days), texts: textsOf(kept.fields, row) };
}
