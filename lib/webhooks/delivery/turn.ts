import { readStaff } from '#lib/access/identify.ts';
import { enqueue } from '#lib/queues/queue.ts';
import { findRecord } from '#lib/records/record.ts';
import { walk } from '#lib/table/read/walk.ts';
import type { Instant } from '#lib/values/time.ts';
import { disable } from '#lib/webhooks/disable.ts';
import {
  healthIn,
  keepHealth,
  type Lane,
  LEASE_MS,
  type Lease,
  leaveLane,
  noteCounted,
  readLane,
  takeLane,
  type WebhookPlace,
} from '#lib/webhooks/lane.ts';
import { type DeliverMessage, QUEUE } from '#lib/webhooks/message.ts';
import { webhooks } from '#lib/webhooks/webhook.ts';
import { dropDue, keepDue, wakeAt } from './due.ts';
import { pendingOf } from './keys.ts';
import { type Pending, Pointer } from './record.ts';
import { isFailing, sendAll } from './send-all.ts';
import type { Sender } from './try.ts';

/** How long a turn begins new requests: then others have theirs. */
const TURN_MS = 10_000;

/** How long a receiver that fails is left alone after a turn of one try. */
const PAUSE_MS = 10_000;

const PAGE = 200;

/** More than so many disable a webhook. Part 4, 4.2, 2. */
const MOST_PENDING = 100_000;

/** How long a count of them is good for. */
const COUNTED_FOR_MS = 5 * 60_000;

/**
 * Sends what a webhook has to send, for a turn. One execution at a time does so, by the lane's lease; who
 * finds it taken leaves it to the holder, who sees by `told` what came meanwhile. Whoever dies in it is
 * followed by a sweep once the lease is over. Tells whether it had the lane.
 */
export async function takeTurn(
  { home, id, isSwept }: DeliverMessage,
  now: () => Instant,
  mostPending = MOST_PENDING,
): Promise<boolean> {
  const place = { home, id };
  const lease = await takeLane(place);
  if (!lease) {
    if (isSwept) await enqueue(QUEUE, { home, id, isSwept }, Math.ceil(LEASE_MS / 1000) + 1);
    return false;
  }
  const over = now() + LEASE_MS + 1000;
  await keepDue(place, over);
  await workOff({ lease, now, mostPending, until: performance.now() + TURN_MS });
  await dropDue(place, over);
  return true;
}

/** A turn: who has it, and for how long it begins new requests. */
interface Turn {
  readonly lease: Lease;
  readonly now: () => Instant;
  readonly mostPending: number;
  readonly until: number;
}

/** Sends until nothing is due or the turn is over, and leaves the lane. */
async function workOff(turn: Turn): Promise<void> {
  let isLeft = false;
  while (!isLeft) isLeft = await sendPage(turn);
}

/** Sends a page of what is due; tells whether the lane was left: if something came meanwhile, it was not. */
async function sendPage(turn: Turn): Promise<boolean> {
  const { lease, now, until } = turn;
  const { place } = lease;
  const lane = await readLane(place);
  // Left by a try whose answer was lost, or taken by another since the lease was over.
  if (lane.holder !== lease.holder) return true;
  const sender = await senderOf(place, now);
  if (!sender) return leaveLane(lease, lane.told);
  const health = healthIn(lane, sender.pending.generation);
  const page = await readFirst(sender.pending);
  if (await isTooMuch(turn, lane, sender.pending, page.length)) {
    await disable(place, { reason: 'backlog', failingSince: health.failing_since ?? null }, now());
    return leaveLane(lease, lane.told);
  }
  const due = page.filter((pointer) => pointer.due <= now());
  if (due.length === 0) {
    const next = page[0]?.due;
    if (next !== undefined) await wakeAt(place, next, now());
    return leaveLane(lease, lane.told);
  }
  const { health: after, defects } = await sendAll(sender, due, health, until);
  await keepHealth(lease, after);
  // The lane stays taken for the rest of its lease: then a sweep has them tried again.
  if (defects.length > 0) throw new Error(`Some could not be sent: ${defects[0]}`);
  if (!isFailing(after) && performance.now() < until) return false;
  await wakeAt(place, now() + (isFailing(after) ? PAUSE_MS : 0), now());
  return leaveLane(lease);
}

/**
 * Reads a webhook with its creator; undefined if it is not active, or not any more: one whose creator is
 * deleted, or a key that has expired, is disabled.
 */
async function senderOf(place: WebhookPlace, now: () => Instant): Promise<Sender | undefined> {
  const webhook = await findRecord({ type: webhooks, ...place });
  if (!webhook?.is_active) return undefined;
  const creator = await readStaff(place.home, webhook.creator_id, now());
  const pending = { ...place, generation: webhook.generation };
  if (creator) return { pending, webhook, creator, now };
  await disable(place, { reason: 'creator', failingSince: null }, now());
  return undefined;
}

/** Reads what is due first, or will be. */
async function readFirst(pending: Pending): Promise<Pointer[]> {
  const { value: items = [] } = await walk(pendingOf(pending), PAGE).next();
  return items.map((item) => Pointer.parse(item));
}

/**
 * Tells whether too much is pending. To count all costs thousands of units once that is nearly so: it is done
 * now and then.
 */
async function isTooMuch(
  { lease, now, mostPending }: Turn,
  { counted_at }: Lane,
  pending: Pending,
  first: number,
): Promise<boolean> {
  if (first > mostPending) return true;
  const isCounted = counted_at != null && Math.abs(now() - counted_at) < COUNTED_FOR_MS;
  if (first < PAGE || isCounted) return false;
  await noteCounted(lease, now());
  let count = 0;
  for await (const items of walk(pendingOf(pending))) {
    count += items.length;
    if (count > mostPending) return true;
  }
  return false;
}
