import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '#bin/cli/listen.ts';
import type { Engine } from './engine.ts';
import { createTable, isFollowedHere } from './table.ts';

/** Exit codes of a shell for a program that is missing or not executable. */
const NOT_STARTED = [126, 127];

/**
 * Runs its arguments as long as the pipe at its input is open. The service holds the other end: when it
 * exits, even by SIGKILL, the database exits too. It waits by a shell builtin: a missing external program
 * would end it at once, before the child can report that its own program is missing.
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

/** In-memory file system, where the machine has one. */
const IN_MEMORY = '/dev/shm';

/** Starts an engine with the service's table, under `directory` or for its own lifetime. */
export async function startDatabase(engine: Engine, table: string, directory: string | undefined) {
  const port = await freePort();
  const scratch = directory === undefined && engine.prepare && isFollowedHere() ? newScratch() : undefined;
  const folder = directory ?? scratch;
  if (directory) mkdirSync(directory, { recursive: true });
  // A process group of its own: Ctrl-C reaches the service first, which stops the database after the last
  // request.
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

/** Creates a folder for temporary data: an engine prepares a file. */
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

/** Returns a free port of the loopback. */
export async function freePort(): Promise<number> {
  const { address, stop } = await listen(createServer());
  await stop();
  return Number(new URL(address).port);
}
