import { readStaff } from '#lib/auth/identify.ts';
import { findRecord } from '#lib/records/record.ts';
import { getItem } from '#lib/table/read/get.ts';
import { walk } from '#lib/table/read/walk.ts';
import type { Instant } from '#lib/values/time.ts';
import { disable } from '#lib/webhooks/disable.ts';
import {
  type DispatchLease,
  type DispatchState,
  type Health,
  healthIn,
  REST_MS,
  readDispatchState,
  recordCountTime,
  releaseLease,
  saveHealth,
  type WebhookRef,
} from '#lib/webhooks/dispatch-state.ts';
import { areWanted, slotsIn, slotsKey } from '#lib/webhooks/slots.ts';
import { webhooks } from '#lib/webhooks/webhook.ts';
import type { Sender } from './attempt.ts';
import { pendingPartition } from './keys.ts';
import { type Pending, Pointer } from './record.ts';
import { restUntil, scheduleDispatch } from './schedule.ts';
import { isSpared, sendAll } from './send-all.ts';

/** How long a receiver that fails, or is slow, is left alone after a turn of one try. */
const PAUSE_MS = REST_MS;

/** How long a webhook that has had a turn lets others of its family have theirs. */
const YIELD_MS = 3000;

const PAGE = 200;

/** How long a count of them is good for. */
const COUNTED_FOR_MS = 5 * 60_000;

/** What a webhook and its receiver are judged by. Part 4, 4.2. */
export interface Limits {
  /** More than so many pending disable a webhook. */
  readonly mostPending: number;
  /** An answer that took longer is a slow one. */
  readonly slowMs: number;
}

/** A turn: who has it, and for how long it begins new requests. */
interface Turn extends Limits {
  readonly lease: DispatchLease;
  readonly now: () => Instant;
  readonly until: number;
}

/** Sends until nothing is due or the turn is over, and leaves the lane. */
export async function workOff(turn: Turn): Promise<void> {
  let isLeft = false;
  while (!isLeft) isLeft = await sendPage(turn);
}

/** Sends a page of what is due; tells whether the lane was left: if something came meanwhile, it was not. */
async function sendPage(turn: Turn): Promise<boolean> {
  const { lease, now, until } = turn;
  const { place } = lease;
  const lane = await readDispatchState(place);
  // Left by a try whose answer was lost, or taken by another since the lease was over.
  if (lane.holder !== lease.holder) return true;
  const sender = await senderOf(place, now);
  if (!sender) return releaseLease(lease, lane.told);
  const health = healthIn(lane, sender.pending.generation);
  const page = await readFirst(sender.pending);
  if (await isTooMuch(turn, lane, sender.pending, page.length)) {
    await disable(place, { reason: 'backlog', failingSince: health.failing_since ?? null }, now());
    return releaseLease(lease, lane.told);
  }
  const due = page.filter((pointer) => pointer.due <= now());
  if (due.length === 0) {
    const next = page[0]?.due;
    if (next !== undefined) await scheduleDispatch(place, next, now());
    return releaseLease(lease, lane.told);
  }
  const { health: after, defects } = await sendAll(sender, due, health, turn);
  await saveHealth(lease, after);
  // The lane stays taken for the rest of its lease: then a sweep has them tried again.
  if (defects.length > 0) throw new Error(`Some could not be sent: ${defects[0]}`);
  if (!isSpared(after) && performance.now() < until) return false;
  await endTurn(place, after, now());
  return releaseLease(lease);
}

/**
 * Has a webhook go on after a turn: later if its receiver is spared, and not even what is new goes to a slow
 * one before that; a little later if others of the family wait.
 */
async function endTurn(place: WebhookRef, health: Health, now: Instant): Promise<void> {
  if (health.is_slow) return restUntil(place, now + PAUSE_MS, now);
  if (isSpared(health)) return scheduleDispatch(place, now + PAUSE_MS, now);
  const slots = slotsIn(await getItem(slotsKey(place.tenant)));
  return areWanted(slots) ? restUntil(place, now + YIELD_MS, now) : scheduleDispatch(place, now, now);
}

/**
 * Reads a webhook with its creator; undefined if it is not active, or not any more: one whose creator is
 * deleted, or a key that has expired, is disabled.
 */
async function senderOf(place: WebhookRef, now: () => Instant): Promise<Sender | undefined> {
  const webhook = await findRecord({ type: webhooks, ...place });
  if (!webhook?.is_active) return undefined;
  const creator = await readStaff(place.tenant, webhook.creator_id, now());
  const pending = { ...place, generation: webhook.generation };
  if (creator) return { pending, webhook, creator, now };
  await disable(place, { reason: 'creator', failingSince: null }, now());
  return undefined;
}

/** Reads what is due first, or will be. */
async function readFirst(pending: Pending): Promise<Pointer[]> {
  const { value: items = [] } = await walk(pendingPartition(pending), PAGE).next();
  return items.map((item) => Pointer.parse(item));
}

/**
 * Tells whether too much is pending. To count all costs thousands of units once that is nearly so: it is done
 * now and then.
 */
async function isTooMuch(
  { lease, now, mostPending }: Turn,
  { counted_at }: DispatchState,
  pending: Pending,
  first: number,
): Promise<boolean> {
  if (first > mostPending) return true;
  const isCounted = counted_at != null && Math.abs(now() - counted_at) < COUNTED_FOR_MS;
  if (first < PAGE || isCounted) return false;
  await recordCountTime(lease, now());
  let count = 0;
  for await (const items of walk(pendingPartition(pending))) {
    count += items.length;
    if (count > mostPending) return true;
  }
  return false;
}
