import type { Metadata } from '#lib/http/definition/definition.ts';
import { METHODS, type Method, type Route } from './routes.ts';

/** Methods that POST with `_method` stands for; the first one that a path has serves it. */
export const CHANGING = ['PUT', 'PATCH', 'DELETE'] as const satisfies readonly Method[];

/** A Lambda function of a route's file. */
export interface RouteFunction {
  /** Name of its export. */
  readonly method: Method;
  /** Route keys of API Gateway: `PUT /company/product/brand/{model}`. */
  readonly routeKeys: readonly string[];
  /** Operations that it may perform. */
  readonly operations: readonly Metadata[];
}

/**
 * Lists the functions of a route, one for each method. POST with `_method` has none of its own: that would be
 * some 90 functions beside some 300. It is served by the first of PUT, PATCH and DELETE, which may then
 * perform the others' operations.
 */
export function functionsOf({ path, endpoints, hasMethodOverride }: Route): RouteFunction[] {
  const first = hasMethodOverride ? CHANGING.find((method) => endpoints[method]) : undefined;
  return METHODS.flatMap((method) => {
    const own = endpoints[method];
    if (!own) return [];
    const served = method === first ? CHANGING.flatMap((each) => endpoints[each] ?? []) : [own];
    return {
      method,
      routeKeys: [`${method} ${path}`, ...(method === first ? [`POST ${path}`] : [])],
      operations: served.map(({ metadata }) => metadata),
    };
  });
}
