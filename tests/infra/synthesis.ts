import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, type NestedStack, type Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { DISABLE_ASSET_STAGING_CONTEXT } from 'aws-cdk-lib/cx-api';
import { inject } from 'vitest';
import * as z from 'zod';
import { discoverRoutes, discoverWorkers } from '#infra/routes.ts';
import { RetailStack } from '#infra/stacks/retail-stack.ts';
import { loadStreamConsumer, workerFunctionOf } from '#infra/worker-functions.ts';

const Resource = z.looseObject({
  id: z.string().default(''),
  Type: z.string(),
  Properties: z.record(z.string(), z.any()).default({}),
});

/** A resource of a template, by CloudFormation's names. */
export type Resource = z.output<typeof Resource>;

const StackTemplate = z.looseObject({
  Resources: z.record(z.string(), Resource),
  Parameters: z.record(z.string(), z.unknown()).default({}),
  Outputs: z.record(z.string(), z.unknown()).default({}),
});

/** A stack's template, and its resources with their ids. */
export interface Synthesized {
  readonly name: string;
  readonly resources: readonly Resource[];
  readonly parameters: number;
  readonly outputs: number;
  /** Values that CloudFormation reads from elsewhere. */
  readonly dynamicReferences: number;
  /** The size of the template as it is uploaded. */
  readonly bytes: number;
}

const CDK = z
  .object({ context: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, '../../cdk.json'), 'utf8')));

let parts: ReturnType<typeof partsOfService> | undefined;

type Settings = Readonly<Record<string, string>>;

/** Creates the stacks of everything under `functions/`, as `cdk synth` does. */
export async function assemble(context: Settings = {}) {
  parts ??= partsOfService();
  const found = await parts;
  // A copy of all assets for each test's stacks would be gigabytes; their hashes are those of the copies.
  const app = new App({ context: { ...CDK.context, ...context, [DISABLE_ASSET_STAGING_CONTEXT]: true } });
  return { app, ...found, stack: new RetailStack(app, found) };
}

/** Number of cached stacks, the latest: templates take seconds to synthesize, and stacks a lot of memory. */
const MAX_KEPT = 4;

const kept = new Map<string, ReturnType<typeof assemble>>();

/** Returns the stacks of these settings, shared by all tests of a process: none may change them. */
export function sharedStacks(context: Settings = {}): ReturnType<typeof assemble> {
  const key = JSON.stringify(context);
  const found = kept.get(key) ?? assemble(context);
  kept.delete(key);
  kept.set(key, found);
  for (const oldest of [...kept.keys()].slice(0, -MAX_KEPT)) kept.delete(oldest);
  return found;
}

async function partsOfService() {
  const [routes, workers, { metadata: follower }] = await Promise.all([
    discoverRoutes(),
    Promise.all(discoverWorkers().map(workerFunctionOf)),
    loadStreamConsumer(),
  ]);
  return { routes, workers, follower, bundles: new Map(inject('bundles')) };
}

/** Lists all resources of all stacks. */
export async function synthesize(context?: Settings): Promise<Resource[]> {
  const { stack } = await sharedStacks(context);
  return resourcesOf(stack);
}

/** Lists all resources of a service's stack and of those in it. */
export function resourcesOf(stack: RetailStack): Resource[] {
  return stacksOf(stack).flatMap(({ resources }) => resources);
}

/** Synthesizes the service's stack and those in it. */
export function stacksOf(stack: RetailStack): Synthesized[] {
  return [stack, ...stack.areas].map(synthesized);
}

/** Synthesizes one stack. */
export function synthesized(stack: Stack | NestedStack): Synthesized {
  const template: unknown = Template.fromStack(stack).toJSON();
  const { Resources, Parameters, Outputs } = StackTemplate.parse(template);
  return {
    name: stack.node.id,
    resources: Object.entries(Resources).map(([id, resource]) => ({ ...resource, id })),
    parameters: Object.keys(Parameters).length,
    outputs: Object.keys(Outputs).length,
    dynamicReferences: JSON.stringify(template).split('{{resolve:').length - 1,
    bytes: Buffer.byteLength(JSON.stringify(template)),
  };
}

/** Lists the resources of a type. */
export function all(resources: readonly Resource[], type: string): Resource[] {
  return resources.filter(({ Type }) => Type === type);
}

/** Finds the one resource of a type. */
export function only(resources: readonly Resource[], type: string): Resource {
  const [found, ...others] = all(resources, type);
  if (!found || others.length > 0) throw new Error(`There is not exactly one ${type}`);
  return found;
}
