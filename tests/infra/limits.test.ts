import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { REFERENCE, UNSERVED } from '#infra/bundle/sources.ts';
import { RetailStack } from '#infra/retail-stack.ts';
import { discoverRoutes, type Route } from '#infra/routes.ts';
import { INDEXING, RECOVERY } from '#lib/queues/queue.ts';
import { resourcesOf } from './synthesis.ts';

const OPERATIONS = 250;

/** CloudFormation's limit of resources in a stack. */
const MOST_RESOURCES = 500;

/** The limit of integrations in an HTTP API, which AWS doesn't raise. */
const MOST_INTEGRATIONS = 300;

test('250 operations stay below 500 resources a stack and 300 integrations', async () => {
  const routes = await syntheticRoutes();
  // Synthesis doesn't look into a bundle: any folder will do.
  const directory = join(import.meta.dirname, '../../events');
  const bundle = { directory, bytes: 0, isNative: false, usesTable: true };
  const workers = [RECOVERY, INDEXING].map((name) => ({ file: `workers/${name}.ts`, name, uses: [] }));
  const files = [...routes, ...workers].map(({ file }) => file);
  const bundles = new Map([UNSERVED, REFERENCE, ...files].map((name) => [name, bundle]));
  const stack = new RetailStack(new App(), { routes, workers, bundles });

  const stacks = [stack, ...stack.areas].map(resourcesOf);
  for (const resources of stacks) expect(resources.length).toBeLessThan(MOST_RESOURCES);
  const integrations = stacks.flat().filter(({ Type }) => Type === 'AWS::ApiGatewayV2::Integration');
  expect(integrations.length).toBeGreaterThanOrEqual(OPERATIONS);
  expect(integrations.length).toBeLessThanOrEqual(MOST_INTEGRATIONS);
}, 60_000);

/** Makes routes like those of brands under as many other names as needed, without files. */
async function syntheticRoutes(): Promise<Route[]> {
  const brand = (await discoverRoutes()).filter(({ path }) => path.startsWith('/company/product/brand'));
  const each = brand.flatMap(({ endpoints }) => Object.keys(endpoints)).length;
  return Array.from({ length: Math.ceil(OPERATIONS / each) }, (_, index) =>
    brand.map((route) => ({
      ...route,
      file: route.file.replace('brand', `brand${index}`),
      path: route.path.replace('brand', `brand${index}`),
      endpoints: Object.fromEntries(
        Object.entries(route.endpoints).map(([method, endpoint]) => [
          method,
          Object.assign(endpoint.bind(undefined), { metadata: { ...endpoint.metadata, uses: [] } }),
        ]),
      ),
    })),
  ).flat();
}
