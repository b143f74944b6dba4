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

/** A webhook whose deliveries are sent: with its creator, whose eyes it has. */
export interface Sender {
  readonly pending: Pending;
  readonly webhook: StoredWebhook;
  readonly creator: Staff;
  readonly now: () => Instant;
}

/**
 * Tries a pending delivery once, and writes what came of it; undefined if there was nothing to send any more.
 * If it is cut off after it was sent, it is sent again: at least once. The claim is read before the record,
 * so a change that this try has not seen has raised the claim by the time it is left.
 */
export async function attemptDelivery(sender: Sender, pointer: Pointer): Promise<AttemptOutcome | undefined> {
  const { pending, webhook, now } = sender;
  const { delivery, claim, attempts } = await readDue(pending, pointer);
  if (!delivery) {
    await transact([remove(pointerKey(pending, pointer))]);
    return undefined;
  }
  const told = await untilSeen(() => whatToTell(sender, delivery, claim));
  if (!told) {
    await settle(sender, pointer, claim, dropWrites(pending, pointer));
    return undefined;
  }
  const outcome = await sendOnce(pending, webhook, told, now());
  const tries = outcome.isDelivered ? 0 : delivery.tries + 1;
  const wait = outcome.isDelivered ? undefined : retryDelay(tries, outcome.asked);
  const at = now();
  const kept = attemptsWrite(pending, pointer.id, attempts, outcome.attempt);
  const { revision } = told.data;
  if (!outcome.isDelivered && wait !== undefined && !outcome.isGone) {
    const moved = moveWrites(pending, pointer, { due: at + wait, tries, revision }, at);
    // The claim stays: whoever is told of the record meanwhile finds this delivery.
    await settle(sender, pointer, undefined, [...moved, kept]);
    return outcome;
  }
  const status = outcome.isDelivered ? 'delivered' : 'failed';
  await settle(sender, pointer, claim, [...endWrites(pending, pointer, { status, revision }, at), kept]);
  return outcome;
}

/**
 * Reads what a pointer is of. A pointer may be seen before its delivery and claim, as one transaction puts
 * them: what seems to be missing is asked for once that is over, or the delivery would lose its pointer, or
 * end and leave its claim to a record that nobody hears of any more. It costs six units, once a pointer is
 * left over, and at each try of a delivery without a claim: one that was asked for again beside another.
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
 * Finds what is to be told; undefined if the webhook's creator may not see the record, or not any more. Reach
 * and revision are those of the creator's copy.
 */
async function whatToTell(
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
 * Writes what became of a try, and of its claim. If the record was told again since the claim was read, the
 * claim goes to a new delivery; if somebody else has gone on with this one, nothing is left to be written.
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
