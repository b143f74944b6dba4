import { createHmac, timingSafeEqual } from 'node:crypto';
import { requireEnv } from '#lib/values/env.ts';

/** The header of a signature. Contract 9.56. */
export const SIGNATURE = 'x-signature';

/** Signs a text as the payment gateway and we do: hex HMAC-SHA256 by the secret that both know. */
export function signatureOf(text: string | Uint8Array): string {
  return signatureBy(requireEnv('GATEWAY_SECRET'), text);
}

/**
 * Tells whether a text has been signed so, by the secret in use or by the other that is believed while it
 * changes.
 */
export function isSigned(text: string | Uint8Array, signature = ''): boolean {
  const secrets = [requireEnv('GATEWAY_SECRET'), process.env['GATEWAY_SECRET_BELIEVED'] ?? []].flat();
  return secrets.some((secret) => isSame(signature.toLowerCase(), signatureBy(secret, text)));
}

/** Tells whether two texts are the same, in the same time wherever they differ. */
export function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function signatureBy(secret: string, text: string | Uint8Array): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
