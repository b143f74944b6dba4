import { createHmac, timingSafeEqual } from 'node:crypto';
import { setting } from '#lib/values/setting.ts';

/** The header of a signature. Decisions, 9 (56). */
export const SIGNATURE = 'x-signature';

/** Signs a text as the payment gateway and we do: hex HMAC-SHA256 by the secret that both know. */
export function signatureOf(text: string | Uint8Array): string {
  return createHmac('sha256', setting('GATEWAY_SECRET')).update(text).digest('hex');
}

/** Tells whether a text has been signed so. It takes the same time wherever they differ. */
export function isSigned(text: string | Uint8Array, signature: string | undefined): boolean {
  const expected = Buffer.from(signatureOf(text));
  const given = Buffer.from(signature?.toLowerCase() ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
