import { enqueue } from '#lib/queues/queue.ts';
import { getItems } from '#lib/table/read/get.ts';
import type { Instant } from '#lib/values/time.ts';
import {
  acquireLease,
  DispatchState,
  dispatchStateKey,
  isResting,
  isTaken,
  LEASE_MS,
  releaseLease,
  type WebhookRef,
} from '#lib/webhooks/dispatch-state.ts';
import { type DeliverTarget, messageOf, QUEUE } from '#lib/webhooks/message.ts';
import { hasSlotFor, leaveSlot, noteWanted, slotsIn, slotsKey, takeSlot } from '#lib/webhooks/slots.ts';
import { removeDue, restUntil, scheduleDispatch, storeDue } from './schedule.ts';
import { type Limits, workOff } from './work-off.ts';

/** Time after which a dispatch starts no new requests, so that other webhooks get their turn. */
const TURN_MS = 10_000;

const LIMITS: Limits = { mostPending: 100_000, slowMs: 2000 };

/** Delay of a webhook that found no free slot of its family. */
const WAIT_MS = 2000;

/**
 * Dispatches one webhook's due deliveries under its lease. If the lease is held, the holder notices new
 * deliveries by the enqueue counter. After a crash the sweeper re-queues the webhook when the lease expires.
 * A resting webhook is skipped: the wake-up at the end of its rest is already scheduled, and only a swept
 * message schedules it again. Three webhooks of a family are served at once; a further one rests and retries.
 * Returns whether the lease was acquired.
 */
export async function dispatchDue(
  { tenant, id, isSwept }: DeliverTarget,
  now: () => Instant,
  limits: Partial<Limits> = {},
): Promise<boolean> {
  const place = { tenant, id };
  const [stateItem, slotsItem] = await getItems([dispatchStateKey(place), slotsKey(tenant)]);
  const [before, slots] = [DispatchState.parse(stateItem ?? {}), slotsIn(slotsItem)];
  if (isResting(before, now())) {
    if (isSwept) await scheduleDispatch(place, before.rests_until ?? now(), now());
    return false;
  }
  if (!hasSlotFor(slots, id) && !isTaken(before)) return waitForSlot(place, now());
  const lease = await acquireLease(place);
  if (!lease) {
    if (isSwept) await enqueue(QUEUE, { ...messageOf(place), isSwept }, Math.ceil(LEASE_MS / 1000) + 1);
    return false;
  }
  const slot = await takeSlot(lease, slots);
  if (!slot) {
    await waitForSlot(place, now());
    await releaseLease(lease);
    return false;
  }
  const over = now() + LEASE_MS + 1000;
  await storeDue(place, over);
  try {
    await workOff({ lease, now, ...LIMITS, ...limits, until: performance.now() + TURN_MS });
  } finally {
    await leaveSlot(slot);
  }
  await removeDue(place, over);
  return true;
}

/** Schedules an early retry of a webhook whose family has no free slot. */
async function waitForSlot(place: WebhookRef, now: Instant): Promise<false> {
  await Promise.all([noteWanted(place.tenant), restUntil(place, now + WAIT_MS, now)]);
  return false;
}
