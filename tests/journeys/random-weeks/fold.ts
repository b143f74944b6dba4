import { ALL_CUBES } from '#lib/reports/cubes/all.ts';
import { foldCubes } from '#lib/table/cubes/fold.ts';
import { CubeState, cubeStateKey } from '#lib/table/cubes/kind.ts';
import { familyHome } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { withCalls } from '#tests/kit/life.ts';
import type { Turn } from './play.ts';
import type { Weeks } from './weeks.ts';

/** A fold of this little makes no more calls. */
const MOST_CALLS = 40;

/**
 * Folds what reports are of, each kind until it is killed at some call, or not at all. By the machine's
 * clock, as the service's worker folds: by another one missing ids are given up that may still come.
 */
export async function foldSome({ weeks, chance }: Turn): Promise<void> {
  const at = Date.now();
  const home = familyHome(weeks.company_id);
  for (const kind of ALL_CUBES) {
    await withCalls(chance.between(0, MOST_CALLS), () => foldCubes({ ...kind, worth: 1 }, home, at));
  }
}

/** Folds all that reports are of, to the end. */
export async function foldAll({ company_id }: Weeks): Promise<void> {
  for (const kind of ALL_CUBES) await foldCubes({ ...kind, worth: 1 }, familyHome(company_id), Date.now());
}

/** Lists the kinds of which nothing is folded in. */
export async function unfolded({ company_id }: Weeks): Promise<string[]> {
  const states = ALL_CUBES.map(async (kind) => {
    const state = await getItem(cubeStateKey(kind, familyHome(company_id)));
    return state && CubeState.parse(state).upto > 0 ? [] : [kind.name];
  });
  return (await Promise.all(states)).flat();
}
