import { ALL_ROLLUPS } from '#lib/reports/rollups/all.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { RollupState, rollupStateKey } from '#lib/table/rollups/kind.ts';
import { updateRollups } from '#lib/table/rollups/update.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import type { PlayMoment } from './play.ts';
import type { Weeks } from './weeks.ts';

/** A fold of this little makes no more calls. */
const MAX_CALLS = 40;

/**
 * Folds what reports are of, each kind until it is killed at some call, or not at all. By the machine's
 * clock, as the service's worker folds: by another one missing ids are given up that may still come.
 */
export async function updateSomeRollups({ weeks, chance }: PlayMoment): Promise<void> {
  const at = Date.now();
  const tenant = familyTenant(weeks.company_id);
  for (const kind of ALL_ROLLUPS) {
    await withCalls(chance.between(0, MAX_CALLS), () => updateRollups({ ...kind, worth: 1 }, tenant, at));
  }
}

/** Folds all that reports are of, to the end. */
export async function updateEveryRollup({ company_id }: Weeks): Promise<void> {
  for (const kind of ALL_ROLLUPS)
    await updateRollups({ ...kind, worth: 1 }, familyTenant(company_id), Date.now());
}

/** Lists the kinds of which nothing is folded in. */
export async function withoutRollups({ company_id }: Weeks): Promise<string[]> {
  const states = ALL_ROLLUPS.map(async (kind) => {
    const state = await getItem(rollupStateKey(kind, familyTenant(company_id)));
    return state && RollupState.parse(state).upto > 0 ? [] : [kind.name];
  });
  return (await Promise.all(states)).flat();
}
