import { createHmac, timingSafeEqual } from 'node:crypto';
import { setting } from '#lib/values/setting.ts';

/** The header of a signature. Decisions, 9 (56). */
export const SIGNATURE = 'x-signature';

/** Signs a text as the payment gateway and we do: hex HMAC-SHA256 by the secret that both know. */
export function signatureOf(text: string | Uint8Array): string {
  return signatureBy(setting('GATEWAY_SECRET'), text);
}

/**
 * Tells whether a text has been signed so, by the secret in use or by the other that is believed while it
 * changes. It takes the same time wherever they differ.
 */
export function isSigned(text: string | Uint8Array, signature: string | undefined): boolean {
  const secrets = [setting('GATEWAY_SECRET'), process.env['GATEWAY_SECRET_BELIEVED'] ?? []].flat();
  const given = Buffer.from(signature?.toLowerCase() ?? '');
  return secrets.some((secret) => {
    const expected = Buffer.from(signatureBy(secret, text));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function signatureBy(secret: string, text: string | Uint8Array): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
