import { createHmac, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** Generates a webhook's secret. */
export function newWebhookSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** Formats a secret as shown to receivers. */
export function secretText(secret: Uint8Array): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`;
}

/** A message to a receiver. */
export interface WebhookMessage {
  readonly id: string;
  readonly body: string;
}

/**
 * Builds the headers that authenticate a message: signed by each valid secret, by the Standard Webhooks
 * specification. `seconds` is the time of the attempt.
 */
export function headersFor({ id, body }: WebhookMessage, secrets: readonly Uint8Array[], seconds: number) {
  const signatures = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'user-agent': 'retail-back-office-webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  };
}
