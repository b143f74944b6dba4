import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';

const run = promisify(execFile);
const DEMO = join(import.meta.dirname, '../../bin/demo.ts');

test('the demo tells a day in a shop whose goods and money add up', { timeout: 60_000 }, async () => {
  const env = { ...process.env, API: inject('address') };
  const { stdout } = await run(process.execPath, [DEMO], { env });
  expect(stdout).toContain('Idempotent-Replayed: true');
  expect(stdout).toMatch(/cash.*88600 +│ 0 +│ 70000 +│ 18600/s);
  expect(stdout).toMatch(/debt.*50000 +│ 8000 +│ 0 +│ 42000/s);
});

test('without a service the demo says how to start one', async () => {
  const env = { ...process.env, API: 'http://127.0.0.1:1' };
  await expect(run(process.execPath, [DEMO], { env })).rejects.toMatchObject({
    code: 1,
    stderr: 'No service answers at http://127.0.0.1:1. Start it in another terminal: npm start\n',
  });
});
