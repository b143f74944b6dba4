import * as z from 'zod';
import type { Tenant } from '#lib/table/keys.ts';
import type { WebhookRef } from './dispatch-state.ts';

/** Names the worker that sends what webhooks tell. */
export const QUEUE = 'deliver-webhooks';

/** A message to that worker: a webhook has something to send. */
export const DeliverMessage = z.object({
  home: z.custom<Tenant>((tenant) => typeof tenant === 'string'),
  id: z.int(),
  /** Set if nobody else knows of it: if the lane is taken just now, it must come again. */
  isSwept: z.boolean().optional(),
});

export type DeliverMessage = z.output<typeof DeliverMessage>;

/** A webhook with due deliveries. */
export interface DeliverTarget extends WebhookRef, Pick<DeliverMessage, 'isSwept'> {}

/** Returns the webhook of a message. */
export function deliverTargetOf({ home: tenant, ...message }: DeliverMessage): DeliverTarget {
  return { tenant, ...message };
}

/** Makes the message for a webhook. */
export function messageOf({ tenant, id }: WebhookRef): DeliverMessage {
  return { home: tenant, id };
}
