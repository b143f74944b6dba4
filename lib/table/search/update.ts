import { randomUUID } from 'node:crypto';
import { getRawItems } from '#lib/table/items.ts';
import { partition, type Source, sequencesKey } from '#lib/table/keys.ts';
import {
  isIdle,
  NO_REMAINING_WORK,
  type RemainingWork,
  readUpdateIntake,
  remainingWork,
  saveProgress,
} from '#lib/table/projection/step.ts';
import { idOf } from '#lib/table/read/ranges.ts';
import { lastIdIn } from '#lib/table/sequences.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { expireSegment, readSegment, writeSegment } from './blocks.ts';
import { attributesOf, type SearchFields } from './document.ts';
import { mergePostings, postingsOf, type SegmentRow, type WordIds } from './segment.ts';
import {
  isCurrentSearch,
  newSearchState,
  readSearch,
  removeSearchChange,
  type SearchChange,
  type SearchState,
  type SegmentInfo,
  searchFieldsOf,
  searchStateKey,
} from './state.ts';

/*
 * Words of records, for searches of any size.
 *
 * A worker collects the words of new and changed records into segments, a little behind the writers. A reader
 * takes the rest from the records and the changes themselves, so it finds a record that was just saved.
 *
 * The items of a source:
 * - The state: segments have the records up to `upto`, but for the gaps; it names the segments.
 * - Changes: one item for each record whose searched or filtered attributes have changed since, with these
 *   attributes now, written in the transaction that changes the record. Creating a record writes none.
 * - Segments: blocks of sorted words with the ids of their records. Immutable, and never named again.
 *
 * An update reads the state and the changes, and then the records after `upto` and those that have arrived in
 * gaps; writes a segment of both, with the older segments of at most three times its records merged into it;
 * advances the state under the number that was read; removes the changes that the update before has covered,
 * each under its version. So the segments grow threefold, there are few of them, and a record is written
 * again some ten times.
 *
 * Why a reader is correct (`search.ts`). It reads the state, number n, and then the changes, and the state
 * once more along with the blocks: it starts over if the number is above n + 1. Suppose a record was
 * committed before.
 * - Its id is after `upto` or in a gap: its header is read.
 * - It has changed since update n: update n + 1 covers that change at the earliest, and update n + 2 removes
 *   it, after advancing the state. As the number was at most n + 1 after the changes were read, the change
 *   was among them. It decides alone.
 * - Else the newest segment that has it has its words: an update takes attributes from the change, or from a
 *   header that was read after the changes, so that a later change is not removed by it.
 *
 * Two workers at once: one advances the state. No state names the segment of the other, which expires.
 */

/** Ids and changes in an update. */
const MAX_IDS = 16_000;
const MAX_CHANGES = 4000;

/** Time until the changes of an update are removed, if no other update comes before. */
const REMOVAL_MS = 5000;

/** Older segments are merged that have at most so many times the new records, or few. */
const GROWTH = 3;
const FEW = 256;

/** Runs one update. Undefined if another worker was faster. */
export async function updateSearch(source: Source, at: number): Promise<RemainingWork | undefined> {
  const fields = searchFieldsOf(source);
  if (!fields) return NO_REMAINING_WORK;
  const [{ state, changes: byId }, [counters]] = await Promise.all([
    readSearch(source),
    getRawItems([sequencesKey(source.tenant)]),
  ]);
  const last = lastIdIn(counters, source.type);
  if (last === 0) return NO_REMAINING_WORK;
  const before = state && isCurrentSearch(state, fields) ? state : newSearchState(fields, state);
  const target = {
    pk: partition(source.type, source.tenant),
    last,
    max: MAX_IDS,
    only: ['created_at', ...attributesOf(fields)],
  };
  const intake = await readUpdateIntake(before, target, at);
  const { covered } = before;
  const versions = new Map(covered);
  const changes = [...byId.values()]
    .filter(({ id, version }) => id <= intake.after.upto && versions.get(id) !== version)
    .slice(0, MAX_CHANGES);
  if (state === before && isIdle(intake) && changes.length + covered.length === 0) return NO_REMAINING_WORK;
  const rows = rowsOf(
    changes,
    [...intake.landed, ...intake.rows].map((row) => ({ ...row, id: idOf(row) })),
  );
  const { segments, dropped, made } = await writeMerged(source, before, { fields, rows });
  const after = {
    ...intake.after,
    segments,
    covered: changes.map(({ id, version }): [number, number] => [id, version]),
  };
  const isSaved = await saveProgress(searchStateKey(source), state, after);
  if (!isSaved) {
    if (made) await expireSegment(source, made, at);
    return undefined;
  }
  await mapConcurrent(covered, 40, ([id, version]) => removeSearchChange(source, { id, version }));
  const replaced = state === before ? dropped : (state?.segments ?? []);
  for (const segment of replaced) await expireSegment(source, segment, at);
  const left = remainingWork({ ...intake, isMore: intake.isMore || changes.length === MAX_CHANGES });
  return changes.length > 0 ? { ...left, wakeAt: left.wakeAt ?? at + REMOVAL_MS } : left;
}

/** Joins changed records and headers; of both, the header was read later. */
function rowsOf(changes: readonly SearchChange[], headers: readonly SegmentRow[]): SegmentRow[] {
  const byId = new Map(changes.map(({ id, row }): [number, SegmentRow] => [id, row]));
  for (const header of headers) byId.set(header.id, header);
  return [...byId.values()];
}

/** Writes a segment of records, with the smaller ones before it merged into it. */
async function writeMerged(
  source: Source,
  { segments }: SearchState,
  { fields, rows }: { readonly fields: SearchFields; readonly rows: readonly SegmentRow[] },
): Promise<{ segments: SegmentInfo[]; dropped: SegmentInfo[]; made: SegmentInfo | undefined }> {
  if (rows.length === 0) return { segments: [...segments], dropped: [], made: undefined };
  const kept = [...segments];
  const dropped: SegmentInfo[] = [];
  let count = rows.length;
  for (let older = kept.at(-1); older && older.rows <= Math.max(FEW, GROWTH * count); older = kept.at(-1)) {
    dropped.push(older);
    count += older.rows;
    kept.pop();
  }
  const older: WordIds[][] = [];
  for (const segment of dropped) older.push(await readSegment(source, segment));
  const postings = mergePostings([postingsOf(fields, rows), ...older]);
  const name = randomUUID();
  const first = await writeSegment(source, name, postings);
  const made = { name, rows: count, first };
  return { segments: [...kept, made], dropped, made };
}
