import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '#bin/cli/listen.ts';
import type { Engine } from './engine.ts';
import { createTable, isFollowedHere } from './table.ts';

/** What a shell answers for a program that is not there, or may not be run. */
const NOT_STARTED = [126, 127];

/**
 * Runs its arguments for as long as the pipe at its input is open. The service holds the other end: however
 * that ends, by SIGKILL too, the database ends with it. It waits by a word of the shell's own: a program that
 * the path lacks would end it at once, and the child before that can say that its program is missing.
 */
const AS_LONG_AS_PARENT = `
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
{ while read -r _ <&3; do :; done; kill $child; } 2>/dev/null &
wait $child
code=$?
[ -z "$SCRATCH" ] || rm -rf "$SCRATCH"
exit $code
`;

/** Files that are in memory, where the machine has them. */
const IN_MEMORY = '/dev/shm';

/** Starts an engine with the service's table in it, under `directory` or for as long as it runs. */
export async function startDatabase(engine: Engine, table: string, directory: string | undefined) {
  const port = await freePort();
  const scratch = directory === undefined && engine.prepare && isFollowedHere() ? newScratch() : undefined;
  const folder = directory ?? scratch;
  if (directory) mkdirSync(directory, { recursive: true });
  // A group of its own: Ctrl-C reaches the service first, which stops the database after the last call.
  const shell = spawn('/bin/sh', ['-c', AS_LONG_AS_PARENT, 'sh', ...engine.command(port, folder)], {
    env: { ...process.env, SCRATCH: scratch ?? '' },
    ...(engine.cwd !== undefined && { cwd: engine.cwd }),
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const died = new Promise<never>((_, reject) => {
    shell.once('error', reject);
    shell.once('exit', (code) => reject(new Error(earlyEndOf(engine, code))));
  });
  const endpoint = `http://127.0.0.1:${port}`;
  await Promise.race([createTable(endpoint, table), died]);
  if (folder !== undefined) engine.prepare?.(folder);
  died.catch(() => {});
  const tellLoss = () =>
    process.stderr.write(`${engine.title} has ended: until a new start, every call is answered 503.\n`);
  shell.once('exit', tellLoss);
  const stop = () => {
    shell.off('exit', tellLoss);
    return end(shell);
  };
  return { endpoint, stop };
}

/** Makes a folder for data that nobody keeps: what an engine prepares is a file. */
function newScratch(): string {
  return mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'retail-table-'));
}

function earlyEndOf({ title, missing }: Engine, code: number | null): string {
  if (code !== null && NOT_STARTED.includes(code)) return missing;
  return `${title} ended with code ${code} as it started. ${missing}`;
}

async function end(shell: ChildProcess): Promise<void> {
  if (shell.exitCode !== null || shell.signalCode !== null) return;
  const ended = once(shell, 'exit');
  shell.stdin?.end();
  await ended;
}

/** Finds a port of the loopback that nobody listens at. */
export async function freePort(): Promise<number> {
  const { address, stop } = await listen(createServer());
  await stop();
  return Number(new URL(address).port);
}
