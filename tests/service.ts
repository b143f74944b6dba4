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

/**
 * Starts the service once for all tests, as `npm start -- --memory` does, on a free port. It has no stream,
 * through which DynamoDB Local would look again and again: what needs one has a service apart (`apart.ts`).
 */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return start(project, { WITHOUT_STREAM: '1' });
}

function commandOf(): string {
  return ['vitest', ...process.argv.slice(2)].join(' ');
}

/** Starts a service for the tests of a project, with more in its environment. */
export async function start(
  project: TestProject,
  env: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> {
  // Part of the tests would leave a part of the calls.
  const CALLS_FILE = process.env['CALLS_FILE'] ?? (commandOf() === packageJson.scripts.test ? CALLS : '');
  if (CALLS_FILE) rmSync(CALLS_FILE, { force: true });
  const { address, settings, stop } = await startProcess({ CALLS_FILE, ...env });
  project.provide('address', address);
  // Tables that tests make are like the service's own.
  project.provide('settings', { ...settings, ...env });
  return stop;
}
