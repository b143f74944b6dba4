import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { afterAll, expect, test, vi } from 'vitest';
import { readFile, storePrivately } from '#lib/files/storage.ts';
import { enqueue, queueSetting, RECOVERY } from '#lib/queues/queue.ts';
import { setting } from '#lib/values/setting.ts';
import { codeFiles, textOf } from '#tests/house/files.ts';

/** Serves what the address serves, but for its first connection, which nobody ever answers. */
async function silentOnce(address: string) {
  const target = new URL(address);
  let met = 0;
  const server = createServer((socket) => {
    // Whoever gives up resets it.
    socket.on('error', () => undefined);
    met += 1;
    if (met === 1) return;
    const onward = connect(Number(target.port), target.hostname);
    onward.on('error', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const port = typeof bound === 'object' && bound ? bound.port : 0;
  return { endpoint: `http://127.0.0.1:${port}`, met: () => met, stop: () => server.close() };
}

/** Puts the silence before one of AWS's services, before its client is made. */
async function before(service: 'S3' | 'SQS') {
  const name = `AWS_ENDPOINT_URL_${service}`;
  const silence = await silentOnce(process.env[name] ?? process.env['AWS_ENDPOINT_URL'] ?? '');
  vi.stubEnv(name, silence.endpoint);
  return silence;
}

const URL_SETTING = queueSetting(RECOVERY);
const [bucket, queues] = await Promise.all([before('S3'), before('SQS')]);

afterAll(() => {
  for (const { stop } of [bucket, queues]) stop();
});

test('a file whose first connection is never answered is stored by another, and read', async () => {
  const file = { key: `exports/${randomUUID()}`, type: 'text/plain', content: Buffer.from('any') };
  await storePrivately(file);
  expect((await readFile(file.key))?.content).toEqual(new Uint8Array(file.content));
  expect(bucket.met()).toBeGreaterThan(1);
});

test('a message whose first connection is never answered is handed on by another', async () => {
  // The address of a queue has its host in it.
  vi.stubEnv(URL_SETTING, setting(URL_SETTING).replace(/^http:..[^/]+/, queues.endpoint));
  await enqueue(RECOVERY, { id: randomUUID() });
  expect(queues.met()).toBeGreaterThan(1);
});

test('every client of AWS of the service gives up what is silent', () => {
  const made = codeFiles(['lib', 'functions']).flatMap((file) =>
    [...textOf(file).matchAll(/new (?:\w+\.)?(?:\w+Client|CutOffHandler)\(.*/g)].map(([text]) => text),
  );
  expect(made.length).toBeGreaterThanOrEqual(3);
  expect(made.filter((text) => !/requestHandler|QUICK/.test(text))).toEqual([]);
});
