import { createHmac } from 'node:crypto';
import { requireEnv } from '#lib/values/env.ts';
import { isSame } from './signature.ts';

/*
 * Texts that callers keep for us and bring back as they were. What a text is for is signed with it, so that
 * one is never taken for another.
 */

/** Signs a text by the stage's secret. */
export function signText(purpose: string, text: string): string {
  const packed = Buffer.from(text).toString('base64url');
  return `${packed}.${signOf(requireEnv('TOKEN_SECRET'), purpose, packed)}`;
}

/**
 * Reads a signed text; undefined if it is not one of ours. While secrets change, one that was signed by the
 * other valid secret is good too.
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
