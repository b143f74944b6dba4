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
 * A stream keeps what it tells for a day. If nobody follows it for so long, for whatever reason, changes are
 * gone, and nothing in what comes later tells so. Therefore a pulse goes through it every hour, and whoever
 * sends it looks when the last one was seen. Long after that the epoch is raised, each hour anew: who has
 * begun to read meanwhile may have missed changes too. That needs nothing of what may be broken.
 */

/** Says when the youngest pulse was sent that has come through the stream. */
const SEEN: Key = { pk: HEARTBEAT.pk, sk: 'seen' };

/** An hour less than a stream keeps. */
const MAX_UNSEEN_MS = 23 * 60 * 60 * 1000;

/**
 * Raises the epoch if no pulse has come through the stream for nearly a day, and sends the next. Answers with
 * how long ago the last one was sent that has come through: an hour, if all is well.
 */
export async function sendHeartbeat(at: Instant): Promise<number> {
  const seen = (await getItem(SEEN))?.['at'];
  if (typeof seen !== 'number') await noteSeen(at);
  else if (at - seen > MAX_UNSEEN_MS) await invalidateFeed();
  await updateOne(HEARTBEAT, { set: { at } }, unlocked);
  return typeof seen === 'number' ? Math.max(0, at - seen) : 0;
}

/** Notes the pulses that a batch of the stream brings. */
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
