import * as z from 'zod';
import { enumeration } from '#lib/values/enumeration.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import type { WebhookRef } from '#lib/webhooks/dispatch-state.ts';

/*
 * A delivery is a header in its webhook's list, with its attempts beside it. While pending it has two small
 * items more: a pointer, ordered by due time, and a coalesced event, which absorbs later events of the same
 * record. Once ended it has one item in the list of its end status.
 */

/** Status of a delivery. */
export const Status = enumeration('webhook.delivery_status', ['pending', 'delivered', 'failed']);

export type Status = z.output<typeof Status>;

/** Final status of a delivery. */
export type EndStatus = 'delivered' | 'failed';

/** An attempt of a delivery. */
export const Attempt = z.object({
  at: Timestamp,
  status_code: z.int().nullable(),
  duration_ms: z.int(),
  answer: z.string().nullable(),
});

export type Attempt = z.input<typeof Attempt>;

const fields = {
  id: z.int(),
  webhook_id: z.int(),
  type: z.string(),
  record_id: z.int(),
  revision: z.int().nullable(),
  status: Status,
  next_attempt_at: Timestamp.nullable(),
  created_at: Timestamp,
};

/** A delivery in responses. Part 4, 4.2. */
export const Delivery = z.object({ ...fields, attempts: z.array(Attempt) });

export type Delivery = z.input<typeof Delivery>;

/** A delivery's header as stored. */
export const StoredDelivery = z.object({
  ...fields,
  next_attempt_at: z.number().nullable(),
  created_at: z.number(),
  /** Generation of the webhook when the delivery became pending: an earlier one means that it was dropped. */
  generation: z.int(),
  /** Last known change of the record. */
  changed_at: z.number(),
  /** Company of the record; null if the change did not carry it. */
  company_id: z.int().nullable(),
  /** Failed attempts since it became pending. */
  tries: z.int(),
  expires_at: z.number(),
});

export type StoredDelivery = z.output<typeof StoredDelivery>;

/** Attempts of a delivery as stored. */
export const Attempts = z.object({
  attempts: z.array(
    z.object({
      at: z.number(),
      status_code: z.int().nullable(),
      duration_ms: z.int(),
      answer: z.string().nullable(),
    }),
  ),
});

/** Identity of a record's event among the pending ones. */
export interface EventRef {
  readonly type: string;
  readonly record_id: number;
}

/** Coalesced event of a record: its delivery, and the count of events absorbed since. */
export const CoalescedEvent = z.object({
  ...{ id: z.int(), told: z.int(), changed_at: z.number(), company_id: z.int().nullable() },
});

export type CoalescedEvent = z.output<typeof CoalescedEvent>;

/** Pointer to a pending delivery: its due time, delivery and coalesced event. */
export const Pointer = z.object({ due: z.number(), id: z.int(), type: z.string(), record_id: z.int() });

export type Pointer = z.output<typeof Pointer>;

/** A webhook with its generation, which owns the pending deliveries. */
export interface Pending extends WebhookRef {
  readonly generation: number;
}

const DAY_S = 86_400;
const KEPT_S = { pending: 30 * DAY_S, delivered: 3 * DAY_S, failed: 30 * DAY_S };

/** Name of a family's delivery counter. */
export const DELIVERY = 'webhook-delivery';

/** Returns the expiry of a delivery, in seconds. Part 4, 4.2. */
export function expiryOf(status: Status, at: Instant): number {
  return Math.ceil(at / 1000) + KEPT_S[status];
}

/** Builds the response of a delivery. One dropped while pending is shown as failed. */
export function showDelivery(stored: StoredDelivery, attempts: unknown, generation: number): Delivery {
  const { id, webhook_id, type, record_id, revision, created_at } = stored;
  const isDropped = stored.status === 'pending' && stored.generation < generation;
  return {
    ...{ id, webhook_id, type, record_id, revision, created_at },
    status: isDropped ? 'failed' : stored.status,
    next_attempt_at: isDropped ? null : stored.next_attempt_at,
    attempts: Attempts.safeParse(attempts).data?.attempts ?? [],
  };
}
