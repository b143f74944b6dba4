import { actionOf } from '#lib/table/change/change.ts';
import { writeOne } from '#lib/table/change/send.ts';
import { present } from '#lib/table/expression.ts';
import { getRawItems } from '#lib/table/items.ts';
import { keyOfItem, partition, sequencesKey, type Tenant } from '#lib/table/keys.ts';
import { nextGapCheck } from '#lib/table/projection/progress.ts';
import {
  isIdle,
  NO_REMAINING_WORK,
  type RemainingWork,
  readUpdateIntake,
  remainingWork,
  saveProgress,
} from '#lib/table/projection/step.ts';
import { walk } from '#lib/table/read/walk.ts';
import { lastIdIn } from '#lib/table/sequences.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { addGroups, pagesPartition, readGroups } from './groups.ts';
import {
  type Fact,
  groupPartition,
  isCurrentFor,
  newRollupState,
  type RollupKind,
  RollupState,
  rollupStateKey,
} from './kind.ts';
import { addFacts } from './part.ts';
import { type RollupGeneration, readParts, writeParts } from './store.ts';

/*
 * Sums of documents of any number, exact at the moment of reading, for which writers pay nothing.
 *
 * What a document comes to when it is made never changes: its facts. A worker folds the facts of headers, in
 * the order of their ids, into cubes, as list indexes are folded (`list-index/update/update.ts`): a state
 * says how far it has come, and which ids are missing. A reader takes the cubes, and adds the facts of the
 * headers that the state does not know (`read.ts`).
 *
 * A sum is not a set: an id that is added twice is wrong. So each part of a cube names the ids that it holds
 * beyond the state that its last writer began with (`taken`), and the number of that fold, which is the
 * state's plus one. To add a fact to a part that names its id changes nothing.
 *
 * Why cubes are right, for a part P and a state n (that of fold n):
 * - P holds the facts of all ids that state n covers, if it is read after state n: a fold advances the state
 *   after all its parts are written.
 * - The further ids in P are among those that it names, if its fold is n + 1 at most. Each was named by the
 *   write that brought it. A write leaves out only ids that its own state covers; if n does not cover them,
 *   that state is a later one, and the fold's number is higher than n + 1.
 * - So whoever has state n adds the facts of the ids that it does not cover, but those that P names; a
 *   reader in memory, a worker in the table, both by `addFacts`. Who finds a higher number begins again.
 * - What is assumed of DynamoDB is less than its transactions promise: parts, pages and states are written
 *   one by one, and a consistent read of one sees what was written. Of a document only the header may be
 *   seen so far, and not yet its lines: then there are no facts yet (`NotYet`), and the fold or the report
 *   begins again. Ids whose header is not seen yet are holes, which are looked at for a minute.
 * - A worker that was cut off anywhere leaves parts like that to the next one, and so do two at once: of
 *   those that write the same part one fails by its version; one advances the state.
 */

/** Parts that are written at once. */
const SIDE_BY_SIDE = 40;

/** Folds in what was written, if it is worth it. Undefined if someone else was faster. */
export async function updateRollups(
  kind: RollupKind,
  tenant: Tenant,
  at: number,
): Promise<RemainingWork | undefined> {
  const key = rollupStateKey(kind, tenant);
  const [item, counters] = await getRawItems([key, sequencesKey(tenant)]);
  const last = lastIdIn(counters, kind.source);
  if (last === 0) return NO_REMAINING_WORK;
  const state = item && RollupState.parse(item);
  if (state && !isCurrentFor(kind, state)) return startOver(kind, tenant, state);
  const before = state ?? newRollupState(kind);
  if (!isWorthwhile(kind, before, last, at)) return NO_REMAINING_WORK;
  const only = ['created_at', ...kind.only];
  const step = await readUpdateIntake(
    before,
    { pk: partition(kind.source, tenant), last, max: kind.max, only },
    at,
  );
  if (isIdle(step)) return NO_REMAINING_WORK;
  const facts = await kind.factsOf(tenant, [...step.landed, ...step.rows]);
  const cubes = { kind, tenant, generation: before.generation };
  const [isWritten, known] = await Promise.all([writeCubes(cubes, facts, before), readGroups(cubes, before)]);
  if (!isWritten) return undefined;
  const isKnown = new Set(known);
  const added = new Set(facts.map(({ group }) => group).filter((group) => !isKnown.has(group)));
  const named = await addGroups(cubes, before, [...added]);
  return (await saveProgress(key, state, { ...step.after, ...named })) ? remainingWork(step) : undefined;
}

/** Tells whether there are enough new ids, or holes whose time is up. */
function isWorthwhile(
  { worth }: RollupKind,
  { upto, holes }: RollupState,
  last: number,
  at: number,
): boolean {
  return last - upto >= worth || nextGapCheck(holes) <= at;
}

/** Adds facts to the cubes that they belong in. False if someone else was faster. */
async function writeCubes(
  cubes: RollupGeneration,
  facts: readonly Fact[],
  before: RollupState,
): Promise<boolean> {
  const byCube = [...Map.groupBy(facts, ({ group, period }) => `${group} ${period}`).values()];
  const places = byCube.flatMap(([first]) => first ?? []);
  const found = await readParts(cubes, places);
  // Whoever has advanced the state meanwhile has left parts of a later fold.
  if (found.flat().some(({ fold }) => fold > before.fold + 1)) return false;
  const written = await mapConcurrent([...places.entries()], SIDE_BY_SIDE, ([each, place]) => {
    const parts = addFacts(found[each] ?? [], byCube[each] ?? [], cubes.kind);
    return writeParts(cubes, place, parts, before);
  });
  return written.every(Boolean);
}

/**
 * Begins cubes under other keys, from the first id on. Those in use stay for who is reading them; the ones
 * before them go.
 */
async function startOver(
  kind: RollupKind,
  tenant: Tenant,
  state: RollupState,
): Promise<RemainingWork | undefined> {
  const cubes = { kind, tenant, generation: state.generation };
  const former = state.generation - 1;
  for (const group of await readGroups(cubes, state))
    await erase(groupPartition(kind, tenant, former, group));
  await erase(pagesPartition({ ...cubes, generation: former }));
  const isBegun = await saveProgress(rollupStateKey(kind, tenant), state, newRollupState(kind, state));
  return isBegun ? { isMore: true, wakeAt: undefined } : undefined;
}

async function erase(pk: string): Promise<void> {
  for await (const items of walk(pk)) {
    await mapConcurrent(items.map(keyOfItem), SIDE_BY_SIDE, (key) =>
      writeOne(actionOf(key, { kind: 'remove' }, [present('pk')])),
    );
  }
}
