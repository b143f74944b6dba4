import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { ExpectedCall } from '#bench/support/expected-call.ts';
import { measureScene } from '#bench/support/scene.ts';
import { type Json, Reply } from '#bin/cli/person.ts';

const LINE = {
  ...({
    message: 'request',
    request_id: 'planted',
    route: 'GET /planted',
    bytes: 100,
    conflicts: 0,
  } as const),
  ...{ duration_ms: 5, table_ms: 3, round_trips: 2, capacity_units: 3, written_units: 1 },
};

/** Measures a call of a service with a constant response. */
function measure(
  { status = 200, body = {}, headers }: { status?: number; body?: Json; headers?: object },
  expected: Partial<ExpectedCall> = {},
) {
  const shown = new Headers({ 'x-request-id': 'planted', ...headers });
  const client = { send: async () => new Reply(status, shown, body) };
  const lines = new Map([[LINE.request_id, LINE]]);
  const service = { address: '', settings: {}, lines, stop: async () => undefined };
  const prepare = () => ({ request: 'GET /planted', ...expected });
  return measureScene({ service, client, seen: client }, { what: 'Planted', warm: 1, times: 2, prepare });
}

test('a scene is recognized by the log of its calls', async () => {
  const told = { what: 'Planted', outside_sdk_ms: 2, round_trips: 2, read_units: 2, written_units: 0 };
  await expect(measure({})).resolves.toMatchObject(told);
});

test.each([
  ['a status', { status: 500, body: { message: 'No' } }, {}, 'Planted: GET /planted: 500 {"message":"No"}'],
  ['an answer given before', { headers: { 'idempotent-replayed': 'true' } }, {}, 'was answered before'],
  ['a body', { body: { data: [] } }, { answer: z.object({ data: z.array(z.int()).min(1) }) }, 'Too small'],
  ['a refusal', { status: 422 }, {}, '422'],
])('a scene fails on %s that it does not expect', async (_, answer, expected, told) => {
  await expect(measure(answer, expected)).rejects.toThrow(told);
});

test('a refusal that a scene expects is none', async () => {
  await expect(measure({ status: 422 }, { mayBe: 422 })).resolves.toMatchObject({ what: 'Planted' });
});

test('a bench whose parts fail tries them all, fails, and names them', () => {
  const bench = join(import.meta.dirname, '../../bench/bench.ts');
  const args = [bench, '--smallest', 'export', 'sync/sale'];
  // The service can't start without a table.
  const env = { ...process.env, TABLE_ENGINE: 'none' };
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  expect(stderr).toContain('Failed: export, sync/sale.');
  expect(status).toBe(1);
});
