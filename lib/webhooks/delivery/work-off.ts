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

/** Pause of a failing or slow receiver after a turn of one attempt. */
const PAUSE_MS = REST_MS;

/** Time a webhook yields to others of its family after its turn. */
const YIELD_MS = 3000;

const PAGE = 200;

/** Lifetime of a backlog count. */
const COUNTED_FOR_MS = 5 * 60_000;

/** Limits of a webhook and its receiver. Part 4, 4.2. */
export interface Limits {
  /** More pending deliveries disable a webhook. */
  readonly mostPending: number;
  /** A response that took longer counts as slow. */
  readonly slowMs: number;
}

/** A turn: its lease, and the time after which it starts no new requests. */
interface Turn extends Limits {
  readonly lease: DispatchLease;
  readonly now: () => Instant;
  readonly until: number;
}

/** Sends until nothing is due or the turn is over, then releases the lease. */
export async function workOff(turn: Turn): Promise<void> {
  let isLeft = false;
  while (!isLeft) isLeft = await sendPage(turn);
}

/** Sends a page of due deliveries. Returns whether the lease was released: new deliveries prevent that. */
async function sendPage(turn: Turn): Promise<boolean> {
  const { lease, now, until } = turn;
  const { place } = lease;
  const state = await readDispatchState(place);
  // Released by an attempt whose response was lost, or taken by another worker after the lease expired.
  if (state.holder !== lease.holder) return true;
  const sender = await senderOf(place, now);
  if (!sender) return releaseLease(lease, state.told);
  const health = healthIn(state, sender.pending.generation);
  const page = await readFirst(sender.pending);
  if (await isBacklogTooLong(turn, state, sender.pending, page.length)) {
    await disable(place, { reason: 'backlog', failingSince: health.failing_since ?? null }, now());
    return releaseLease(lease, state.told);
  }
  const due = page.filter((pointer) => pointer.due <= now());
  if (due.length === 0) {
    const next = page[0]?.due;
    if (next !== undefined) await scheduleDispatch(place, next, now());
    return releaseLease(lease, state.told);
  }
  const { health: after, defects } = await sendAll(sender, due, health, turn);
  await saveHealth(lease, after);
  // The lease is held until it expires; then a sweep retries these deliveries.
  if (defects.length > 0) throw new Error(`Some could not be sent: ${defects[0]}`);
  if (!isSpared(after) && performance.now() < until) return false;
  await endTurn(place, after, now());
  return releaseLease(lease);
}

/**
 * Schedules the next dispatch after a turn: later for a throttled receiver (a slow one rests even from new
 * deliveries), a little later if other webhooks of the family wait.
 */
async function endTurn(place: WebhookRef, health: Health, now: Instant): Promise<void> {
  if (health.is_slow) return restUntil(place, now + PAUSE_MS, now);
  if (isSpared(health)) return scheduleDispatch(place, now + PAUSE_MS, now);
  const slots = slotsIn(await getItem(slotsKey(place.tenant)));
  return areWanted(slots) ? restUntil(place, now + YIELD_MS, now) : scheduleDispatch(place, now, now);
}

/**
 * Reads a webhook with its creator; undefined if it is inactive. If the creator is deleted or its API key has
 * expired, the webhook is disabled.
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

/** Reads the first pointers by due time. */
async function readFirst(pending: Pending): Promise<Pointer[]> {
  const { value: items = [] } = await walk(pendingPartition(pending), PAGE).next();
  return items.map((item) => Pointer.parse(item));
}

/**
 * Returns whether the backlog is over its limit. Counting near the limit costs thousands of units, so it is
 * done every few minutes.
 */
async function isBacklogTooLong(
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
