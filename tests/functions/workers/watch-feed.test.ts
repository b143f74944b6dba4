import { beforeAll, expect, test, vi } from 'vitest';
import { createTable } from '#bin/local/database/table.ts';
import { contextOf } from '#bin/local/event.ts';
import { handler } from '#functions/workers/watch-feed.ts';
import { followChanges } from '#lib/platform/changes.ts';
import { feedEpoch } from '#lib/table/feed/epoch.ts';
import { sendPulse } from '#lib/table/feed/pulse.ts';
import { newMessage } from '#tests/kit/message.ts';

const HOUR_MS = 60 * 60 * 1000;
const AT = Date.parse('2026-11-22T10:00:00Z');

// Readers of other tests go by the epoch of the table that all share.
beforeAll(async () => {
  const table = `watched-${process.pid}`;
  vi.stubEnv('TABLE_NAME', table);
  await createTable(String(process.env['AWS_ENDPOINT_URL_DYNAMODB']), table);
});

/** Tells the follower of a pulse, as the stream does. */
function bringPulse(at: number): Promise<void> {
  const [pk, sk] = [{ S: 'feed-watch' }, { S: 'pulse' }];
  return followChanges([{ dynamodb: { Keys: { pk, sk }, NewImage: { pk, sk, at: { N: String(at) } } } }], at);
}

function take(message: unknown) {
  return handler(newMessage(message)[0], contextOf('watch-feed', 'test'));
}

test('a stream that is followed begins no other epoch, however long that goes on', async () => {
  const epoch = await feedEpoch();
  for (let hour = 0; hour < 50; hour++) {
    await sendPulse(AT + hour * HOUR_MS);
    await bringPulse(AT + hour * HOUR_MS);
  }
  expect(await feedEpoch()).toBe(epoch);
});

test('a stream that nobody has followed for a day begins another, each hour until it is followed', async () => {
  const epochs = new Set<string>([await feedEpoch()]);
  const latest = AT + 49 * HOUR_MS;
  for (let hour = 1; hour <= 23; hour++) await sendPulse(latest + hour * HOUR_MS);
  expect(epochs).toContain(await feedEpoch());
  for (const hour of [24, 25]) {
    await sendPulse(latest + hour * HOUR_MS);
    epochs.add(await feedEpoch());
  }
  expect(epochs.size).toBe(3);
  await bringPulse(latest + 25 * HOUR_MS);
  // An older one that comes late takes nothing back.
  await bringPulse(latest + 2 * HOUR_MS);
  await sendPulse(latest + 26 * HOUR_MS);
  expect(epochs).toContain(await feedEpoch());
});

test('what S3 tells was put aside begins another epoch; its first word, and what is neither, do not', async () => {
  const before = await feedEpoch();
  expect(await take({ Service: 'Amazon S3', Event: 's3:TestEvent' })).toEqual({ batchItemFailures: [] });
  expect((await take({ nothing: true })).batchItemFailures).toHaveLength(1);
  expect(await feedEpoch()).toBe(before);
  const notification = { eventName: 'ObjectCreated:Put', s3: { object: { key: 'aws/lambda/u/s/f' } } };
  expect(await take({ Records: [notification] })).toEqual({ batchItemFailures: [] });
  expect(await feedEpoch()).not.toBe(before);
});
