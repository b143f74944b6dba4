import { createHash } from 'node:crypto';
import type { ApiArea } from './areas.ts';
import type { Stage } from './stage.ts';

/** Lambda's limit on the length of a function's name. */
const MAX_LETTERS = 64;

/**
 * Alias under which a function is invoked. It points at the version of the latest deployment, and can be
 * pointed back: earlier versions are retained.
 */
export const LIVE = 'live';

/** Returns the name prefix of a stage's functions. */
export function functionPrefix({ name }: Pick<Stage, 'name'>): string {
  return `retail-${name}-`;
}

/**
 * Returns the name of a route's function: its area and path, truncated with a hash if they are long. A route
 * keeps its name permanently; in another area it is another function.
 */
export function functionName(stage: Stage, area: ApiArea, route: string): string {
  const words = route.replaceAll(/[{}]/g, '').replaceAll(/[ /]+/g, '-');
  const name = `${functionPrefix(stage)}${area}-${words}`;
  if (name.length <= MAX_LETTERS) return name;
  const hash = createHash('sha256').update(route).digest('hex').slice(0, 8);
  return `${name.slice(0, MAX_LETTERS - hash.length - 1)}-${hash}`;
}
