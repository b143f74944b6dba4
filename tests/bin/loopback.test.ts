import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { chooseEngine } from '#bin/local/database/engine.ts';
import { ROOT } from '#tests/conventions/files.ts';
import { WITHOUT_LINUX } from '#tests/support/machine.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { isRunning, processName, treeOf } from '#tests/support/processes.ts';
import { runProgram } from '#tests/support/program.ts';

/* Addresses that `npm start` listens on. */

const LOOPBACK = ['0100007F', '00000000000000000000000001000000', '0000000000000000FFFF00000100007F'];

const cwd = mkdtempSync(join(tmpdir(), 'retail-'));
const ANNOUNCED = join(cwd, '.local/service.json');
let npm: ChildProcess;

beforeAll(async () => {
  // npm runs a script in the folder of its package, and the service keeps its data there.
  for (const name of ['package.json', 'bin', 'lib', 'functions', 'infra', 'node_modules'])
    symlinkSync(join(ROOT, name), join(cwd, name));
  npm = await startByNpm();
});

beforeEach(({ skip }) => skip(WITHOUT_LINUX !== undefined, WITHOUT_LINUX));

afterAll(() => endAll(npm));

async function startByNpm(): Promise<ChildProcess> {
  const started = spawn('npm', ['start', '--', '--memory'], {
    cwd,
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const chunk of started.stdout ?? []) if (String(chunk).includes('Retail back office:')) break;
  return started;
}

async function endAll(started: ChildProcess | undefined): Promise<void> {
  if (!started || started.exitCode !== null || started.signalCode !== null) return;
  const ended = once(started, 'exit');
  started.kill('SIGTERM');
  await ended;
}

test('all sockets of the local run listen on the loopback, but DynamoDB Local’s', () => {
  const open = treeOf(npm.pid).flatMap(({ name, sockets }) =>
    sockets.filter(({ host }) => !LOOPBACK.includes(host)).map(() => name),
  );
  expect(open).toEqual(chooseEngine().name === 'dynamodb-local' ? ['java'] : []);
  expect(treeOf(npm.pid).flatMap(({ sockets }) => sockets).length).toBeGreaterThan(3);
});

test('programs find the table of a service in memory by a file that its owner alone may read', async () => {
  expect(statSync(ANNOUNCED).mode & 0o777).toBe(0o600);
  const { code, stdout } = await runProgram('verify', ['--family', '1'], UNTOLD, { cwd });
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/everything adds up/) });
});

test('SIGTERM to npm ends all of it, and so does SIGTERM to the service', async () => {
  await expectAllToEnd(npm, npm.pid);
  npm = await startByNpm();
  await expectAllToEnd(npm, serviceOf(npm));
});

test('a service that was killed leaves nothing running, and is not found by the file that it left', async () => {
  npm = await startByNpm();
  const all = treeOf(npm.pid);
  process.kill(serviceOf(npm) ?? 0, 'SIGKILL');
  await untilGone(all.map(({ pid }) => pid));
  expect(readAnnounced()).toHaveProperty('TABLE_NAME');
  const { code, stderr } = await runProgram('verify', ['--family', '1'], UNTOLD, { cwd });
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(/No service runs here/) });
});

/** An environment without the data's addresses. */
const UNTOLD = Object.fromEntries(
  Object.keys(process.env)
    .filter((name) => /^(AWS_|TABLE_NAME)/.test(name))
    .map((name) => [name, undefined]),
);

async function expectAllToEnd(started: ChildProcess, signalled: number | undefined): Promise<void> {
  const all = treeOf(started.pid).map(({ pid }) => pid);
  expect(all.length).toBeGreaterThan(2);
  process.kill(signalled ?? 0, 'SIGTERM');
  await untilGone(all);
}

async function untilGone(pids: readonly number[]): Promise<void> {
  const until = Date.now() + MAX_WAIT_MS;
  while (pids.some(isRunning) && Date.now() < until) await pause(100);
  expect(pids.filter(isRunning).map(processName)).toEqual([]);
}

function readAnnounced(): Record<string, string> {
  return z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(ANNOUNCED, 'utf8')));
}

function serviceOf(started: ChildProcess): number | undefined {
  return treeOf(started.pid).find(({ name }) => /^(node|MainThread)$/.test(name))?.pid;
}
