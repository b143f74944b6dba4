import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startProcess } from '#bin/local/process.ts';

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

/** How `npm test` runs all tests: part of them would leave a part of the calls. */
const WHOLE = 'run --project service --project templates';

/** Starts the service once for all tests, as `npm start -- --memory` does, on a free port. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const CALLS_FILE = process.env['CALLS_FILE'] ?? (process.argv.slice(2).join(' ') === WHOLE ? CALLS : '');
  if (CALLS_FILE) rmSync(CALLS_FILE, { force: true });
  const { address, settings, stop } = await startProcess({ CALLS_FILE });
  project.provide('address', address);
  project.provide('settings', settings);
  return stop;
}
