import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import * as z from 'zod';

const ROOT = join(import.meta.dirname, '../..');

const Started = z.object({ address: z.string(), settings: z.record(z.string(), z.string()) });

/** A local service in its own process: its address, and the environment by which others share its data. */
export type ServiceProcess = Awaited<ReturnType<typeof startProcess>>;

/** Options of a service process. */
interface Start {
  /** With `pipe` the caller must read the log, which is silent unless `LOG_LEVEL` is set. */
  readonly log?: 'ignore' | 'pipe';
  /** Initial minute of its clock: `2030-12-01T10:00`. */
  readonly clock?: string;
}

/** Starts the local service as `npm start -- --memory` does, on a free port. */
export async function startProcess(
  env: Readonly<Record<string, string>> = {},
  { log = 'ignore', clock }: Start = {},
) {
  const args = ['--memory', ...(clock === undefined ? [] : ['--clock', clock])];
  const service = fork(join(ROOT, 'bin/local.ts'), args, {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', log, 'inherit', 'ipc'],
  });
  const ended = once(service, 'exit');
  const [started] = await Promise.race([once(service, 'message'), ended]);
  const stop = async () => {
    service.kill('SIGTERM');
    await ended;
  };
  return { ...Started.parse(started), process: service, stop };
}
