import rights from './rights.json' with { type: 'json' };

/**
 * All rights that a role may grant: those that endpoints name. `npm run fix` lists them from there, since the
 * function that creates a role does not import other operations.
 */
export const RIGHTS: readonly string[] = rights;

/** Returns true if a right exists, or any right matching its wildcard `.*`. Contract 9.91. */
export function isRight(route: string): boolean {
  if (!route.endsWith('.*')) return RIGHTS.includes(route);
  return RIGHTS.some((right) => right.startsWith(route.slice(0, -1)));
}
