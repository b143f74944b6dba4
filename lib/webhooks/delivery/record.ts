import * as z from 'zod';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import type { WebhookRef } from '#lib/webhooks/dispatch-state.ts';

/*
 * A delivery is a header in the list of its webhook, and its attempts beside it. While it is pending, two
 * small items stand for it: a pointer, in the order in which what is pending is due, and a claim, by which
 * the next event of the same record finds that it is told already. Once it has ended, one stands for it in
 * the list of what ended so.
 */

/** How far a delivery has come. */
export const Status = z.enum(['pending', 'delivered', 'failed']);

export type Status = z.output<typeof Status>;

/** How a delivery ends. */
export type EndStatus = 'delivered' | 'failed';

/** A try of a delivery. */
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

/** A delivery as callers see it. Part 4, 4.2. */
export const Delivery = z.object({ ...fields, attempts: z.array(Attempt) });

export type Delivery = z.input<typeof Delivery>;

/** A delivery's header as the table holds it. */
export const StoredDelivery = z.object({
  ...fields,
  next_attempt_at: z.number().nullable(),
  created_at: z.number(),
  /** The webhook's when it was made pending: of an earlier one, it was dropped. */
  generation: z.int(),
  /** When the record changed last, as far as is known. */
  changed_at: z.number(),
  /** Its company, if the change told it. */
  company_id: z.int().nullable(),
  /** Failed tries since it was made pending. */
  tries: z.int(),
  expires_at: z.number(),
});

export type StoredDelivery = z.output<typeof StoredDelivery>;

/** The attempts of a delivery as the table holds them. */
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

/** Names a record's event among those that are pending. */
export interface EventRef {
  readonly type: string;
  readonly record_id: number;
}

/** The claim of a record's event: its delivery, and how often it was told since. */
export const CoalescedEvent = z.object({
  ...{ id: z.int(), told: z.int(), changed_at: z.number(), company_id: z.int().nullable() },
});

export type CoalescedEvent = z.output<typeof CoalescedEvent>;

/** A pointer to what is due: it names the delivery and its claim. */
export const Pointer = z.object({ due: z.number(), id: z.int(), type: z.string(), record_id: z.int() });

export type Pointer = z.output<typeof Pointer>;

/** A webhook's place, and its generation: what is pending belongs to that. */
export interface Pending extends WebhookRef {
  readonly generation: number;
}

const DAY_S = 86_400;
const KEPT_S = { pending: 30 * DAY_S, delivered: 3 * DAY_S, failed: 30 * DAY_S };

/** Names the counter of a family's deliveries. */
export const DELIVERY = 'webhook-delivery';

/** Tells when a delivery is dropped, in seconds. Part 4, 4.2. */
export function expiryOf(status: Status, at: Instant): number {
  return Math.ceil(at / 1000) + KEPT_S[status];
}

/** Shows a delivery. What was dropped while it was pending has failed. */
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
