import type { Staff } from '#lib/auth/actor.ts';
import { remove, type Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { getItems, getSettled } from '#lib/table/read/get.ts';
import { untilSeen } from '#lib/table/read/until-seen.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { Instant } from '#lib/values/time.ts';
import { readEntry } from '#lib/webhooks/entry.ts';
import { canReceive, typeOfEvent } from '#lib/webhooks/event.ts';
import type { StoredWebhook } from '#lib/webhooks/webhook.ts';
import { retryDelay } from './backoff.ts';
import { attemptsKey, deliveryKey, eventCoalescingKey, pointerKey } from './keys.ts';
import {
  attemptsWrite,
  dropWrites,
  endWrites,
  moveWrites,
  newDeliveryWrites,
  releaseCoalescedEvent,
} from './pending.ts';
import { CoalescedEvent, DELIVERY, type Pending, type Pointer, StoredDelivery } from './record.ts';
import { type AttemptOutcome, sendOnce, TEST, type ThinEvent, testData } from './send.ts';

/** A webhook being dispatched, with its creator, whose permissions decide the visible records. */
export interface Sender {
  readonly pending: Pending;
  readonly webhook: StoredWebhook;
  readonly creator: Staff;
  readonly now: () => Instant;
}

/**
 * Attempts a pending delivery once and saves the outcome; undefined if it needs no sending any more. At least
 * once: a crash after the request sends it again. The coalesced event is read before the record, so a change
 * missed by this attempt has raised its counter by the time it is released.
 */
export async function attemptDelivery(sender: Sender, pointer: Pointer): Promise<AttemptOutcome | undefined> {
  const { pending, webhook, now } = sender;
  const { delivery, claim, attempts } = await readDue(pending, pointer);
  if (!delivery) {
    await transact([remove(pointerKey(pending, pointer))]);
    return undefined;
  }
  const thinEvent = await untilSeen(() => eventToSend(sender, delivery, claim));
  if (!thinEvent) {
    await settle(sender, pointer, claim, dropWrites(pending, pointer));
    return undefined;
  }
  const outcome = await sendOnce(pending, webhook, thinEvent, now());
  const tries = outcome.isDelivered ? 0 : delivery.tries + 1;
  const wait = outcome.isDelivered ? undefined : retryDelay(tries, outcome.asked);
  const at = now();
  const attemptsSaved = attemptsWrite(pending, pointer.id, attempts, outcome.attempt);
  const { revision } = thinEvent.data;
  if (!outcome.isDelivered && wait !== undefined && !outcome.isGone) {
    const moved = moveWrites(pending, pointer, { due: at + wait, tries, revision }, at);
    // The coalesced event stays: later events of the record find this delivery.
    await settle(sender, pointer, undefined, [...moved, attemptsSaved]);
    return outcome;
  }
  const status = outcome.isDelivered ? 'delivered' : 'failed';
  await settle(sender, pointer, claim, [
    ...endWrites(pending, pointer, { status, revision }, at),
    attemptsSaved,
  ]);
  return outcome;
}

/**
 * Reads the delivery of a pointer. A pointer can be visible before its delivery and coalesced event, which
 * are written in the same transaction, so missing items are read again once that has settled. Otherwise the
 * delivery would lose its pointer, or end and leave a coalesced event that swallows all later events of the
 * record. The second read costs six units: for a stale pointer, and at each attempt of a delivery without a
 * coalesced event (one redelivered beside another).
 */
async function readDue(pending: Pending, pointer: Pointer) {
  const keys = [
    deliveryKey(pending, pointer.id),
    eventCoalescingKey(pending, pointer),
    attemptsKey(pending, pointer.id),
  ];
  const found = ([item, claimItem, attempts]: readonly (Item | undefined)[]) => ({
    delivery: dueDelivery(item, pointer),
    claim: ownClaim(claimItem, pointer),
    attempts,
  });
  const seen = found(await getItems(keys));
  return seen.delivery && seen.claim ? seen : found(await getSettled(keys));
}

/**
 * Returns the event to send; undefined if the webhook's creator may not, or no longer, see the record. Reach
 * and revision are those of the creator's sync replica.
 */
async function eventToSend(
  { webhook, creator }: Sender,
  { id, type: event, record_id, changed_at, company_id: companyId }: StoredDelivery,
  claim: CoalescedEvent | undefined,
): Promise<ThinEvent | undefined> {
  const common = { id, event, changed_at: claim?.changed_at ?? changed_at };
  if (event === TEST) return { ...common, data: testData(webhook) };
  const type = typeOfEvent(event);
  if (!type || !canReceive(creator, event)) return undefined;
  const entry = await readEntry(creator, { type, id: record_id, companyId });
  if (!entry) return undefined;
  return { ...common, data: { type, id: record_id, revision: entry.revision, company_id: entry.companyId } };
}

/**
 * Saves the outcome of an attempt and releases its coalesced event. If another event was coalesced since it
 * was read, it is handed to a new delivery; if another worker has moved this delivery on, nothing is written.
 */
async function settle(
  { pending, now }: Sender,
  pointer: Pointer,
  claim: CoalescedEvent | undefined,
  writes: readonly Write[],
): Promise<void> {
  let isFirst = true;
  await retryOnContention(async () => {
    const [item, claimItem] = isFirst
      ? []
      : await getItems([deliveryKey(pending, pointer.id), eventCoalescingKey(pending, pointer)]);
    if (!isFirst && !dueDelivery(item, pointer)) return;
    const known = isFirst ? claim : claim && ownClaim(claimItem, pointer);
    isFirst = false;
    if (!claim || !known) return transact(writes);
    if (known.told === claim.told)
      return transact([...writes, releaseCoalescedEvent(pending, known, pointer, undefined)]);
    const at = now();
    const id = await nextId(DELIVERY, pending.tenant);
    const { type, record_id } = pointer;
    const { changed_at, company_id } = known;
    const again = newDeliveryWrites(pending, id, { type, record_id, changed_at, company_id }, at);
    return transact([...writes, releaseCoalescedEvent(pending, known, pointer, { id, at }), ...again]);
  });
}

function dueDelivery(item: Item | undefined, { due }: Pointer): StoredDelivery | undefined {
  const delivery = StoredDelivery.safeParse(item).data;
  const isDue = delivery?.status === 'pending' && delivery.next_attempt_at === due;
  return isDue ? delivery : undefined;
}

function ownClaim(item: Item | undefined, { id }: Pointer): CoalescedEvent | undefined {
  const claim = CoalescedEvent.safeParse(item).data;
  return claim?.id === id ? claim : undefined;
}
