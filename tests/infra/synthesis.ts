import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type NestedStack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import { bundleFunctions } from '#infra/bundle/bundle-functions.ts';
import { RetailStack } from '#infra/retail-stack.ts';
import { discoverRoutes, discoverWorkers } from '#infra/routes.ts';
import { workerFunctionOf } from '#infra/worker-functions.ts';

const Resource = z.looseObject({
  id: z.string().default(''),
  Type: z.string(),
  Properties: z.record(z.string(), z.any()).default({}),
});

/** A resource of a template, by CloudFormation's names. */
export type Resource = z.output<typeof Resource>;

/** Makes the stacks of everything under `functions/`, as `cdk synth` does. */
export async function assemble(context: Record<string, string> = {}) {
  const [routes, workers] = await Promise.all([
    discoverRoutes(),
    Promise.all(discoverWorkers().map(workerFunctionOf)),
  ]);
  const bundles = await bundleFunctions(routes, workers, mkdtempSync(join(tmpdir(), 'retail-bundles-')));
  const app = new App({ context });
  return { app, routes, stack: new RetailStack(app, { routes, workers, bundles }) };
}

/** Lists all resources of all stacks. */
export async function synthesize(context?: Record<string, string>): Promise<Resource[]> {
  const { stack } = await assemble(context);
  return [stack, ...stack.areas].flatMap(resourcesOf);
}

/** Lists the resources of a stack's template. */
export function resourcesOf(stack: RetailStack | NestedStack): Resource[] {
  const { Resources } = z
    .object({ Resources: z.record(z.string(), Resource) })
    .parse(Template.fromStack(stack).toJSON());
  return Object.entries(Resources).map(([id, resource]) => ({ ...resource, id }));
}
