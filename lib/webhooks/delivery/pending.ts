import { put, putNew, remove, update, type Write } from '#lib/table/change/write.ts';
import { all, equals } from '#lib/table/expression.ts';
import type { Instant } from '#lib/values/time.ts';
import type { WebhookRef } from '#lib/webhooks/dispatch-state.ts';
import { attemptsKey, deliveryKey, endKey, eventCoalescingKey, pointerKey } from './keys.ts';
import {
  type Attempt,
  Attempts,
  type CoalescedEvent,
  type EndStatus,
  type EventRef,
  expiryOf,
  type Pending,
  type Pointer,
  type StoredDelivery,
} from './record.ts';

/** A record's event to deliver. */
export interface EventChange extends EventRef {
  readonly changed_at: Instant;
  readonly company_id: number | null;
}

/** Builds the writes of a new delivery without its coalesced event: its header and its pointer. */
export function newDeliveryWrites(pending: Pending, id: number, news: EventChange, at: Instant): Write[] {
  const { type, record_id, changed_at, company_id } = news;
  const header: StoredDelivery = {
    ...{ id, webhook_id: pending.id, type, record_id, changed_at, company_id },
    revision: null,
    status: 'pending',
    next_attempt_at: at,
    created_at: at,
    generation: pending.generation,
    tries: 0,
    expires_at: expiryOf('pending', at),
  };
  return [
    putNew(deliveryKey(pending, id), header),
    newPointer(pending, { due: at, id, type, record_id }, at),
  ];
}

/** Builds the write of a new coalesced event. */
export function newCoalescedEvent(pending: Pending, id: number, news: EventChange, at: Instant): Write {
  const expires_at = expiryOf('pending', at);
  return putNew(eventCoalescingKey(pending, news), {
    ...{ id, told: 0, changed_at: news.changed_at, company_id: news.company_id },
    expires_at,
  });
}

/** Builds the write of a pointer. */
export function newPointer(pending: Pending, pointer: Pointer, at: Instant): Write {
  return putNew(pointerKey(pending, pointer), { ...pointer, expires_at: expiryOf('pending', at) });
}

/** Builds the writes that reschedule a pending delivery. */
export function moveWrites(
  pending: Pending,
  pointer: Pointer,
  after: { readonly due: Instant; readonly tries: number; readonly revision: number | null },
  at: Instant,
): Write[] {
  const { due, tries, revision } = after;
  const expires_at = expiryOf('pending', at);
  return [
    update(
      deliveryKey(pending, pointer.id),
      { set: { next_attempt_at: due, tries, revision, expires_at } },
      { if: isDueAt(pointer) },
    ),
    remove(pointerKey(pending, pointer)),
    newPointer(pending, { ...pointer, due }, at),
  ];
}

/** Builds the writes that end a delivery. */
export function endWrites(
  pending: Pending,
  pointer: Pointer,
  after: { readonly status: EndStatus; readonly revision: number | null },
  at: Instant,
): Write[] {
  const { status, revision } = after;
  const expires_at = expiryOf(status, at);
  const set = { status, revision, next_attempt_at: null, expires_at };
  return [
    update(deliveryKey(pending, pointer.id), { set }, { if: isDueAt(pointer) }),
    remove(pointerKey(pending, pointer)),
    newEnd(pending, pointer.id, status, at),
  ];
}

/** Builds the write that lists an ended delivery by its status. */
export function newEnd(place: WebhookRef, id: number, status: EndStatus, at: Instant): Write {
  return put(endKey(place, id, status), { id, expires_at: expiryOf(status, at) });
}

/** Latest attempts stored with a delivery, which can be redelivered any number of times. */
const MAX_ATTEMPTS = 30;

/** Builds the write that appends an attempt to a delivery. */
export function attemptsWrite(place: WebhookRef, id: number, before: unknown, attempt: Attempt): Write {
  const attempts = [...(Attempts.safeParse(before).data?.attempts ?? []), attempt].slice(-MAX_ATTEMPTS);
  return put(attemptsKey(place, id), { attempts, expires_at: expiryOf('failed', attempt.at) });
}

/** Builds the writes that drop a delivery without sending it. */
export function dropWrites(pending: Pending, pointer: Pointer): Write[] {
  return [remove(deliveryKey(pending, pointer.id)), remove(pointerKey(pending, pointer))];
}

/**
 * Builds the write that releases a delivery's coalesced event, or hands it to the next delivery. `Contention`
 * if another event was coalesced since it was read.
 */
export function releaseCoalescedEvent(
  pending: Pending,
  claim: CoalescedEvent,
  claimed: EventRef,
  next: { readonly id: number; readonly at: Instant } | undefined,
): Write {
  const key = eventCoalescingKey(pending, claimed);
  const guard = { if: all([equals('id', claim.id), equals('told', claim.told)]) };
  if (!next) return remove(key, guard);
  return update(key, { set: { id: next.id, told: 0, expires_at: expiryOf('pending', next.at) } }, guard);
}

function isDueAt({ due }: Pointer) {
  return all([equals('status', 'pending'), equals('next_attempt_at', due)]);
}
