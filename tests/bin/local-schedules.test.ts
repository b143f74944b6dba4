import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { make, signIn } from '#bin/demo/client.ts';

const BIN = join(import.meta.dirname, '../../bin');
const Started = z.object({ address: z.string(), settings: z.record(z.string(), z.string()) });

// It moves the clock, which is nobody else's business: a service of its own.
const service = fork(join(BIN, 'local.ts'), ['--memory'], {
  env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent' },
  stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
});
let address: string;
let settings: Record<string, string>;

beforeAll(async () => {
  const [started] = await once(service, 'message');
  ({ address, settings } = Started.parse(started));
}, 60_000);

afterAll(async () => {
  const ended = once(service, 'exit');
  service.kill('SIGTERM');
  await ended;
});

/** Counts the entries of a family's tariff without reading the tariff, which would charge it. */
async function entriesOf(familyId: number): Promise<string | undefined> {
  const args = [
    join(BIN, 'verify.ts'),
    '--family',
    String(familyId),
    '--table',
    settings['TABLE_NAME'] ?? '',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, ...settings },
  });
  expect(stdout).toContain('everything adds up');
  return /(\d+) tariff entries/.exec(stdout)?.[1];
}

test('when the clock of the local run passes midnight, what is due is charged (Decisions, 9 (55))', async () => {
  const admin = await signIn(address, 'admin');
  const company = await make(admin, '/admin/company/company', { name: 'Clock' });
  const terms = { billing_period: 'monthly', trial_ends_at: null, grace_days: 3 };
  const set = { ...terms, prices: { main: 1000, branch: 0 } };
  expect((await admin(`PUT /admin/billing/tariff/${company}`, set)).status).toBe(200);
  expect(await entriesOf(company)).toBe('1');
  const inTwoMonths = new Date(Date.now() + 63 * 86_400_000).toISOString().slice(0, 10);
  await fetch(`${address}/_local/clock`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ now: `${inTwoMonths}T09:00` }),
  });
  await vi.waitFor(async () => expect(await entriesOf(company)).toBe('3'), {
    timeout: 30_000,
    interval: 500,
  });
}, 90_000);
