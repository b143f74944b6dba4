import type { Item } from '#lib/table/client.ts';
import { partition, type Source } from '#lib/table/keys.ts';
import type { ChangeEntry, SourceState } from '#lib/table/list-index/changes.ts';
import { dayNumber, instantsOf } from '#lib/table/list-index/days.ts';
import type { IndexState } from '#lib/table/list-index/state.ts';
import { textsOf } from '#lib/table/list-index/value.ts';
import { isIdle, readUpdateIntake, type UpdateIntake } from '#lib/table/projection/step.ts';
import { idOf } from '#lib/table/read/ranges.ts';

/** Ids in an index update: their records fit well into memory, and more ids per update mean fewer writes. */
const MAX_IDS = 16_000;

/** Changes in an index update. */
const MAX_CHANGES = 500;

/** The work of one index update. */
export interface IndexUpdate extends UpdateIntake<IndexState> {
  /** Records new to the indexes. */
  readonly news: readonly IncomingRecord[];
  readonly changes: readonly ChangeEntry[];
}

/** The input of an index update: the current state, the changes since, and the last allocated id. */
type Start = Pick<SourceState, 'byId'> & { readonly before: IndexState; readonly last: number };

/** Reads the work of an index update. One round trip, more beyond a megabyte. */
export async function readIndexUpdate(
  source: Source,
  { before, byId, last }: Start,
  at: number,
): Promise<IndexUpdate> {
  const only = [...instantsOf(before), ...before.fields];
  const target = { pk: partition(source.type, source.tenant), last, max: MAX_IDS, only };
  const step = await readUpdateIntake(before, target, at);
  const changes = [...byId.values()].filter(({ id }) => id <= step.after.upto).slice(0, MAX_CHANGES);
  return {
    ...step,
    news: [...step.landed, ...step.rows].map((row) => incomingOf(before, row)),
    changes,
    isMore: step.isMore || changes.length === MAX_CHANGES,
  };
}

/** Returns true if an index update would change nothing. */
export function isEmptyUpdate(work: IndexUpdate): boolean {
  return isIdle(work) && work.changes.length === 0;
}

/** The indexed part of a record. */
export interface IncomingRecord {
  readonly id: number;
  /** The day numbers of its instants. */
  readonly days: Readonly<Record<string, number>>;
  readonly texts: Readonly<Record<string, string | null>>;
}

/** Filterable fields and instants of records. */
type IndexedFields = Pick<IndexState, 'fields' | 'days'>;

/** Reduces a record to its indexed part. */
function incomingOf(indexed: IndexedFields, row: Item): IncomingRecord {
  const days = instantsOf(indexed).map((instant) => [instant, dayNumber(row[instant])] as const);
  return { id: idOf(row), days: Object.fromEntries(days), texts: textsOf(indexed.fields, row) };
}
