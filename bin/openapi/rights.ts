import { join } from 'node:path';
import { METHODS, type Route } from '#infra/routes.ts';

export const RIGHTS_FILE = join(import.meta.dirname, '../../lib/auth/rights.json');

/** Lists every right that an operation names, in alphabetical order, a line each. */
export function serializeRights(routes: readonly Route[]): string {
  const named = routes.flatMap(({ endpoints }) =>
    METHODS.flatMap((method) => {
      const { right = '', orRight = '', andRight = '', mayNeed = [] } = endpoints[method]?.metadata ?? {};
      return [right, orRight, andRight, ...mayNeed].filter((each) => each.includes('.'));
    }),
  );
  return `${JSON.stringify([...new Set(named)].sort(), undefined, 2)}\n`;
}
