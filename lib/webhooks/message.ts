import * as z from 'zod';
import type { Tenant } from '#lib/table/keys.ts';
import type { WebhookRef } from './dispatch-state.ts';

/** Name of the worker that dispatches webhook deliveries. */
export const QUEUE = 'deliver-webhooks';

/** Message to that worker: a webhook has due deliveries. */
export const DeliverMessage = z.object({
  home: z.custom<Tenant>((tenant) => typeof tenant === 'string'),
  id: z.int(),
  /** Set if the schedule no longer holds it: if the lease is held, it must be enqueued again. */
  isSwept: z.boolean().optional(),
});

export type DeliverMessage = z.output<typeof DeliverMessage>;

/** A webhook with due deliveries. */
export interface DeliverTarget extends WebhookRef, Pick<DeliverMessage, 'isSwept'> {}

/** Returns the webhook of a message. */
export function deliverTargetOf({ home: tenant, ...message }: DeliverMessage): DeliverTarget {
  return { tenant, ...message };
}

/** Builds the message for a webhook. */
export function messageOf({ tenant, id }: WebhookRef): DeliverMessage {
  return { home: tenant, id };
}
