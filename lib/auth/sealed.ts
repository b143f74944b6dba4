import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { requireEnv } from '#lib/values/env.ts';

/*
 * Secrets of others that we must be able to read again, as the table holds them: encrypted under the stage's
 * key, which is in the environment of the functions that need it, and there encrypted itself. Who reads the
 * table, or a copy of it, reads none.
 */

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Says by which of the stage's keys something was sealed: their numbers. The local run has one key. */
const SEALED = /^(?:(\d+):)?(.+)$/;

/** No key of the environment opens it: it is sealed by another stage's, or somebody has changed it. */
export class Unopened extends Error {}

/** Encrypts a secret for its place; anywhere else it can't be read. */
export function seal(secret: Uint8Array, place: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(requireEnv('SEALING_SECRET')), iv).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
  return `${keyInUse()}:${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')}`;
}

/**
 * Decrypts what was sealed for a place, by the key in use or by the other that is believed while it changes.
 * Throws `Unopened` if it is another place's or somebody has changed it.
 */
export function unseal(text: string, place: string): Buffer {
  const [, , sealed = ''] = SEALED.exec(text) ?? [];
  for (const secret of [requireEnv('SEALING_SECRET'), process.env['SEALING_SECRET_BELIEVED']]) {
    const opened = secret ? openBy(secret, sealed, place) : undefined;
    if (opened) return opened;
  }
  throw new Unopened(`No key opens what was sealed for ${place}`);
}

/** Gives the number of the key by which something was sealed; undefined if that was not noted yet. */
export function keySealing(text: string): string | undefined {
  return SEALED.exec(text)?.[1];
}

/** Tells whether something is sealed by the key in use, so that the one before may go. */
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
