import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { updateOne } from '#lib/table/change/send.ts';
import { waitUntil } from '#lib/table/deadline.ts';
import { absent, any, lessThan } from '#lib/table/expression.ts';
import type { Key } from '#lib/table/keys.ts';
import type { Instant } from '#lib/values/time.ts';

const HOUR = 3_600_000;

/** Generates a secret, for its holder to send. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/**
 * Hashes a secret for storage. Slow and salted hashes are for secrets chosen by people. 256 random bits can't
 * be guessed, so one round of SHA-256 is as safe, and costs a call nothing.
 */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

const Use = z.object({ at: z.number() });

/** Returns the time of a key's last use, from its item; undefined if it was never used. */
export function lastUseIn(item: unknown): Instant | undefined {
  return Use.safeParse(item).data?.at;
}

/** Records a use of a key, once an hour. A failure is ignored: the next call records it. */
export function recordKeyUse(key: Key, at: Instant): void {
  const isDue = any([absent('at'), lessThan('at', at - HOUR)]);
  waitUntil(updateOne(key, { set: { at } }, isDue));
}

/** Returns true if a use must be recorded, so that other calls within the hour need no write. */
export function isUseDue(item: unknown, at: Instant): boolean {
  const last = lastUseIn(item);
  return last === undefined || last < at - HOUR;
}
