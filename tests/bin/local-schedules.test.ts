import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type ServiceProcess, startProcess } from '#bin/local/process.ts';
import { enter, sendTo } from '#bin/program/person.ts';
import { runProgram } from '#tests/kit/program.ts';

// It moves the clock, which is nobody else's business: a service of its own.
let service: ServiceProcess;

beforeAll(async () => {
  service = await startProcess();
});

afterAll(() => service.stop());

/** Counts the entries of a family's tariff without reading the tariff, which would charge it. */
async function entriesOf(familyId: number): Promise<string | undefined> {
  const { settings } = service;
  const args = ['--family', String(familyId), '--table', settings['TABLE_NAME'] ?? ''];
  const { code, stdout } = await runProgram('verify', args, settings);
  expect(code).toBe(0);
  expect(stdout).toContain('everything adds up');
  return /(\d+) tariff entries/.exec(stdout)?.[1];
}

test('when the clock of the local run passes midnight, what is due is charged (Decisions, 9 (55))', async () => {
  const { address } = service;
  const admin = await enter(address, 'admin');
  const company = await admin.make('/admin/company/company', { name: 'Clock' });
  const terms = { billing_period: 'monthly', trial_ends_at: null, grace_days: 3 };
  const set = { ...terms, prices: { main: 1000, branch: 0 } };
  await admin.call(`PUT /admin/billing/tariff/${company}`, set);
  expect(await entriesOf(company)).toBe('1');
  const inTwoMonths = new Date(Date.now() + 63 * 86_400_000).toISOString().slice(0, 10);
  await sendTo(address, 'PUT /_local/clock', { json: { now: `${inTwoMonths}T09:00` } });
  await vi.waitFor(async () => expect(await entriesOf(company)).toBe('3'), {
    timeout: 30_000,
    interval: 500,
  });
});
