import { type Key, padId } from '#lib/table/keys.ts';
import type { Instant } from '#lib/values/time.ts';
import type { WebhookRef } from '#lib/webhooks/dispatch-state.ts';
import type { EndStatus, EventRef, Pending, Pointer } from './record.ts';

/** Returns the partition of a webhook's deliveries. */
export function deliveryPartition({ tenant, id }: WebhookRef): string {
  return `webhook-delivery#${tenant}#${id}`;
}

/** Returns the key of a delivery. */
export function deliveryKey(place: WebhookRef, id: number): Key {
  return { pk: deliveryPartition(place), sk: padId(id) };
}

/** Returns the key of a delivery's attempts. */
export function attemptsKey({ tenant, id: webhook }: WebhookRef, id: number): Key {
  return { pk: `webhook-attempts#${tenant}#${webhook}`, sk: padId(id) };
}

/** Returns the partition that lists deliveries of an end status. */
export function endPartition({ tenant, id: webhook }: WebhookRef, status: EndStatus): string {
  return `webhook-ended#${tenant}#${webhook}#${status}`;
}

/** Returns the key by which an ended delivery is listed. */
export function endKey(place: WebhookRef, id: number, status: EndStatus): Key {
  return { pk: endPartition(place, status), sk: padId(id) };
}

/** Returns the key of a coalesced event. */
export function eventCoalescingKey({ tenant, id, generation }: Pending, { type, record_id }: EventRef): Key {
  return { pk: `webhook-claim#${tenant}#${id}#${generation}`, sk: `${type}#${padId(record_id)}` };
}

/** Returns the partition of pending deliveries' pointers. */
export function pendingPartition({ tenant, id, generation }: Pending): string {
  return `webhook-pending#${tenant}#${id}#${generation}`;
}

/** Returns the key of a pointer; pointers sort by due time. */
export function pointerKey(pending: Pending, { due, id }: Pick<Pointer, 'due' | 'id'>): Key {
  return { pk: pendingPartition(pending), sk: `${padInstant(due)}#${padId(id)}` };
}

/** Pads an instant for a sort key. */
export function padInstant(at: Instant): string {
  return String(Math.max(0, Math.floor(at))).padStart(15, '0');
}
