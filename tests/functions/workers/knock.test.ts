import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { handler } from '#functions/workers/knock.ts';
import { newMessage } from '#tests/support/message.ts';

beforeEach(() => {
  vi.stubEnv('LOG_LEVEL', 'info');
  vi.stubEnv('STAGE', 'test');
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** Runs the probe, and returns its log entries. */
async function knock(): Promise<unknown> {
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  expect(await handler(...newMessage({ at: Date.now() }))).toEqual({ batchItemFailures: [] });
  const lines = written.mock.calls.map(([line]): unknown => JSON.parse(String(line)));
  return lines.find((line) => /reached/.test(JSON.stringify(line)));
}

test('a service that asks who calls is reached, and that is counted', async () => {
  expect(await knock()).toMatchObject({ message: 'reached', status: 401, reached: 1, stage: 'test' });
});

test('a service that lets nobody in is not reached', async () => {
  const server = createServer((_, response) => response.writeHead(403).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  vi.stubEnv('ADDRESS', `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  const line = await knock();
  expect(line).toMatchObject({ level: 'error', message: 'not reached', status: 403 });
  expect(line).not.toHaveProperty('reached');
  server.close();
});

test('a name that leads nowhere is not reached, and the worker has done its work', async () => {
  vi.stubEnv('ADDRESS', 'http://127.0.0.1:1');
  const line = await knock();
  expect(line).toMatchObject({ message: 'not reached', error: 'TypeError', detail: 'fetch failed' });
  expect(line).not.toHaveProperty('reached');
});
