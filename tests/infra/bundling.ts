import type { TestProject } from 'vitest/node';
import type { FunctionBundle } from '#infra/bundle/bundle-functions.ts';
import { currentBundles } from '#infra/bundle/current-bundles.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    bundles: [string, FunctionBundle][];
  }
}

/** Provides all tests with the bundles that `cdk synth` deploys: built from the current sources. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('bundles', [...(await currentBundles())]);
}
