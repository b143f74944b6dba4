import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import * as z from 'zod';

const run = promisify(execFile);
const DEMO = join(import.meta.dirname, '../../bin/demo.ts');

test('the demo tells a day in a shop whose goods and money add up', { timeout: 60_000 }, async () => {
  const env = { ...process.env, API: inject('address') };
  const { stdout } = await run(process.execPath, [DEMO], { env });
  expect(stdout).toContain('Idempotent-Replayed: true');
  expect(stdout).toMatch(/cash.*92600 +│ 30000 +│ 0 +│ 112600 +│ 10000/s);
  expect(stdout).toMatch(/debt.*50000 +│ -30000 +│ 8000 +│ 0 +│ 12000/s);
});

test('the demo of billing pays by card and QR, and lets a debtor be blocked and freed', {
  timeout: 60_000,
}, async () => {
  // It moves the clock, which is nobody else's business: a service of its own.
  const service = fork(join(import.meta.dirname, '../../bin/local.ts'), ['--memory'], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [started] = await once(service, 'message');
  const { address } = z.object({ address: z.string() }).parse(started);
  const { stdout } = await run(process.execPath, [DEMO, 'billing'], {
    env: { ...process.env, API: address },
  });
  expect(stdout).toContain('Неверный код подтверждения.');
  expect(stdout).toContain('Компания заблокирована за долг');
  expect(stdout).toContain('the shop is free: it is active');
  const ended = once(service, 'exit');
  service.kill('SIGTERM');
  await ended;
});

test('without a service the demo says how to start one', async () => {
  const env = { ...process.env, API: 'http://127.0.0.1:1' };
  await expect(run(process.execPath, [DEMO], { env })).rejects.toMatchObject({
    code: 1,
    stderr: 'No service answers at http://127.0.0.1:1. Start it in another terminal: npm start\n',
  });
});
