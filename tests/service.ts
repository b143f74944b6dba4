import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import * as z from 'zod';

declare module 'vitest' {
  export interface ProvidedContext {
    address: string;
    settings: Record<string, string>;
  }
}

const Started = z.object({ address: z.string(), settings: z.record(z.string(), z.string()) });

/** Starts the service once for all tests, as `npm start -- --memory` does, on a free port. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const service = fork(join(import.meta.dirname, '../bin/local.ts'), ['--memory'], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent' },
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
