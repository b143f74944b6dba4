import * as z from 'zod';
import { enqueue } from '#lib/queues/queue.ts';
import { removeAfterwards, updateOne } from '#lib/table/change/send.ts';
import { put, type Write } from '#lib/table/change/write.ts';
import { unlocked } from '#lib/table/items.ts';
import { type Key, keyOfItem, type Tenant } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import type { Instant } from '#lib/values/time.ts';
import { letRest, type WebhookRef } from '#lib/webhooks/dispatch-state.ts';
import { messageOf, QUEUE } from '#lib/webhooks/message.ts';
import { padInstant } from './keys.ts';

/*
 * Schedule of webhook dispatches. Those due within a minute wait in the queue; later ones wait here, sharded
 * over several partitions, until a sweep of each minute enqueues them. So retries follow the clock of the
 * local run, and the queue never delays a message by more than a minute.
 */

const SHARDS = 16;
const MINUTE_MS = 60_000;
const STEP = 100;
const AT_ONCE = 20;

const Due = z.object({
  due: z.number(),
  home: z.custom<Tenant>((tenant) => typeof tenant === 'string'),
  id: z.int(),
});

/** Schedules a webhook's dispatch at a time; the caller need not remember it. */
export async function scheduleDispatch(place: WebhookRef, due: Instant, now: Instant): Promise<void> {
  if (due - now > MINUTE_MS) return storeDue(place, due);
  await enqueue(QUEUE, { ...messageOf(place), isSwept: true }, secondsUntil(due, now));
}

/** Makes a webhook rest; the wake-up is scheduled first, so a crash in between loses nothing. */
export async function restUntil(place: WebhookRef, end: Instant, now: Instant): Promise<void> {
  await scheduleDispatch(place, end, now);
  await letRest(place, end);
}

/** Stores a dispatch for the sweep of the minute in which it is due. */
export async function storeDue({ tenant, id }: WebhookRef, due: Instant): Promise<void> {
  await updateOne(dueKey({ tenant, id }, due), { set: { due, home: tenant, id } }, unlocked);
}

/** Builds the write that stores a dispatch, for the transaction of its deliveries. */
export function dueWrite({ tenant, id }: WebhookRef, due: Instant): Write {
  return put(dueKey({ tenant, id }, due), { due, home: tenant, id });
}

/** Removes a stored dispatch. */
export async function removeDue(place: WebhookRef, due: Instant): Promise<void> {
  await removeAfterwards(dueKey(place, due));
}

/** Enqueues dispatches due within a minute. After a crash the next sweep repeats it. */
export async function sweepDue(at: Instant): Promise<void> {
  const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
  await Promise.all(shards.map((shard) => sweepShard(shard, at)));
}

async function sweepShard(shard: number, at: Instant): Promise<void> {
  for await (const items of walk(partitionOf(shard), STEP)) {
    const near = items.filter((item) => Due.parse(item).due <= at + MINUTE_MS);
    await mapConcurrent(near, AT_ONCE, async (item) => {
      const { due, ...message } = Due.parse(item);
      await enqueue(QUEUE, { ...message, isSwept: true }, secondsUntil(due, at));
      await removeAfterwards(keyOfItem(item));
    });
    if (near.length < items.length) return;
  }
}

function secondsUntil(due: Instant, now: Instant): number {
  return Math.max(0, Math.ceil((due - now) / 1000));
}

function dueKey({ tenant, id }: WebhookRef, due: Instant): Key {
  const shard = Number(tenant.replace(/\D/g, '')) % SHARDS;
  return { pk: partitionOf(shard), sk: `${padInstant(due)}#${tenant}#${id}` };
}

function partitionOf(shard: number): string {
  return `webhook-due#${shard}`;
}
