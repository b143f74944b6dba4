import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { updateOne } from '#lib/table/change/send.ts';
import { absent, all, any, equals, lessThan } from '#lib/table/expression.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { tooManyRequests } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';

/** A rate limit: `max` attempts in `seconds`, from the first attempt. */
export interface RateLimit {
  readonly name: string;
  readonly max: number;
  readonly seconds: number;
  /** Set if the operation counts by itself, rather than each call of a user. */
  readonly isCountedByOperation?: true;
  /** Set if the window is aligned to the clock, rather than beginning with the first attempt. */
  readonly isOnTheClock?: true;
}

/** Limit of a user's image uploads and presigned upload forms. */
export const UPLOADS: RateLimit = { name: 'uploads', max: 60, seconds: 60 };

/** Limit of a user's imports of a workbook, and downloads of its template. */
export const IMPORTS: RateLimit = { name: 'imports', max: 20, seconds: 60 };

/** Limits of a caller's sync pages, and of last pages. Part 4, 4.1. */
export const SYNC_PAGES: RateLimit = {
  name: 'copy-pages',
  max: 300,
  seconds: 60,
  isCountedByOperation: true,
};
export const SYNC_LAST_PAGES: RateLimit = {
  name: 'copy-ends',
  max: 30,
  seconds: 60,
  isCountedByOperation: true,
};

/** Limit of a user's batches of offline sales. Part 4, 4.4, 4. */
export const SALE_BATCHES: RateLimit = { name: 'sale-batches', max: 60, seconds: 60, isOnTheClock: true };

/** A reserved attempt, to be spent or refunded. Until then it counts, and for good if neither happens. */
interface Attempt {
  readonly key: Key;
  /** The start of its window; later windows are unaffected. */
  readonly since: Instant;
}

/** `taken` counts all attempts in progress or spent. */
const Count = z.object({ since: z.number(), taken: z.number(), spent: z.number() });

const MAX_WAIT_MS = 3000;

/**
 * Reserves one of a subject's attempts. It is reserved before the work, so that concurrent calls get no more
 * attempts than sequential ones. Attempts in progress may be refunded: waits up to three seconds for them.
 * 429 with the seconds to wait if all are spent.
 */
async function reserveAttempt(limit: RateLimit, subject: string, at: Instant): Promise<Attempt> {
  const until = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const taken = await reserveIfFree(limit, subject, at);
    if (taken) return taken;
    if (performance.now() > until) throw tooManyRequests(1);
    await pause(25 + Math.random() * 75);
  }
}

/**
 * Reserves an attempt of each subject, one after the other, always in this order: a call that waits for the
 * next one does not delay the holders of others. 429 if one of them has none left; then all are refunded.
 */
export async function takeAttempts(
  requested: readonly (readonly [RateLimit, string])[],
  at: Instant,
): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = [];
  try {
    for (const [limit, subject] of requested) attempts.push(await reserveAttempt(limit, subject, at));
    return attempts;
  } catch (error) {
    await Promise.all(attempts.map(refundAttempt));
    throw error;
  }
}

/** Spends an attempt: it counts against the limit. */
export async function recordAttempt({ key, since }: Attempt): Promise<void> {
  await updateOne(key, { add: { spent: 1 } }, equals('since', since));
}

/** Reserves one of a subject's attempts and spends it. 429 with the seconds to wait if all are spent. */
export async function consumeAttempt(limit: RateLimit, subject: string, at: Instant): Promise<void> {
  await recordAttempt(await reserveAttempt(limit, subject, at));
}

/**
 * Spends one of a subject's attempts in a clock-aligned window. 429 with the seconds until the next window if
 * none is left. One write, and no read.
 */
export async function takeFixedWindow(
  { name, max, seconds }: RateLimit,
  subject: string,
  at: Instant,
): Promise<void> {
  const lasts = seconds * 1000;
  const began = at - (at % lasts);
  const key = { pk: `throttle#${name}#${subject}`, sk: `since-${began}` };
  const changes = { set: { expires_at: Math.ceil(began / 1000) + 2 * seconds }, add: { taken: 1 } };
  const isFree = any([absent('taken'), lessThan('taken', max)]);
  if (!(await updateOne(key, changes, isFree))) throw tooManyRequests(Math.ceil((began + lasts - at) / 1000));
}

/** Refunds an attempt that does not count against the limit. */
export async function refundAttempt({ key, since }: Attempt): Promise<void> {
  await updateOne(key, { add: { taken: -1 } }, equals('since', since));
}

/** Reserves an attempt; undefined if none is free at the moment. */
async function reserveIfFree(limit: RateLimit, subject: string, at: Instant): Promise<Attempt | undefined> {
  const key = { pk: `throttle#${limit.name}#${subject}`, sk: 'count' };
  const count = Count.safeParse(await getItem(key)).data;
  const lasts = limit.seconds * 1000;
  // The clock of the local run may be set back: a window in the future is over too.
  if (!count || Math.abs(at - count.since) >= lasts) {
    const fresh = { since: at, taken: 1, spent: 0, expires_at: Math.ceil(at / 1000) + limit.seconds };
    const over = count ? equals('since', count.since) : absent('since');
    return (await updateOne(key, { set: fresh }, over)) ? { key, since: at } : undefined;
  }
  if (count.spent >= limit.max) throw tooManyRequests(Math.ceil((count.since + lasts - at) / 1000));
  const { since } = count;
  const free = all([equals('since', since), lessThan('taken', limit.max)]);
  return (await updateOne(key, { add: { taken: 1 } }, free)) ? { key, since } : undefined;
}
