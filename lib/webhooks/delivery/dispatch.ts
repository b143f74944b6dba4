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

/** How long a turn begins new requests: then others have theirs. */
const TURN_MS = 10_000;

const LIMITS: Limits = { mostPending: 100_000, slowMs: 2000 };

/** How long a webhook waits that finds no slot of its family free. */
const WAIT_MS = 2000;

/**
 * Sends what a webhook has to send, for a turn. One execution at a time does so, by the lane's lease; who
 * finds it taken leaves it to the holder, who sees by `told` what came meanwhile. Whoever dies in it is
 * followed by a sweep once the lease is over. While a lane rests nothing is done: its end has been told
 * somebody, and only who was told so comes again. Three of a family are served at once; another rests until
 * it tries again. Tells whether it had the lane.
 */
export async function dispatchDue(
  { tenant, id, isSwept }: DeliverTarget,
  now: () => Instant,
  limits: Partial<Limits> = {},
): Promise<boolean> {
  const place = { tenant, id };
  const [laneItem, slotsItem] = await getItems([dispatchStateKey(place), slotsKey(tenant)]);
  const [before, slots] = [DispatchState.parse(laneItem ?? {}), slotsIn(slotsItem)];
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

/** Has a webhook tried again soon, as its family has no slot for it just now. */
async function waitForSlot(place: WebhookRef, now: Instant): Promise<false> {
  await Promise.all([noteWanted(place.tenant), restUntil(place, now + WAIT_MS, now)]);
  return false;
}
