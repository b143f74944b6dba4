import { getRawItems } from '#lib/table/items.ts';
import { type Source, sequencesKey } from '#lib/table/keys.ts';
import { readChanges, removeChange, type SourceState, stateKey } from '#lib/table/list-index/changes.ts';
import { type IndexState, isCurrentIndex, newIndexState } from '#lib/table/list-index/state.ts';
import { MAX_CONCURRENT_WRITES, MissingChunk } from '#lib/table/list-index/store.ts';
import {
  NO_REMAINING_WORK,
  type RemainingWork,
  remainingWork,
  saveProgress,
} from '#lib/table/projection/step.ts';
import { lastIdIn } from '#lib/table/sequences.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { dropIndexes } from './drop.ts';
import { writeEdits } from './edits.ts';
import { type IndexUpdate, isEmptyUpdate, readIndexUpdate } from './work.ts';

/*
 * Pages, totals and last pages of lists of any size.
 *
 * Every value of every filter field has an index: the ids of the records with that value. A worker updates
 * the indexes asynchronously, a little behind the writers. Readers combine the indexes with the records that
 * these do not cover yet. So no reader waits for an index update, and a list is exact at the moment of
 * reading.
 *
 * The items of a source (the records of a type of a tenant):
 * - The state: the indexes cover the ids up to `upto`, except for the gaps: missing ids.
 * - Changes: one item for each record whose indexed fields have changed since its last index update: their
 *   present values, and all former ones. Written in the transaction that changes the record. Creating a
 *   record writes none.
 * - Indexes: one item for each value (`manifest.ts`): a directory of immutable chunks, and the latest ids.
 *
 * An index update, which advances the number of the state by one:
 * 1. reads the state and the changes, the records after `upto`, and those that have arrived in gaps;
 * 2. reads the indexes of the present and former values of these;
 * 3. reads the state and the changes again: for the ids of this update they must be the same;
 * 4. writes the indexes, each under the version that was read, new chunks before them;
 * 5. advances the state, under the number that was read;
 * 6. removes the changes that it has covered, each under the version that was read.
 *
 * Why the indexes are correct.
 * - Edits are idempotent: adding a present id or removing an absent one changes nothing. So after a crash of
 *   a worker the next update repeats the same: until step 5 the state is unchanged, until step 6 the changes
 *   still exist.
 * - A change contains all values of a field since its last index update, so the only index that contains the
 *   id is among them. An update removes the id from all of them except the index of its present value.
 * - Two concurrent updates: of those that wrote the same index one fails and stops; one advances the state.
 *   The writes of the other are harmless. Suppose it has applied a change of x to an index m. Its view of x
 *   was at least as new as that of any worker that had written m before it read m (step 3 comes after step
 *   2). And any worker that removes that change, or a later one of x, has written m itself (an index that a
 *   covered change refers to is written even if unchanged). Before that, it read m with the first worker's
 *   write, or else the first worker's write fails by its version. Until then the change exists, and readers
 *   use it. The same holds for a new record: its value then or now is in its header, and a change that was
 *   written in between contains both.
 *
 * Why a reader is correct (`indexed-page.ts`). It reads the state and then the changes, n being the state's
 * number, and after that the indexes. Ids after `upto`, ids in gaps, and ids with a change are decided by
 * their records and changes; only all others by the indexes. Let x be one of those others, and let an index
 * that was read contain part of an update k > n that moves x.
 * - x is a new record of update k: then it is after `upto` or in a gap, so it is not one of those others.
 * - A change of x was covered, which the reader did not see. If it was removed before the changes were read,
 *   update k had ended, and all indexes include it. If it was written after that, the index shows it: it
 *   contains the number of the last update that moved ids covered before (`changed`) and these ids
 *   (`recent`), and the reader retries.
 *
 * Chunks contain only ids up to `upto` of the previous update. A reader that finds one beyond its own `upto`
 * retries.
 */

/** Runs one index update. Undefined if another worker was faster. */
export async function updateIndexes(source: Source, at: number): Promise<RemainingWork | undefined> {
  const [seen, [counters]] = await Promise.all([
    readChanges(source),
    getRawItems([sequencesKey(source.tenant)]),
  ]);
  const last = lastIdIn(counters, source.type);
  if (last === 0) return NO_REMAINING_WORK;
  const { state, byId } = seen;
  if (state && !isCurrentIndex(state, source)) return startOver(source, state);
  const start = { before: state ?? newIndexState(source), byId, last };
  const work = await readIndexUpdate(source, start, at);
  if (state && isEmptyUpdate(work)) return NO_REMAINING_WORK;
  try {
    if (!(await writeEdits(source, work, () => isUnmoved(source, seen, work), at))) return undefined;
  } catch (error) {
    if (!(error instanceof MissingChunk)) throw error;
    process.emitWarning(`A part of the list indexes of ${source.type} in ${source.tenant} is gone`);
    return startOver(source, work.before);
  }
  if (!(await saveProgress(stateKey(source), state, work.after))) return undefined;
  await mapConcurrent(work.changes, MAX_CONCURRENT_WRITES, (change) => removeChange(source, change));
  return remainingWork(work);
}

/**
 * Starts a rebuild of the indexes under the keys of the next generation. The current ones stay for their
 * readers; the generation before is dropped.
 */
async function startOver(source: Source, state: IndexState): Promise<RemainingWork | undefined> {
  await dropIndexes({ source, generation: state.generation - 1 }, state.fields);
  const isBegun = await saveProgress(stateKey(source), state, newIndexState(source, state));
  return isBegun ? { isMore: true, wakeAt: undefined } : undefined;
}

/** Checks that no other update has ended, and that the ids of this one still have the same changes. */
async function isUnmoved(
  source: Source,
  before: SourceState,
  { news, changes }: IndexUpdate,
): Promise<boolean> {
  const now = await readChanges(source);
  const isSame = ({ id }: { readonly id: number }) =>
    before.byId.get(id)?.version === now.byId.get(id)?.version;
  return before.state?.fold === now.state?.fold && news.every(isSame) && changes.every(isSame);
}
