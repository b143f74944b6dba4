import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { afterAll, expect, test, vi } from 'vitest';
import { listen } from '#bin/cli/listen.ts';
import { readFile, storePrivateFile } from '#lib/files/storage.ts';
import { enqueue, queueUrlVariable, RECOVERY_WORKER } from '#lib/queues/queue.ts';
import { withDeadline } from '#lib/table/deadline.ts';
import { requireEnv } from '#lib/values/env.ts';
import { ImpatientAgent } from '#lib/values/silence.ts';
import { codeFiles, textOf } from '#tests/conventions/files.ts';

/** Duration of a call. */
const CALL_MS = 28_500;

/** Proxies an address, except that its first connection is never answered. */
async function silentOnce(address: string) {
  const target = new URL(address);
  let met = 0;
  const server = createServer((socket) => {
    // A client that gives up resets it.
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

/** Puts the silent proxy in front of one of AWS's services, before its client is created. */
async function before(service: 'S3' | 'SQS') {
  const name = `AWS_ENDPOINT_URL_${service}`;
  const silence = await silentOnce(process.env[name] ?? process.env['AWS_ENDPOINT_URL'] ?? '');
  vi.stubEnv(name, silence.endpoint);
  return silence;
}

const URL_SETTING = queueUrlVariable(RECOVERY_WORKER);
const [bucket, queues] = await Promise.all([before('S3'), before('SQS')]);

afterAll(() => {
  for (const { stop } of [bucket, queues]) stop();
});

test('a file whose first connection is never answered is stored by another, and read', async () => {
  const file = { key: `exports/${randomUUID()}`, type: 'text/plain', content: Buffer.from('any') };
  await withDeadline(CALL_MS, () => storePrivateFile(file));
  expect((await readFile(file.key))?.content).toEqual(new Uint8Array(file.content));
  expect(bucket.met()).toBeGreaterThan(1);
});

test('a message whose first connection is never answered is handed on by another', async () => {
  // The address of a queue has its host in it.
  vi.stubEnv(URL_SETTING, requireEnv(URL_SETTING).replace(/^http:..[^/]+/, queues.endpoint));
  await withDeadline(CALL_MS, () => enqueue(RECOVERY_WORKER, { id: randomUUID() }));
  expect(queues.met()).toBeGreaterThan(1);
});

test('a connection that does not come about is given up, but none that waits for its turn', async () => {
  // Like a host name whose look-up never returns.
  const agent = new ImpatientAgent({ lookup: () => undefined });
  const asked = request({ host: 'nowhere.example', agent });
  asked.end();
  const [error] = await once(asked, 'error');
  expect(error).toMatchObject({ code: 'ETIMEDOUT' });
  const one = new ImpatientAgent({ keepAlive: true, maxSockets: 1 });
  const server = createHttpServer((_, response) => void setTimeout(() => response.end(), 1500));
  const { address, stop } = await listen(server);
  const get = async () => {
    const sent = request(address, { agent: one });
    sent.end();
    const [response] = await once(sent, 'response');
    response.resume();
    return response.statusCode;
  };
  // The last of them waits for three seconds.
  expect(await Promise.all([get(), get(), get()])).toEqual([200, 200, 200]);
  one.destroy();
  await stop();
});

test('every client of AWS of the service gives up what is silent', () => {
  const made = codeFiles(['lib', 'functions']).flatMap((file) =>
    [...textOf(file).matchAll(/new (?:\w+\.)?\w+Client\([^)]*/g)].map(([text]) => text),
  );
  expect(made.length).toBeGreaterThanOrEqual(3);
  expect(made.filter((text) => !text.includes('giveUpAfter('))).toEqual([]);
});
