import { createHmac, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** Makes a webhook's secret. */
export function newWebhookSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** Writes a secret as receivers are given it. */
export function secretText(secret: Uint8Array): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`;
}

/** A message to a receiver. */
export interface WebhookMessage {
  readonly id: string;
  readonly body: string;
}

/**
 * Makes the headers by which a receiver knows a message for ours: signed by each secret that is valid, as the
 * specification Standard Webhooks has it. `seconds` is the time of the try.
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
