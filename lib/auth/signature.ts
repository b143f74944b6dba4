import { createHmac, timingSafeEqual } from 'node:crypto';
import { requireEnv } from '#lib/values/env.ts';

/** The header of a signature. Contract 9.56. */
export const SIGNATURE = 'x-signature';

/** Signs a text for the payment gateway: hex HMAC-SHA256 by the shared secret. */
export function signatureOf(text: string | Uint8Array): string {
  return signatureBy(requireEnv('GATEWAY_SECRET'), text);
}

/**
 * Returns true if a text has a valid signature, by the current secret or, during a rotation, the other
 * accepted one.
 */
export function isSigned(text: string | Uint8Array, signature = ''): boolean {
  const secrets = [requireEnv('GATEWAY_SECRET'), process.env['GATEWAY_SECRET_BELIEVED'] ?? []].flat();
  return secrets.some((secret) => isSame(signature.toLowerCase(), signatureBy(secret, text)));
}

/** Compares two texts in constant time. */
export function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function signatureBy(secret: string, text: string | Uint8Array): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
