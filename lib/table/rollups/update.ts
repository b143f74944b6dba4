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
 * Sums over any number of documents, exact at the moment of reading, at no cost for writers.
 *
 * A document's contributions, its facts, never change. A worker adds the facts of headers, in the order of
 * their ids, to rollups, as list indexes are updated (`list-index/update/update.ts`): a state records which
 * ids are covered, and which are missing. A reader reads the rollups, and adds the facts of the headers that
 * the state does not cover (`read.ts`).
 *
 * A sum is not a set: an id added twice is wrong. So each part of a rollup lists the ids in it beyond the
 * state at the start of its last update (`taken`), and the number of that update, which is the state's plus
 * one. Adding a fact to a part that lists its id changes nothing.
 *
 * Why rollups are correct, for a part P and a state n (that of update n):
 * - P contains the facts of all ids that state n covers, if it is read after state n: an update advances the
 *   state after all its parts are written.
 * - The further ids in P are among those that it lists, if its update is n + 1 at most. Each was listed by
 *   the write that added it. A write omits only ids that its own state covers; if n does not cover them, that
 *   state is a later one, and the update's number is higher than n + 1.
 * - So a process with state n adds the facts of the ids that the state does not cover, except those that P
 *   lists; a reader in memory, a worker in the table, both by `addFacts`. A process that finds a higher
 *   number starts again.
 * - The assumptions about DynamoDB are weaker than the guarantees of its transactions: parts, pages and
 *   states are written one by one, and a consistent read of one returns its last write. A document's header
 *   may be visible before its lines: then its facts are incomplete (`NotYet`), and the update or the report
 *   starts again. Ids without a visible header are gaps, which are checked for a minute.
 * - A worker that was stopped at any point leaves such parts to the next one, and so do two concurrent
 *   workers: of those that write the same part one fails by its version; one advances the state.
 */

/** Parts written concurrently. */
const CONCURRENCY = 40;

/** Runs one update, if it is worthwhile. Undefined if another worker was faster. */
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
  const rollups = { kind, tenant, generation: before.generation };
  const [isWritten, known] = await Promise.all([
    writeRollups(rollups, facts, before),
    readGroups(rollups, before),
  ]);
  if (!isWritten) return undefined;
  const isKnown = new Set(known);
  const added = new Set(facts.map(({ group }) => group).filter((group) => !isKnown.has(group)));
  const named = await addGroups(rollups, before, [...added]);
  return (await saveProgress(key, state, { ...step.after, ...named })) ? remainingWork(step) : undefined;
}

/** Returns true if there are enough new ids, or gaps to check. */
function isWorthwhile(
  { worth }: RollupKind,
  { upto, holes }: RollupState,
  last: number,
  at: number,
): boolean {
  return last - upto >= worth || nextGapCheck(holes) <= at;
}

/** Adds facts to their rollups. False if another worker was faster. */
async function writeRollups(
  rollups: RollupGeneration,
  facts: readonly Fact[],
  before: RollupState,
): Promise<boolean> {
  const byRollup = [...Map.groupBy(facts, ({ group, period }) => `${group} ${period}`).values()];
  const places = byRollup.flatMap(([first]) => first ?? []);
  const found = await readParts(rollups, places);
  // A worker that has advanced the state since has left parts of a later update.
  if (found.flat().some(({ fold }) => fold > before.fold + 1)) return false;
  const written = await mapConcurrent([...places.entries()], CONCURRENCY, ([each, place]) => {
    const parts = addFacts(found[each] ?? [], byRollup[each] ?? [], rollups.kind);
    return writeParts(rollups, place, parts, before);
  });
  return written.every(Boolean);
}

/**
 * Starts a rebuild of the rollups under the keys of the next generation. The current ones stay for their
 * readers; the generation before is dropped.
 */
async function startOver(
  kind: RollupKind,
  tenant: Tenant,
  state: RollupState,
): Promise<RemainingWork | undefined> {
  const rollups = { kind, tenant, generation: state.generation };
  const former = state.generation - 1;
  for (const group of await readGroups(rollups, state))
    await erase(groupPartition(kind, tenant, former, group));
  await erase(pagesPartition({ ...rollups, generation: former }));
  const isBegun = await saveProgress(rollupStateKey(kind, tenant), state, newRollupState(kind, state));
  return isBegun ? { isMore: true, wakeAt: undefined } : undefined;
}

async function erase(pk: string): Promise<void> {
  for await (const items of walk(pk)) {
    await mapConcurrent(items.map(keyOfItem), CONCURRENCY, (key) =>
      writeOne(actionOf(key, { kind: 'remove' }, [present('pk')])),
    );
  }
}
