import { createHmac } from 'node:crypto';
import { requireEnv } from '#lib/values/env.ts';
import { isSame } from './signature.ts';

/*
 * Opaque texts that clients store and return unchanged. The purpose is part of the signature, so that a text
 * can't be used for another one.
 */

/** Signs a text with the stage's secret. */
export function signText(purpose: string, text: string): string {
  const packed = Buffer.from(text).toString('base64url');
  return `${packed}.${signOf(requireEnv('TOKEN_SECRET'), purpose, packed)}`;
}

/**
 * Verifies and reads a signed text; undefined if the signature is invalid. During a rotation the other
 * accepted secret is valid too.
 */
export function readSignedText(purpose: string, given: string): string | undefined {
  const [packed = '', sign = ''] = given.split('.');
  const secrets = [requireEnv('TOKEN_SECRET'), process.env['TOKEN_SECRET_BELIEVED'] ?? []].flat();
  const isOurs = secrets.some((secret) => secret && isSame(sign, signOf(secret, purpose, packed)));
  return isOurs ? Buffer.from(packed, 'base64url').toString() : undefined;
}

function signOf(secret: string, purpose: string, packed: string): string {
  return createHmac('sha256', secret).update(`${purpose} ${packed}`).digest('base64url');
}
