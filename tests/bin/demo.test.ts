import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type ServiceProcess, startProcess } from '#bin/local/process.ts';
import { runProgram } from '#tests/support/program.ts';

/** A service for tests that move the clock. */
let moved: ServiceProcess;

beforeAll(async () => {
  moved = await startProcess();
});

afterAll(() => moved.stop());

test('the demo tells a day in a shop whose goods and money add up', async () => {
  const { code, stdout } = await runProgram('demo', [], { API: inject('address') });
  expect(code).toBe(0);
  expect(stdout).toContain('Idempotent-Replayed: true');
  expect(stdout).toMatch(/cash.*92600 +│ 30000 +│ 0 +│ 112600 +│ 10000/s);
  expect(stdout).toMatch(/debt.*50000 +│ -30000 +│ 8000 +│ 0 +│ 12000/s);
  expect(stdout).toMatch(
    /The report of .*\n +uzs\n +sold .*\n +returned .*\n +revenue .*profit .*cash +92 600 █+\n.*debt +50 000 █+/s,
  );
});

test('the demo of a shop plays a month of Part 5, 5A, whose VAT, payables, deposits and debts add up', async () => {
  const { code, stdout, stderr } = await runProgram('demo', ['shop'], { API: moved.address });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/VAT rate.*12 +│ 148000 +│ 14000 +│ 134000 +│ 14357.14.*'all'.*320000 +│ 14357.14/s);
  expect(stdout).toMatch(/owed .*500000 +│ 1236000 +│ -150000 +│ -10000 +│ 1576000/s);
  expect(stdout).toMatch(/kept .*321000 +│ -91000 +│ 14000 +│ -9000 +│ 235000/s);
  expect(stdout).toMatch(/left .*120000 +│ -50000 +│ 0 +│ -20000 +│ 50000/s);
});

test('the demo of billing pays by card and QR, and lets a debtor be blocked and freed', async () => {
  const { code, stdout } = await runProgram('demo', ['billing'], { API: moved.address });
  expect(code).toBe(0);
  expect(stdout).toContain('Неверный код подтверждения.');
  expect(stdout).toContain('Компания заблокирована за долг');
  expect(stdout).toContain('the shop is free: it is active');
});

test('the demo of webhooks shows a day arrive at a receiver', async () => {
  const { code, stdout } = await runProgram('demo', ['webhooks'], { API: inject('address') });
  expect(code).toBe(0);
  expect(stdout).toMatch(/trade\.sale\.created +│ +\d+/);
  expect(stdout).toContain('Every signature was right, and every cheque of the day has come.');
});

test('the demo of a till without a network sells each sale once, and all adds up (Part 4, 4.4, 7)', async () => {
  const { code, stdout, stderr } = await runProgram('demo', ['offline'], { API: moved.address });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  // Sales after a price change use the offline client's old prices.
  expect(stdout).toMatch(/water costs 4 500.*: sold for 240 000 sums, by the copy\..*network is back/s);
  expect(stdout).toContain('Each of the five sales is in the books once');
  expect(stdout).toMatch(/422 +│ false.*'stock.not_enough'/);
});

test('without a service the demo says how to start one', async () => {
  await expect(runProgram('demo', [], { API: 'http://127.0.0.1:1' })).resolves.toMatchObject({
    code: 1,
    stderr: 'No service answers at http://127.0.0.1:1. Start it in another terminal: npm start\n',
  });
});
