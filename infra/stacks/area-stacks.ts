import { NestedStack } from 'aws-cdk-lib';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { type ApiArea, AREA_NAMES, areaOf } from '#infra/areas.ts';
import { functionName } from '#infra/function-name.ts';
import { createInChains } from '#infra/functions/chains.ts';
import { addFunction } from '#infra/functions/function.ts';
import { routePermissions } from '#infra/functions/permissions.ts';
import type { Resources } from '#infra/functions/resources.ts';
import { functionsOf } from '#infra/route-functions.ts';
import type { Route } from '#infra/routes.ts';
import { isFirstMinute } from '#infra/warm.ts';

/** Concurrent executions of an import: each holds a whole workbook in memory. */
const IMPORTS_AT_ONCE = 10;

/** Adds the functions of all areas, a nested stack for each, one after the other. */
export function addAreas(scope: Construct, routes: readonly Route[], resources: Resources): NestedStack[] {
  const byArea = Map.groupBy(routes, ({ path }) => areaOf(path));
  const stacks = AREA_NAMES.flatMap((area) => {
    const found = byArea.get(area);
    return found ? [addArea(scope, area, found, resources)] : [];
  });
  for (const [index, stack] of stacks.entries()) {
    const before = stacks[index - 1];
    if (before) stack.addStackDependency(before);
  }
  return stacks;
}

function addArea(
  scope: Construct,
  area: ApiArea,
  routes: readonly Route[],
  resources: Resources,
): NestedStack {
  const stack = new NestedStack(scope, area, {
    description: `The functions of the area ${area}`,
    suppressTemplateIndentation: true,
  });
  createInChains(routes.flatMap((route) => addRoute(stack, area, route, resources)));
  return stack;
}

/** Adds a function for each method of a route. */
function addRoute(stack: NestedStack, area: ApiArea, route: Route, resources: Resources): Alias[] {
  return functionsOf(route).map((served) => {
    const { method, routeKeys } = served;
    const id = `${method} ${route.path}`;
    return addFunction(
      stack,
      id.replaceAll(/[{}]/g, '').replaceAll(/[ /]+/g, '-'),
      {
        name: functionName(resources.stage, area, id),
        description: routeKeys.join(', '),
        bundle: route.file,
        handler: method,
        needs: routePermissions(served, resources),
        ...(isFirstMinute(id) && { warm: resources.stage.warm }),
        ...(resources.stage.reserves && isImport(id) && { reserved: IMPORTS_AT_ONCE }),
      },
      resources,
    );
  });
}

function isImport(id: string): boolean {
  return /^POST .+\/import$/.test(id);
}
