import { Account } from '#lib/access/account.ts';
import { isIn, type Staff } from '#lib/access/actor.ts';
import { actorFor, userKey } from '#lib/access/identify.ts';
import { enqueue } from '#lib/queues/queue.ts';
import { findRecord } from '#lib/records/record.ts';
import { getItem } from '#lib/table/read/get.ts';
import { walk } from '#lib/table/read/walk.ts';
import type { Instant } from '#lib/values/time.ts';
import { disable } from '#lib/webhooks/disable.ts';
import {
  type Health,
  healthIn,
  keepHealth,
  LEASE_MS,
  type Lease,
  leaveLane,
  readLane,
  takeLane,
  type WebhookPlace,
} from '#lib/webhooks/lane.ts';
import { type StoredWebhook, webhooks } from '#lib/webhooks/webhook.ts';
import { dropDue, keepDue, wakeAt } from './due.ts';
import { type DeliverMessage, QUEUE } from './message.ts';
import { type Pending, Pointer, pendingOf } from './record.ts';
import { isFailing, sendAll } from './send-all.ts';
import type { Sender } from './try.ts';

/** How long a turn begins new requests: then others have theirs. */
const TURN_MS = 10_000;

/** How long a receiver that fails is left alone after a turn of one try. */
const PAUSE_MS = 10_000;

const PAGE = 200;
const MOST_PENDING = 100_000;

/**
 * Sends what a webhook has to send, for a turn. One execution at a time does so, by the lane's lease; who
 * finds it taken leaves it to the holder, who sees by `told` what came meanwhile. Whoever dies in it is
 * followed by a sweep once the lease is over. Tells whether it had the lane.
 */
export async function takeTurn({ home, id, isSwept }: DeliverMessage, now: () => Instant): Promise<boolean> {
  const place = { home, id };
  const lease = await takeLane(place);
  if (!lease) {
    if (isSwept) await enqueue(QUEUE, { home, id, isSwept }, Math.ceil(LEASE_MS / 1000) + 1);
    return false;
  }
  const over = now() + LEASE_MS + 1000;
  await keepDue(place, over);
  await workOff(lease, now);
  await dropDue(place, over);
  return true;
}

/** Sends until nothing is due or the turn is over, and leaves the lane. */
async function workOff(lease: Lease, now: () => Instant): Promise<void> {
  const until = performance.now() + TURN_MS;
  let isLeft = false;
  while (!isLeft) isLeft = await sendPage(lease, now, until);
}

/** Sends a page of what is due; tells whether the lane was left: if something came meanwhile, it was not. */
async function sendPage(lease: Lease, now: () => Instant, until: number): Promise<boolean> {
  const { place } = lease;
  const lane = await readLane(place);
  // Left by a try whose answer was lost, or taken by another since the lease was over.
  if (lane.holder !== lease.holder) return true;
  const sender = await senderOf(place, now);
  if (!sender) return leaveLane(lease, lane.told);
  const health = healthIn(lane, sender.pending.generation);
  const { due, next } = await readPage(sender, health);
  if (due.length === 0) {
    if (next !== undefined) await wakeAt(place, next, now());
    return leaveLane(lease, lane.told);
  }
  const after = await sendAll(sender, due, health, until);
  await keepHealth(lease, after);
  if (!isFailing(after) && performance.now() < until) return false;
  await wakeAt(place, now() + (isFailing(after) ? PAUSE_MS : 0), now());
  return leaveLane(lease);
}

/**
 * Reads a webhook with its creator; undefined if it is not active, or not any more: one whose creator is
 * deleted is disabled.
 */
async function senderOf(place: WebhookPlace, now: () => Instant): Promise<Sender | undefined> {
  const webhook = await findRecord({ type: webhooks, ...place });
  if (!webhook?.is_active) return undefined;
  const creator = await readCreator(webhook);
  const pending = { ...place, generation: webhook.generation };
  if (creator) return { pending, webhook, creator, now };
  await disable(place, { reason: 'creator', failingSince: null }, now());
  return undefined;
}

async function readCreator({ creator_id }: StoredWebhook): Promise<Staff | undefined> {
  const account = Account.safeParse(await getItem(userKey(creator_id))).data;
  if (!account || account.is_deleted) return undefined;
  const actor = await actorFor(account);
  return isIn('company', actor) ? actor : undefined;
}

/** Reads what is due, or when something will be. Too much of it disables the webhook. */
async function readPage({ pending, now }: Sender, { failing_since = null }: Health) {
  for await (const items of walk(pendingOf(pending), PAGE)) {
    const pointers = items.map((item) => Pointer.parse(item));
    const due = pointers.filter((pointer) => pointer.due <= now());
    if (due.length === PAGE && (await isTooMuch(pending))) {
      await disable(pending, { reason: 'backlog', failingSince: failing_since }, now());
      return { due: [], next: undefined };
    }
    return { due, next: pointers[due.length]?.due };
  }
  return { due: [], next: undefined };
}

async function isTooMuch(pending: Pending): Promise<boolean> {
  let count = 0;
  for await (const items of walk(pendingOf(pending))) {
    count += items.length;
    if (count > MOST_PENDING) return true;
  }
  return false;
}
