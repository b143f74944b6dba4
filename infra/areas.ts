/**
 * Areas of the service: each has its own HTTP API behind the one address, and a nested stack with its
 * functions. An API is limited to 300 routes and 300 integrations, so these leave room for twice the
 * contract. A path moved to another area gets a new function there; its requests fail for the minutes of that
 * deployment.
 */
const AREAS = {
  platform: ['/admin/product/*', '/admin/region/*', '/admin/system/*', '/company/report/*'],
  admin: ['/admin/*'],
  product: ['/company/product/*'],
  trade: ['/company/trade/*'],
  money: ['/company/cashbox/*', '/company/client/*', '/company/tariff/*'],
} as const;

/** Area of all other paths. */
export const DEFAULT_AREA = 'common';

export type ApiArea = keyof typeof AREAS | typeof DEFAULT_AREA;

/** All areas. A path belongs to the first area with a matching pattern. */
export const AREA_NAMES = [
  'platform',
  'admin',
  'product',
  'trade',
  'money',
  DEFAULT_AREA,
] as const satisfies readonly ApiArea[];

/** Returns the area that serves a path. */
export function areaOf(path: string): ApiArea {
  const found = AREA_NAMES.find((area) => patternsOf(area).some((pattern) => fits(path, pattern)));
  return found ?? DEFAULT_AREA;
}

/** Lists the path patterns of an area in CloudFront's syntax; none for the default area. */
export function patternsOf(area: ApiArea): readonly string[] {
  return area === DEFAULT_AREA ? [] : AREAS[area];
}

function fits(path: string, pattern: string): boolean {
  return path.startsWith(pattern.slice(0, -'*'.length));
}
