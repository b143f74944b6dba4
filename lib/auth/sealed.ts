import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { requireEnv } from '#lib/values/env.ts';

/*
 * Stored third-party secrets that must be readable: encrypted under the stage's key, which is in the
 * environment of the functions that need it, encrypted there in turn. A reader of the table, or of a copy of
 * it, can't decrypt them.
 */

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The prefix is the number of the stage's key that sealed the text. The local run has one key. */
const SEALED = /^(?:(\d+):)?(.+)$/;

/** A text that no key in the environment opens: sealed by another stage, or modified. */
export class Unopened extends Error {}

/** Encrypts a secret for its place; it can't be decrypted for any other. */
export function seal(secret: Uint8Array, place: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(requireEnv('SEALING_SECRET')), iv).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
  return `${keyInUse()}:${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')}`;
}

/**
 * Decrypts a text sealed for a place, by the current key or, during a rotation, the other accepted one.
 * Throws `Unopened` if it was sealed for another place or modified.
 */
export function unseal(text: string, place: string): Buffer {
  const [, , sealed = ''] = SEALED.exec(text) ?? [];
  for (const secret of [requireEnv('SEALING_SECRET'), process.env['SEALING_SECRET_BELIEVED']]) {
    const opened = secret ? openBy(secret, sealed, place) : undefined;
    if (opened) return opened;
  }
  throw new Unopened(`No key opens what was sealed for ${place}`);
}

/** Returns the number of the key that sealed a text; undefined for texts from before keys were numbered. */
export function keySealing(text: string): string | undefined {
  return SEALED.exec(text)?.[1];
}

/** Returns true if a text is sealed by the current key, so that the previous one may be removed. */
export function isSealedAnew(text: string): boolean {
  return keySealing(text) === keyInUse();
}

function keyInUse(): string {
  return process.env['SEALING_KEY_NUMBER'] ?? '1';
}

function openBy(secret: string, sealed: string, place: string): Buffer | undefined {
  try {
    return decrypt(secret, Buffer.from(sealed, 'base64'), place);
  } catch {
    return undefined;
  }
}

function decrypt(secret: string, bytes: Buffer, place: string): Buffer {
  const body = bytes.subarray(IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, keyOf(secret), bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(body), decipher.final()]);
}

function keyOf(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'sealed secrets', 32));
}
