import { createServer } from 'node:net';
import { expect, test, vi } from 'vitest';
import { contextOf } from '#bin/local/event.ts';
import { newEvent } from '#tests/support/event.ts';

vi.stubEnv('LOG_LEVEL', 'silent');

/**
 * Signs in against a table at this address: the module is reloaded, so that its client uses this one only.
 */
async function signInAgainst(endpoint: string, ms: number) {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
  vi.resetModules();
  const { POST } = await import('#functions/common/auth/login.ts');
  const [event] = newEvent({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'director', password: 'Retail-2026' }),
  });
  const began = performance.now();
  const { statusCode, headers } = await POST(event, contextOf('test', 'test', ms));
  return { statusCode, retryAfter: headers['retry-after'], ms: performance.now() - began };
}

test('a call is 503 with Retry-After if there is no database', async () => {
  const answer = await signInAgainst('http://127.0.0.1:9', 10_000);
  expect(answer).toMatchObject({ statusCode: 503, retryAfter: '1' });
  expect(answer.ms).toBeLessThan(5000);
});

test('a call is 503 with Retry-After, before its time is up, if the database does not answer', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const address = silent.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const answer = await signInAgainst(`http://127.0.0.1:${port}`, 5000);
  expect(answer).toMatchObject({ statusCode: 503, retryAfter: '1' });
  expect(answer.ms).toBeLessThan(5000);
  silent.close();
});
