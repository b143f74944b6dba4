import { createHash } from 'node:crypto';
import type { ApiArea } from './areas.ts';
import type { Stage } from './stage.ts';

/** Lambda's limit of letters in a function's name. */
const MAX_LETTERS = 64;

/**
 * The alias under which a function is called. It points at the version of the latest deployment, and can be
 * pointed back: versions stay when a deployment has others.
 */
export const LIVE = 'live';

/** Gives the beginning of all names of a stage's functions. */
export function functionPrefix({ name }: Pick<Stage, 'name'>): string {
  return `retail-${name}-`;
}

/**
 * Names the function of a route: its area and path, cut and told apart by a hash if they are long. The same
 * route has the same name for ever; in another area it is another function.
 */
export function functionName(stage: Stage, area: ApiArea, route: string): string {
  const words = route.replaceAll(/[{}]/g, '').replaceAll(/[ /]+/g, '-');
  const name = `${functionPrefix(stage)}${area}-${words}`;
  if (name.length <= MAX_LETTERS) return name;
  const hash = createHash('sha256').update(route).digest('hex').slice(0, 8);
  return `${name.slice(0, MAX_LETTERS - hash.length - 1)}-${hash}`;
}
