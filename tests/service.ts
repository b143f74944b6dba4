import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import * as z from 'zod';

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

const Started = z.object({ address: z.string(), settings: z.record(z.string(), z.string()) });

/** Starts the service once for all tests, as `npm start -- --memory` does, on a free port. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const CALLS_FILE = process.env['CALLS_FILE'] ?? (process.argv.slice(2).join(' ') === WHOLE ? CALLS : '');
  if (CALLS_FILE) rmSync(CALLS_FILE, { force: true });
  const service = fork(join(import.meta.dirname, '../bin/local.ts'), ['--memory'], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent', CALLS_FILE },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [started] = await Promise.race([once(service, 'message'), once(service, 'exit')]);
  const { address, settings } = Started.parse(started);
  project.provide('address', address);
  project.provide('settings', settings);
  return async () => {
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    await ended;
  };
}
