import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { setting } from '#lib/values/setting.ts';

/*
 * Secrets of others that we must be able to read again, as the table holds them: encrypted under the stage's
 * key, which is in the environment of the functions that need it, and there encrypted itself. Who reads the
 * table, or a copy of it, reads none.
 */

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a secret for its place; anywhere else it can't be read. */
export function seal(secret: Uint8Array, place: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(setting('SEALING_SECRET')), iv).setAAD(Buffer.from(place));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
}

/**
 * Decrypts what was sealed for a place, by the key in use or by the other that is believed while it changes.
 * Throws if it is another place's or somebody has changed it.
 */
export function unseal(text: string, place: string): Buffer {
  const believed = process.env['SEALING_SECRET_BELIEVED'];
  try {
    return unsealBy(setting('SEALING_SECRET'), text, place);
  } catch (error) {
    if (!believed) throw error;
    return unsealBy(believed, text, place);
  }
}

function unsealBy(secret: string, text: string, place: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  const body = bytes.subarray(IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, keyOf(secret), bytes.subarray(0, IV_BYTES))
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(body), decipher.final()]);
}

function keyOf(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'sealed secrets', 32));
}
