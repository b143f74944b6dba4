import { writeOne } from '#lib/table/change/single.ts';
import { actionOf } from '#lib/table/change/write.ts';
import { absent, equals } from '#lib/table/expression.ts';
import { getRawItems } from '#lib/table/items.ts';
import { sequenceKey } from '#lib/table/keys.ts';
import { readChanges, removeChange, type SourceState, stateKey } from '#lib/table/list-index/changes.ts';
import { restart, type State } from '#lib/table/list-index/state.ts';
import { eraseIndexes, SIDE_BY_SIDE, Torn } from '#lib/table/list-index/store.ts';
import type { Source } from '#lib/table/rows/request.ts';
import { sideBySide } from '#lib/table/side-by-side.ts';
import { writeTarget } from './edits.ts';
import { begun, erasable, isIdle, type Work, workOf } from './work.ts';

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
 * Why a reader is right (`read.ts`). It reads the state and then the changes, n being the state's number, and
 * after that the indexes. Ids after `upto`, holes, and ids with a change are judged by their records and
 * changes; only all others by the indexes. Say x is one of those others, and an index that was read shows a
 * part of a fold k > n that moves x.
 * - x is a new record of fold k: then it is after `upto` or in a hole, so it is not one of those others.
 * - A change of x was folded in, which the reader did not see. If it was removed before the changes were
 *   read, fold k had ended, and all indexes show it. If it was written after that, the index says so: it
 *   names the last fold that moved ids which were folded in before (`changed`) and these ids (`recent`), and
 *   the reader starts over.
 *
 * Chunks are only made of ids up to `upto` of the fold before. A reader who finds one that goes beyond its
 * own `upto` starts over.
 */

/** The remains after a fold has ended. */
export interface Left {
  /** True if there is more to fold in at once. */
  readonly isMore: boolean;
  /** When to come back; undefined if there is no need to, or if someone has been asked to. */
  readonly wakeAt: number | undefined;
}

/** Folds in what was written; `isWrong` has indexes built anew. Undefined if someone else was faster. */
export async function foldIndexes(source: Source, at: number, isWrong = false): Promise<Left | undefined> {
  const [seen, [sequence]] = await Promise.all([
    readChanges(source),
    getRawItems([sequenceKey(source.type, source.home)]),
  ]);
  if (!sequence) return { isMore: false, wakeAt: undefined };
  const state = await withoutRetired(source, begun(seen.state, source, at, isWrong), at);
  const work = await workOf(source, { ...seen, state }, Number(sequence['last']), at);
  if (isIdle(seen.state, work)) return { isMore: false, wakeAt: undefined };
  try {
    if (!(await writeAll(source, seen, work, at))) return undefined;
  } catch (error) {
    if (!(error instanceof Torn)) throw error;
    process.emitWarning(`A part of the list indexes of ${source.type} in ${source.home} is gone`);
    return (await turn(source, seen, restart(state, at))) ? { isMore: true, wakeAt: undefined } : undefined;
  }
  if (!(await turn(source, seen, work.after))) return undefined;
  await sideBySide(work.changes, SIDE_BY_SIDE, (change) => removeChange(source, change));
  const wakeAt = work.after.wake_at > state.wake_at ? work.after.wake_at : undefined;
  return { isMore: work.isMore, wakeAt };
}

/** Does steps 2 to 4. False if someone else was faster. */
async function writeAll(source: Source, seen: SourceState, work: Work, at: number): Promise<boolean> {
  const isSame = async () => isUnmoved(seen, await readChanges(source), work);
  for (const target of work.targets) {
    if (!(await writeTarget(target, work.after.fold, isSame, at))) return false;
  }
  return true;
}

/** Does step 5. */
function turn(source: Source, { state }: SourceState, after: State): Promise<boolean> {
  const same = state ? equals('fold', state.fold) : absent('pk');
  return writeOne(actionOf(stateKey(source), { kind: 'put', item: { ...after } }, [same]));
}

/** Tells whether nobody has ended a fold, and the ids that are folded in have the same changes as before. */
function isUnmoved(before: SourceState, now: SourceState, { targets }: Work): boolean {
  if (before.state?.fold !== now.state?.fold) return false;
  const isSame = ({ id }: { readonly id: number }) =>
    before.byId.get(id)?.version === now.byId.get(id)?.version;
  return targets.every(
    ({ news, audited, changes }) => news.every(isSame) && audited.every(isSame) && changes.every(isSame),
  );
}

async function withoutRetired(source: Source, state: State, at: number): Promise<State> {
  const retired = erasable(state, at);
  if (!retired) return state;
  await eraseIndexes({ source, generation: retired.generation }, retired.fields);
  const { retired: _, ...rest } = state;
  return rest;
}
