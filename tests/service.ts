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
 * The file in which the service of a whole `npm test` leaves what its functions have called: `npm run prove`
 * judges their rights by it.
 */
export const CALLS = join(import.meta.dirname, '../.build/calls.jsonl');

/** Starts the service once for all tests, as `npm start -- --memory` does, on a free port. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Part of the tests would leave a part of the calls.
  const isWhole = ['vitest', ...process.argv.slice(2)].join(' ') === packageJson.scripts.test;
  const CALLS_FILE = process.env['CALLS_FILE'] ?? (isWhole ? CALLS : '');
  if (CALLS_FILE) rmSync(CALLS_FILE, { force: true });
  const { address, settings, stop } = await startProcess({ CALLS_FILE });
  project.provide('address', address);
  project.provide('settings', settings);
  return stop;
}
