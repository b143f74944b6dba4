import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startProcess } from '#bin/local/process.ts';
import packageJson from '../package.json' with { type: 'json' };

declare module 'vitest' {
  export interface ProvidedContext {
    address: string;
    settings: Record<string, string>;
  }
}

/**
 * The file in which the services of a whole `npm test`, and of a whole `npm run test:tools` after it, leave
 * what functions have called: `npm run test:infra` judges their rights by it.
 */
export const CALLS = join(import.meta.dirname, '../.build/calls.jsonl');

/**
 * Starts the service once for all tests of a project, as `npm start -- --memory` does, on a free port. It has
 * no stream, and folds no list indexes of families: both follow each change, and cost as much as the change.
 * What needs them has a service with both (`service-with-stream.ts`).
 */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return start(project, { WITHOUT_STREAM: '1', WITHOUT_INDEXING: '1' });
}

/**
 * Starts a service for the tests of a project, with more in its environment. No hour passes in it, as many
 * families share it; a service that a test starts itself has its hours.
 */
export async function start(
  project: TestProject,
  env: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> {
  const CALLS_FILE = process.env['CALLS_FILE'] ?? callsOfWholeRun();
  const { address, settings, stop } = await startProcess({ CALLS_FILE, WITHOUT_HOURS: '1', ...env });
  project.provide('address', address);
  // Tables that tests make are like the service's own.
  project.provide('settings', { ...settings, ...env });
  return stop;
}

/** Names the file of calls, which `npm test` begins anew: part of the tests would leave a part of them. */
function callsOfWholeRun(): string {
  const { test, 'test:tools': tools } = packageJson.scripts;
  const command = ['vitest', ...process.argv.slice(2)].join(' ');
  if (command === test) rmSync(CALLS, { force: true });
  return [test, tools].includes(command) ? CALLS : '';
}
