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

/** The event of a test, which tells of the webhook itself. */
export const TEST = 'webhook.test';

/** What a receiver is told of: thin, as it reads what it may see. Part 4, 4.2. */
export interface ThinEvent {
  /** The delivery's. */
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

/** What came of a try. */
export interface AttemptOutcome {
  readonly attempt: Attempt;
  readonly isDelivered: boolean;
  /** True if the receiver wants nothing more, ever. */
  readonly isGone: boolean;
  /** True if its secret can't be opened: nothing was sent, and nothing ever will be. */
  readonly isMute: boolean;
  /** How long it asks to be left alone, in milliseconds. */
  readonly asked: number;
}

const MUTE: ReceiverResponse = noResponse('webhook.secret_lost');

/** Makes what a test tells of: the webhook. */
export function testData({ id, version, company_id }: StoredWebhook): ThinEvent['data'] {
  return { type: 'webhook', id, revision: version, company_id };
}

/** Sends one message, once. Its way is judged anew. Whatever becomes of it is an outcome. */
export async function sendOnce(
  place: WebhookRef,
  webhook: StoredWebhook,
  told: ThinEvent,
  at: Instant,
): Promise<AttemptOutcome> {
  const began = performance.now();
  const heard = await tryOnce(place, webhook, told, at);
  const { status_code, answer, retryAfter } = heard;
  const duration_ms = Math.round(performance.now() - began);
  return {
    attempt: { at, status_code, duration_ms, answer },
    isDelivered: status_code !== null && status_code >= 200 && status_code < 300,
    isGone: status_code === 410,
    isMute: heard === MUTE,
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
  // Receivers compare it with their own clocks: it is the machine's, whatever the local run's clock shows.
  const secrets = secretsAt(place, webhook, at);
  if (!secrets) return MUTE;
  await sealAnew(place, webhook);
  const headers = headersFor(message, secrets, Math.floor(Date.now() / 1000));
  return postToReceiver(destination, headers, body, signal);
}
