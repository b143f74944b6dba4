import { once } from 'node:events';
import { createConnection } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startProcess } from '#bin/local/process.ts';
import { limitTime } from '#bin/local/server.ts';

async function isListening(url: string): Promise<boolean> {
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
  const isOpen = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return isOpen;
}

test('a service that is killed leaves nothing running', async () => {
  const { address, settings, process: service } = await startProcess();
  const all = [address, settings['AWS_ENDPOINT_URL_DYNAMODB'], settings['AWS_ENDPOINT_URL_S3']].map(
    (url) => url ?? '',
  );
  for (const url of all) expect(await isListening(url)).toBe(true);
  service.kill('SIGKILL');
  await once(service, 'exit');
  const until = Date.now() + 10_000;
  const left = async () => (await Promise.all(all.map(isListening))).some(Boolean);
  while ((await left()) && Date.now() < until) await pause(100);
  expect(await left()).toBe(false);
});

test('a call that takes longer than a deployed function may is answered without it', async () => {
  expect(await limitTime(1000, Promise.resolve('in time'), () => 'late')).toBe('in time');
  const began = performance.now();
  expect(await limitTime(50, pause(5000, 'too late', { ref: false }), () => 'late')).toBe('late');
  expect(performance.now() - began).toBeLessThan(1000);
  await expect(limitTime(50, Promise.reject(new Error('failed')), () => 'late')).rejects.toThrow('failed');
});
