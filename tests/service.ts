import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { AT_LENGTH } from '#bin/local/java.ts';
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
  const command = ['vitest', ...process.argv.slice(2)].join(' ');
  const { test, faults } = packageJson.scripts;
  const CALLS_FILE = process.env['CALLS_FILE'] ?? (command === test ? CALLS : '');
  if (CALLS_FILE) rmSync(CALLS_FILE, { force: true });
  const isLong = command === test || command === faults;
  const java = isLong && { JAVA_TOOL_OPTIONS: AT_LENGTH };
  const { address, settings, stop } = await startProcess({ CALLS_FILE, ...java });
  project.provide('address', address);
  project.provide('settings', settings);
  return stop;
}
