import type { Instant } from '#lib/values/time.ts';
import type { WebhookRef } from '#lib/webhooks/dispatch-state.ts';
import { destinationOf } from '#lib/webhooks/receiver/destination.ts';
import {
  noResponse,
  PATIENCE_MS,
  postToReceiver,
  type ReceiverResponse,
} from '#lib/webhooks/receiver/http-post.ts';
import { headersFor } from '#lib/webhooks/receiver/signature.ts';
import { sealAnew, secretsAt } from '#lib/webhooks/secret.ts';
import type { StoredWebhook } from '#lib/webhooks/webhook.ts';
import { parseRetryAfter } from './backoff.ts';
import type { Attempt } from './record.ts';

/** Event type of a test, which refers to the webhook itself. */
export const TEST = 'webhook.test';

/**
 * Payload of a webhook message. Thin: the receiver reads the record with its own permissions. Part 4, 4.2.
 */
export interface ThinEvent {
  /** Id of the delivery. */
  readonly id: number;
  readonly event: string;
  readonly changed_at: Instant;
  readonly data: {
    readonly type: string;
    readonly id: number;
    readonly revision: number;
    readonly company_id: number | null;
  };
}

/** Outcome of an attempt. */
export interface AttemptOutcome {
  readonly attempt: Attempt;
  readonly isDelivered: boolean;
  /** True if the receiver responded 410. */
  readonly isGone: boolean;
  /** True if the webhook's secret can't be decrypted: nothing was sent, nor ever will be. */
  readonly isMute: boolean;
  /** Delay requested by the receiver, in milliseconds. */
  readonly asked: number;
}

const MUTE: ReceiverResponse = noResponse('webhook.secret_lost');

/** Returns the data of a test: the webhook. */
export function testData({ id, version, company_id }: StoredWebhook): ThinEvent['data'] {
  return { type: 'webhook', id, revision: version, company_id };
}

/** Sends one message once, validating its destination again. Every result is an outcome; none throws. */
export async function sendOnce(
  place: WebhookRef,
  webhook: StoredWebhook,
  event: ThinEvent,
  at: Instant,
): Promise<AttemptOutcome> {
  const began = performance.now();
  const response = await tryOnce(place, webhook, event, at);
  const { status_code, answer, retryAfter } = response;
  const duration_ms = Math.round(performance.now() - began);
  return {
    attempt: { at, status_code, duration_ms, answer },
    isDelivered: status_code !== null && status_code >= 200 && status_code < 300,
    isGone: status_code === 410,
    isMute: response === MUTE,
    asked: parseRetryAfter(retryAfter, Date.now()),
  };
}

async function tryOnce(
  place: WebhookRef,
  webhook: StoredWebhook,
  { id, event, changed_at, data }: ThinEvent,
  at: Instant,
): Promise<ReceiverResponse> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const destination = await destinationOf(webhook.url);
  if (typeof destination === 'string') return noResponse(destination);
  const body = JSON.stringify({ type: event, timestamp: new Date(changed_at).toISOString(), data });
  const message = { id: `msg_${place.tenant.replace(/\D/g, '')}_${place.id}_${id}`, body };
  // Receivers compare the timestamp with their own clocks, so it is the machine's, not the local run's.
  const secrets = secretsAt(place, webhook, at);
  if (!secrets) return MUTE;
  await sealAnew(place, webhook);
  const headers = headersFor(message, secrets, Math.floor(Date.now() / 1000));
  return postToReceiver(destination, headers, body, signal);
}
