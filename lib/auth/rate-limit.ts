import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { updateOne } from '#lib/table/change/send.ts';
import { absent, all, any, equals, lessThan } from '#lib/table/expression.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { tooManyRequests } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';

/** How often something may be tried: `most` times in `seconds`, counted from the first. */
export interface RateLimit {
  readonly name: string;
  readonly max: number;
  readonly seconds: number;
  /** Set if the operation counts by itself, and not each call of a user. */
  readonly isCountedByOperation?: true;
  /** Set if it is of a fixed stretch of the clock, and not of one that begins with the first try. */
  readonly isOnTheClock?: true;
}

/** How often a user may upload images, and ask for forms to upload them by. */
export const UPLOADS: RateLimit = { name: 'uploads', max: 60, seconds: 60 };

/** How often a user may import a workbook, or ask for an example of one. */
export const IMPORTS: RateLimit = { name: 'imports', max: 20, seconds: 60 };

/** How often a caller may read a page of a copy, and a last one. Part 4, 4.1. */
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

/** How often a user may send a batch of sales. Part 4, 4.4, 4. */
export const SALE_BATCHES: RateLimit = { name: 'sale-batches', max: 60, seconds: 60, isOnTheClock: true };

/** A try that was taken, to be spent or given back. Until then it counts, and for good if neither happens. */
interface Try {
  readonly key: Key;
  /** When the count that it belongs to began; a later count is not concerned. */
  readonly since: Instant;
}

/** `taken` counts all tries that are under way or spent. */
const Count = z.object({ since: z.number(), taken: z.number(), spent: z.number() });

const PATIENCE = 3000;

/**
 * Takes one of a subject's tries. It is taken before the attempt, so that many at once get no more tries than
 * one after the other. Tries that are only under way may be given back: it waits up to three seconds for
 * them. 429 with the seconds to wait if all are spent.
 */
async function takeTry(limit: RateLimit, subject: string, at: Instant): Promise<Try> {
  const until = performance.now() + PATIENCE;
  for (;;) {
    const taken = await takeFree(limit, subject, at);
    if (taken) return taken;
    if (performance.now() > until) throw tooManyRequests(1);
    await pause(25 + Math.random() * 75);
  }
}

/**
 * Takes a try of each subject, one after the other, always in this order: a call that waits for the next try
 * delays nobody who holds one. 429 if one of them has none left, and then all are given back.
 */
export async function takeAttempts(
  wanted: readonly (readonly [RateLimit, string])[],
  at: Instant,
): Promise<readonly Try[]> {
  const tries: Try[] = [];
  try {
    for (const [limit, subject] of wanted) tries.push(await takeTry(limit, subject, at));
    return tries;
  } catch (error) {
    await Promise.all(tries.map(refundAttempt));
    throw error;
  }
}

/** Counts a try for good, as one of those to be limited. */
export async function recordAttempt({ key, since }: Try): Promise<void> {
  await updateOne(key, { add: { spent: 1 } }, equals('since', since));
}

/** Takes one of a subject's tries and spends it. 429 with the seconds to wait if all are spent. */
export async function consumeAttempt(limit: RateLimit, subject: string, at: Instant): Promise<void> {
  await recordAttempt(await takeTry(limit, subject, at));
}

/**
 * Takes one of a subject's tries in a fixed stretch of the clock. 429 with the seconds until the next stretch
 * if all are taken. One write, and no read.
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

/** Gives back a try that was not one of those to be limited. */
export async function refundAttempt({ key, since }: Try): Promise<void> {
  await updateOne(key, { add: { taken: -1 } }, equals('since', since));
}

/** Takes a try; undefined if none is free at the moment. */
async function takeFree(limit: RateLimit, subject: string, at: Instant): Promise<Try | undefined> {
  const key = { pk: `throttle#${limit.name}#${subject}`, sk: 'count' };
  const held = Count.safeParse(await getItem(key)).data;
  const lasts = limit.seconds * 1000;
  // The clock of the local run may go back too: a count that lies ahead has ended as one that is over.
  if (!held || Math.abs(at - held.since) >= lasts) {
    const fresh = { since: at, taken: 1, spent: 0, expires_at: Math.ceil(at / 1000) + limit.seconds };
    const over = held ? equals('since', held.since) : absent('since');
    return (await updateOne(key, { set: fresh }, over)) ? { key, since: at } : undefined;
  }
  if (held.spent >= limit.max) throw tooManyRequests(Math.ceil((held.since + lasts - at) / 1000));
  const { since } = held;
  const free = all([equals('since', since), lessThan('taken', limit.max)]);
  return (await updateOne(key, { add: { taken: 1 } }, free)) ? { key, since } : undefined;
}
