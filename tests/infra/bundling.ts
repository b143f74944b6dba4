import type { TestProject } from 'vitest/node';
import { bundleFunctions, type FunctionBundle } from '#infra/bundle/bundle-functions.ts';
import { discoverRoutes, discoverWorkers, FOLLOWER } from '#infra/routes.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    bundles: [string, FunctionBundle][];
  }
}

/** Bundles all functions once for all proofs, as `cdk synth` does. */
export async function setup(project: TestProject): Promise<void> {
  const bundles = await bundleFunctions(
    await discoverRoutes(),
    [...discoverWorkers(), FOLLOWER],
    '.build/proof',
  );
  project.provide('bundles', [...bundles]);
}
