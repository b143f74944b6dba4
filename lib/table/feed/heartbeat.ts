import type { DynamoDBRecord } from 'aws-lambda';
import { updateOne } from '#lib/table/change/send.ts';
import { absent, any, lessThan } from '#lib/table/expression.ts';
import { unlocked } from '#lib/table/items.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import type { Instant } from '#lib/values/time.ts';
import { invalidateFeed } from './epoch.ts';
import { HEARTBEAT } from './feed-types.ts';
import { numberOf } from './image.ts';

/*
 * A stream retains its records for a day. If its consumer is down for longer, for any reason, changes are
 * lost, and no later record shows it. So a heartbeat is written every hour, and its sender checks the time of
 * the last one consumed. After nearly a day without one it starts a new epoch every hour, since readers that
 * began in between may have missed changes too. The check depends on nothing that may be broken.
 */

/** The send time of the latest consumed heartbeat. */
const SEEN: Key = { pk: HEARTBEAT.pk, sk: 'seen' };

/** An hour less than the retention of a stream. */
const MAX_UNSEEN_MS = 23 * 60 * 60 * 1000;

/**
 * Starts a new epoch if no heartbeat has been consumed for nearly a day, and sends the next. Returns the age
 * of the last consumed heartbeat in milliseconds: an hour in normal operation.
 */
export async function sendHeartbeat(at: Instant): Promise<number> {
  const seen = (await getItem(SEEN))?.['at'];
  if (typeof seen !== 'number') await noteSeen(at);
  else if (at - seen > MAX_UNSEEN_MS) await invalidateFeed();
  await updateOne(HEARTBEAT, { set: { at } }, unlocked);
  return typeof seen === 'number' ? Math.max(0, at - seen) : 0;
}

/** Records the heartbeats in a batch of the stream. */
export async function recordHeartbeats(records: readonly DynamoDBRecord[]): Promise<void> {
  const sent = records.flatMap(({ dynamodb: { Keys, NewImage } = {} }) =>
    Keys?.['pk']?.S === HEARTBEAT.pk && Keys['sk']?.S === HEARTBEAT.sk
      ? (numberOf(NewImage, 'at') ?? [])
      : [],
  );
  if (sent.length > 0) await noteSeen(Math.max(...sent));
}

async function noteSeen(at: Instant): Promise<void> {
  await updateOne(SEEN, { set: { at } }, any([absent('at'), lessThan('at', at)]));
}
