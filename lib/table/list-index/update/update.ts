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
 * For every value of every field that lists filter by there is an index: the ids of the records that have it.
 * A worker folds what was written into the indexes, a little behind the writers. A reader takes what is not
 * folded in from the records themselves. So no reader waits for an index to be built, and a list is exact at
 * the moment of reading.
 *
 * A source (the records of a type in a home) keeps:
 *   state    how far its indexes have come: ids up to `upto` are folded in, except for the holes: missing
 *            ids.
 *   changes  one item for each record whose indexed fields have changed since it was folded in: what they are
 *            now, and all they were. It is written in the transaction that changes the record. Making a
 *            record writes none.
 *   indexes  one item for each value (`manifest.ts`): a directory of chunks that never change, and the latest
 *            ids.
 *
 * A fold (one of them advances `state.fold` by one):
 * 1. reads the state and the changes, the records after `upto`, and those that have come into holes;
 * 2. reads the indexes that these belong in, or belonged in;
 * 3. reads the state and the changes again: for the ids that it folds in they must be the same;
 * 4. writes the indexes, each under the version that was read, new chunks before them;
 * 5. advances the state, under the number that was read;
 * 6. removes the changes it folded in, each under the version that was read.
 *
 * Why the indexes are right.
 * - To add an id that is there, or to remove one that isn't, changes nothing. So wherever a worker dies, the
 *   next fold does the same again: until step 5 the state says that nothing was folded, until step 6 the
 *   changes are still there.
 * - A change names all values that a field has had since it was last folded in, so the one index that holds
 *   the id is among them. A fold takes the id out of all of them except that of its value now.
 * - Two at once: of those that wrote the same index one fails and stops; one advances the state. What the
 *   other has written does no harm. Say it folded a change of x into an index m. Its view of x was at least
 *   as new as that of anyone who had written m before it read m (step 3 comes after step 2). And whoever
 *   removes that change, or a later one of x, has written m itself (an index that a folded change names is
 *   written even if it stays as it is). Before that, it read m with what the first had written, or else the
 *   first one's write fails by its version. Until then the change is there, and readers go by it. The same
 *   holds for a new record: its value then or now is in its header, and a change that was written meanwhile
 *   names both.
 *
 * Why a reader is right (`indexed-page.ts`). It reads the state and then the changes, n being the state's
 * number, and after that the indexes. Ids after `upto`, holes, and ids with a change are judged by their
 * records and changes; only all others by the indexes. Say x is one of those others, and an index that was
 * read shows a part of a fold k > n that moves x.
 * - x is a new record of fold k: then it is after `upto` or in a hole, so it is not one of those others.
 * - A change of x was folded in, which the reader did not see. If it was removed before the changes were
 *   read, fold k had ended, and all indexes show it. If it was written after that, the index says so: it
 *   names the last fold that moved ids which were folded in before (`changed`) and these ids (`recent`), and
 *   the reader starts over.
 *
 * Chunks are only made of ids up to `upto` of the fold before. A reader who finds one that goes beyond its
 * own `upto` starts over.
 */

/** Folds in what was written. Undefined if someone else was faster. */
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
 * Begins indexes under other keys, from the first id on. Those in use stay for who is reading them; the ones
 * before them go.
 */
async function startOver(source: Source, state: IndexState): Promise<RemainingWork | undefined> {
  await dropIndexes({ source, generation: state.generation - 1 }, state.fields);
  const isBegun = await saveProgress(stateKey(source), state, newIndexState(source, state));
  return isBegun ? { isMore: true, wakeAt: undefined } : undefined;
}

/** Checks that nobody has ended a fold, and that the ids folded in have the same changes as before. */
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
