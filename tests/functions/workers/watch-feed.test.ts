import { beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { createTable } from '#bin/local/database/table.ts';
import { contextOf } from '#bin/local/event.ts';
import { handler } from '#functions/workers/watch-feed.ts';
import { consumeChanges } from '#lib/platform/changes.ts';
import { feedEpoch } from '#lib/table/feed/epoch.ts';
import { sendHeartbeat } from '#lib/table/feed/heartbeat.ts';
import { newMessage } from '#tests/support/message.ts';

/** A line of the log with a figure. */
const Pulse = z.object({
  feed_lag: z.number(),
  _aws: z.object({ CloudWatchMetrics: z.array(z.unknown()) }),
});

const HOUR_MS = 60 * 60 * 1000;
const AT = Date.parse('2026-11-22T10:00:00Z');

// Readers of other tests go by the epoch of the table that all share.
beforeAll(async () => {
  const table = `watched-${process.pid}`;
  vi.stubEnv('TABLE_NAME', table);
  await createTable(String(process.env['AWS_ENDPOINT_URL_DYNAMODB']), table);
});

/** Sends the stream consumer a heartbeat's record. */
function bringPulse(at: number): Promise<void> {
  const [pk, sk] = [{ S: 'feed-watch' }, { S: 'pulse' }];
  return consumeChanges(
    [{ dynamodb: { Keys: { pk, sk }, NewImage: { pk, sk, at: { N: String(at) } } } }],
    at,
  );
}

function take(message: unknown) {
  return handler(newMessage(message)[0], contextOf('watch-feed', 'test'));
}

test('a stream that is followed begins no other epoch, however long that goes on', async () => {
  const epoch = await feedEpoch('platform');
  for (let hour = 0; hour < 50; hour++) {
    await sendHeartbeat(AT + hour * HOUR_MS);
    await bringPulse(AT + hour * HOUR_MS);
  }
  expect(await feedEpoch('platform')).toBe(epoch);
});

test('a stream that nobody has followed for a day begins another, each hour until it is followed', async () => {
  const epochs = new Set<string>([await feedEpoch('platform')]);
  const latest = AT + 49 * HOUR_MS;
  for (let hour = 1; hour <= 23; hour++) await sendHeartbeat(latest + hour * HOUR_MS);
  expect(epochs).toContain(await feedEpoch('platform'));
  for (const hour of [24, 25]) {
    await sendHeartbeat(latest + hour * HOUR_MS);
    epochs.add(await feedEpoch('platform'));
  }
  expect(epochs.size).toBe(3);
  await bringPulse(latest + 25 * HOUR_MS);
  // An older one that arrives late changes nothing.
  await bringPulse(latest + 2 * HOUR_MS);
  await sendHeartbeat(latest + 26 * HOUR_MS);
  expect(epochs).toContain(await feedEpoch('platform'));
});

test('the log tells how long ago the last pulse was sent that came through', async () => {
  const sent = Date.now() - 3 * HOUR_MS;
  await bringPulse(sent);
  vi.stubEnv('STAGE', 'dev');
  vi.stubEnv('LOG_LEVEL', 'info');
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await take({ at: '2026-11-22T10:00:00Z' });
  const lines = written.mock.calls.map(([line]) => String(line));
  written.mockRestore();
  vi.stubEnv('LOG_LEVEL', 'silent');
  vi.stubEnv('STAGE', undefined);
  const pulse = Pulse.parse(JSON.parse(lines.find((line) => line.includes('"pulse"')) ?? '{}'));
  expect(pulse.feed_lag / HOUR_MS).toBeCloseTo(3, 1);
  const [metrics] = pulse._aws.CloudWatchMetrics;
  expect(metrics).toEqual({
    Namespace: 'Retail',
    Dimensions: [['stage']],
    Metrics: [{ Name: 'feed_lag', Unit: 'Milliseconds' }],
  });
});

test('what S3 tells was put aside begins another epoch; its first word, and what is neither, do not', async () => {
  const before = await feedEpoch('platform');
  expect(await take({ Service: 'Amazon S3', Event: 's3:TestEvent' })).toEqual({ batchItemFailures: [] });
  expect((await take({ nothing: true })).batchItemFailures).toHaveLength(1);
  expect(await feedEpoch('platform')).toBe(before);
  const notification = { eventName: 'ObjectCreated:Put', s3: { object: { key: 'aws/lambda/u/s/f' } } };
  expect(await take({ Records: [notification] })).toEqual({ batchItemFailures: [] });
  expect(await feedEpoch('platform')).not.toBe(before);
});
