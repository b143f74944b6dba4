import { setTimeout as pause } from 'node:timers/promises';
import { everyFamily } from '#lib/people/company/families.ts';
import { ALL_ROLLUPS } from '#lib/reports/rollups/all.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { RollupState, rollupStateKey } from '#lib/table/rollups/kind.ts';
import { updateRollups } from '#lib/table/rollups/update.ts';

const BETWEEN_MS = 200;

/**
 * Updates rollups of all families in a loop, however few changes there are: a run sells less than the
 * worker's threshold for an update.
 */
export async function updateRollupsUntil(): Promise<never> {
  for (;;) {
    // An update that fails because of a network fault is retried the next time.
    await updateAll().catch(() => undefined);
    await pause(BETWEEN_MS);
  }
}

async function updateAll(): Promise<void> {
  for await (const ids of everyFamily()) {
    for (const id of ids) {
      for (const kind of ALL_ROLLUPS)
        await updateRollups({ ...kind, worth: 1 }, familyTenant(id), Date.now());
    }
  }
}

/** Returns the number of completed rollup updates of each kind, as text. */
export async function rollupUpdatesText(familyIds: readonly number[]): Promise<string> {
  const kinds = ALL_ROLLUPS.map(async (kind) => {
    const states = familyIds.map((id) => getItem(rollupStateKey(kind, familyTenant(id))));
    const found = (await Promise.all(states)).flatMap((state) => (state ? RollupState.parse(state) : []));
    return `${kind.name} ${found.reduce((sum, { fold }) => sum + fold, 0)}`;
  });
  return `Cubes were folded: ${(await Promise.all(kinds)).join(', ')}.`;
}
