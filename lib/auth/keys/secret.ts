import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { updateOne } from '#lib/table/change/send.ts';
import { waitUntil } from '#lib/table/deadline.ts';
import { absent, any, lessThan } from '#lib/table/expression.ts';
import type { Key } from '#lib/table/keys.ts';
import type { Instant } from '#lib/values/time.ts';

const HOUR = 3_600_000;

/** Makes a new secret, as the holder of a key is to send it. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Hashes a secret, as it is kept. Slow and salted hashes are for what people think up. Nobody guesses 256
 * random bits, so one round of SHA-256 is as safe, and costs a call nothing.
 */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

const Use = z.object({ at: z.number() });

/** Tells when a key was last used, by the item of its last use; undefined if it never was. */
export function lastUseIn(item: unknown): Instant | undefined {
  return Use.safeParse(item).data?.at;
}

/** Notes a use of a key, once an hour. If this call can't, the next one does. */
export function recordKeyUse(key: Key, at: Instant): void {
  const isDue = any([absent('at'), lessThan('at', at - HOUR)]);
  waitUntil(updateOne(key, { set: { at } }, isDue));
}

/** Tells whether a use is to be noted, so that a call within the hour asks nothing of the table. */
export function isUseDue(item: unknown, at: Instant): boolean {
  const last = lastUseIn(item);
  return last === undefined || last < at - HOUR;
}
