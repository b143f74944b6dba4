import { join } from 'node:path';
import { METHODS, type Route } from '#infra/routes.ts';

export const RIGHTS_FILE = join(import.meta.dirname, '../../lib/auth/rights.json');

/** Lists every right that an operation names, in alphabetical order, a line each. */
export function serializeRights(routes: readonly Route[]): string {
  const named = routes.flatMap(({ endpoints }) =>
    METHODS.flatMap((method) => {
      const { right = '', orRight = '', andRight = '', mayNeed = {} } = endpoints[method]?.metadata ?? {};
      return [right, orRight, andRight, ...Object.keys(mayNeed)].filter((each) => each.includes('.'));
    }),
  );
  return `${JSON.stringify([...new Set(named)].sort(), undefined, 2)}\n`;
}

export const RIGHT_USES_FILE = join(import.meta.dirname, '../../lib/auth/right-uses.json');

/**
 * Lists the rights of which the right of another operation is the alternative, and the rights that are no
 * operation's own but for parts of one, or required besides its own.
 */
export function serializeRightUses(routes: readonly Route[]): string {
  const used = routes.flatMap(({ endpoints }) =>
    METHODS.flatMap((method) => endpoints[method]?.metadata ?? []),
  );
  const alternatives = used.flatMap(({ right, orRight }) => (orRight ? [{ right, orRight }] : []));
  const implied = [...Map.groupBy(alternatives, ({ orRight }) => orRight)].map(([right, its]) => [
    right,
    [...new Set(its.map((each) => each.right))].sort(),
  ]);
  const own = new Set<string>(used.flatMap(({ right, orRight }) => [right, orRight ?? []].flat()));
  const further = used.flatMap(({ andRight, mayNeed = {} }) => [andRight ?? [], Object.keys(mayNeed)].flat());
  const parts = further.filter((right) => !own.has(right));
  const uses = { implied: Object.fromEntries(implied.sort()), parts: [...new Set(parts)].sort() };
  return `${JSON.stringify(uses, undefined, 2)}\n`;
}
