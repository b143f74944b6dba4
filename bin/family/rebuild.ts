import { setTimeout as pause } from 'node:timers/promises';
import { ALL_ROLLUPS } from '#lib/reports/rollups/all.ts';
import { updateOne } from '#lib/table/change/send.ts';
import { present } from '#lib/table/expression.ts';
import type { Key, Tenant } from '#lib/table/keys.ts';
import { readChanges, stateKey } from '#lib/table/list-index/changes.ts';
import { updateIndexes } from '#lib/table/list-index/update/update.ts';
import type { RemainingWork } from '#lib/table/projection/step.ts';
import { rollupStateKey } from '#lib/table/rollups/kind.ts';
import { updateRollups } from '#lib/table/rollups/update.ts';
import type { Instant } from '#lib/values/time.ts';

/*
 * Indexes and sums are started again under other keys, as an operator does by hand (docs/operate.md): a
 * worker still busy with the former ones does no harm.
 */

/** Rebuilds the indexes of a list, if it has any. */
export async function rebuildIndexes(type: string, tenant: Tenant): Promise<void> {
  const { state } = await readChanges({ type, tenant });
  if (!state) return;
  const source = { type, tenant, indexes: state.fields, days: state.days };
  await makeInvalid(stateKey(source));
  await updateOn((at) => updateIndexes(source, at));
}

/** Rebuilds all rollups of a family's documents. */
export async function rebuildRollups(tenant: Tenant): Promise<void> {
  for (const kind of ALL_ROLLUPS) {
    if (await makeInvalid(rollupStateKey(kind, tenant)))
      await updateOn((at) => updateRollups(kind, tenant, at));
  }
}

/** Sets an invalid time zone on a state, which makes its days rebuild. Returns whether the state exists. */
function makeInvalid(key: Key): Promise<boolean> {
  return updateOne(key, { set: { zone: 'none' } }, present('pk'));
}

const OTHERS_MS = 200;

/** Runs an update until no work remains; a worker may be running it too. */
async function updateOn(update: (at: Instant) => Promise<RemainingWork | undefined>): Promise<void> {
  for (;;) {
    const left = await update(Date.now());
    if (left && !left.isMore) return;
    if (!left) await pause(OTHERS_MS);
  }
}
