import { dirname } from 'node:path';
import { NestedStack } from 'aws-cdk-lib';
import type { CfnApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import { serveRoutes } from './api.ts';
import { addFunction } from './function.ts';
import { needsOfRoute } from './needs.ts';
import type { Resources } from './resources.ts';
import { functionsOf } from './route-functions.ts';
import type { Route } from './routes.ts';

/**
 * Adds all routes, a nested stack for each noun: `company-product-brand`. A route never moves to another
 * stack when others are added: API Gateway would refuse it in its new stack while it is still in the old one.
 */
export function addRoutes(
  scope: Construct,
  routes: readonly Route[],
  api: CfnApi,
  resources: Resources,
): NestedStack[] {
  const byArea = Map.groupBy(routes, ({ file }) => areaOf(file));
  return [...byArea].map(([area, found]) => {
    const stack = new NestedStack(scope, area, { description: `The routes of ${area}` });
    for (const route of found) addRoute(stack, route, api, resources);
    return stack;
  });
}

/** Adds a function, a log, a role, a permission and an integration for each method, and one or two routes. */
function addRoute(stack: NestedStack, route: Route, api: CfnApi, resources: Resources): void {
  for (const served of functionsOf(route)) {
    const { method, routeKeys } = served;
    const target = addFunction(
      stack,
      idOf(`${method} ${route.path}`),
      {
        description: routeKeys.join(', '),
        bundle: route.file,
        handler: method,
        needs: needsOfRoute(served, resources),
      },
      resources,
    );
    serveRoutes(api, target, routeKeys);
  }
}

/** Takes the folder's first three words, fewer if a variable comes before. */
function areaOf(file: string): string {
  const words = dirname(file).split('/').slice(0, 3);
  const variable = words.findIndex((word) => word.startsWith('['));
  return words.slice(0, variable === -1 ? words.length : variable).join('-');
}

function idOf(routeKey: string): string {
  return routeKey.replaceAll(/[{}]/g, '').replaceAll(/[ /]+/g, '-');
}
