/**
 * The areas of the service: each has an HTTP API of its own behind the one address, and a nested stack with
 * its functions. An API takes 300 routes and 300 integrations, so these leave room for twice the contract. A
 * path that moves to another area gets a new function there; its calls fail for the minutes of that
 * deployment.
 */
const AREAS = {
  platform: ['/admin/product/*', '/admin/region/*', '/admin/system/*'],
  admin: ['/admin/*'],
  product: ['/company/product/*'],
  trade: ['/company/trade/*'],
  money: ['/company/cashbox/*', '/company/client/*', '/company/tariff/*'],
} as const;

/** The area of all other paths. */
export const DEFAULT_AREA = 'common';

export type ApiArea = keyof typeof AREAS | typeof DEFAULT_AREA;

/** All areas. A path belongs to the first whose patterns it fits. */
export const AREA_NAMES = [
  'platform',
  'admin',
  'product',
  'trade',
  'money',
  DEFAULT_AREA,
] as const satisfies readonly ApiArea[];

/** Finds the area that serves a path. */
export function areaOf(path: string): ApiArea {
  const found = AREA_NAMES.find((area) => patternsOf(area).some((pattern) => fits(path, pattern)));
  return found ?? DEFAULT_AREA;
}

/** Lists what the paths of an area look like, in CloudFront's words; none for the rest. */
export function patternsOf(area: ApiArea): readonly string[] {
  return area === DEFAULT_AREA ? [] : AREAS[area];
}

function fits(path: string, pattern: string): boolean {
  return path.startsWith(pattern.slice(0, -'*'.length));
}
