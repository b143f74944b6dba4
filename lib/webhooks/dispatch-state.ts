import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { updateOne } from '#lib/table/change/send.ts';
import { absent, all, any, equals, lessThan } from '#lib/table/expression.ts';
import { unlocked } from '#lib/table/items.ts';
import { type Key, recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import type { Instant } from '#lib/values/time.ts';

/*
 * A lane is how the deliveries of a webhook go, beside its record: who sends them just now, and how its
 * receiver answers. One execution at a time has it, so that whatever it counts is right: how many requests
 * are under way, and how many failed in a row. No transaction ever touches it.
 */

/** A webhook's place. */
export interface WebhookRef {
  readonly tenant: Tenant;
  readonly id: number;
}

/** A lane as the table holds it; an absent one is empty. */
export const DispatchState = z.object({
  /** How often something was put into it. Who leaves it must have seen all that. */
  told: z.number().default(0),
  /** Whose failures they are: the generation of the webhook. */
  generation: z.number().optional(),
  /** Failures in a row, failed tries since `failing_since`. */
  failures: z.number().default(0),
  failed_tries: z.number().default(0),
  failing_since: z.number().nullish(),
  last_delivered_at: z.number().nullish(),
  /** True if its receiver's latest answer was slow. */
  is_slow: z.boolean().default(false),
  /** Until when nothing is sent: then somebody has been told to go on. */
  rests_until: z.number().nullish(),
  /** When it was counted last what is pending. */
  counted_at: z.number().nullish(),
  lease_until: z.number().default(0),
  holder: z.string().optional(),
});

export type DispatchState = z.output<typeof DispatchState>;

/** A lane that was taken, for as long as its lease lasts. */
export interface DispatchLease {
  readonly place: WebhookRef;
  readonly holder: string;
  readonly until: number;
}

/** Longer than a turn may last, with the requests that are under way at its end. */
export const LEASE_MS = 60_000;

/** Gives the key of a webhook's lane. */
export function dispatchStateKey({ tenant, id }: WebhookRef): Key {
  return recordKey('webhook-lane', tenant, id);
}

/** Reads a lane. */
export async function readDispatchState(place: WebhookRef): Promise<DispatchState> {
  return DispatchState.parse((await getItem(dispatchStateKey(place))) ?? {});
}

/** Notes that something was put into a lane, before anybody is told. */
export async function recordEnqueued(place: WebhookRef): Promise<void> {
  await updateOne(dispatchStateKey(place), { add: { told: 1 } }, unlocked);
}

/** Takes a lane; undefined if somebody has it. Leases go by the machine's clock, as those of journals. */
export async function acquireLease(place: WebhookRef): Promise<DispatchLease | undefined> {
  const [holder, now] = [randomUUID(), Date.now()];
  const until = now + LEASE_MS;
  const isFree = any([absent('lease_until'), lessThan('lease_until', now), equals('holder', holder)]);
  const taken = await updateOne(dispatchStateKey(place), { set: { lease_until: until, holder } }, isFree);
  return taken ? { place, holder, until } : undefined;
}

/** As long as a lane rests at most. */
export const REST_MS = 10_000;

/** Tells whether a lane rests. One that seems to for longer has seen the clock set back. */
export function isResting({ rests_until }: DispatchState, now: Instant): boolean {
  return rests_until != null && now < rests_until && rests_until - now <= REST_MS;
}

/** Tells whether somebody has a lane. */
export function isTaken({ lease_until }: DispatchState): boolean {
  return lease_until >= Date.now();
}

/** Lets a lane rest that nobody has: whoever does so has told somebody to go on then. */
export async function letRest(place: WebhookRef, rests_until: Instant): Promise<void> {
  await updateOne(dispatchStateKey(place), { set: { rests_until } }, unlocked);
}

/** Writes how the receiver answers, unless the lease has been lost. */
export async function saveHealth({ place, holder }: DispatchLease, health: Health): Promise<void> {
  await updateOne(dispatchStateKey(place), { set: { ...health } }, equals('holder', holder));
}

/** Notes when it was counted what is pending. */
export async function recordCountTime({ place, holder }: DispatchLease, counted_at: Instant): Promise<void> {
  await updateOne(dispatchStateKey(place), { set: { counted_at } }, equals('holder', holder));
}

/** A part of a lane: how the receiver answers. */
export type Health = Pick<
  DispatchState,
  'generation' | 'failures' | 'failed_tries' | 'failing_since' | 'last_delivered_at' | 'is_slow'
>;

/** Reads how a receiver answers, of a webhook's generation: of an earlier one nothing counts. */
export function healthIn(lane: DispatchState, generation: number): Health {
  const { last_delivered_at = null } = lane;
  if (lane.generation !== generation) {
    const none = { failures: 0, failed_tries: 0, failing_since: null, is_slow: false };
    return { generation, ...none, last_delivered_at };
  }
  const { failures, failed_tries, failing_since = null, is_slow } = lane;
  return { generation, failures, failed_tries, failing_since, is_slow, last_delivered_at };
}

/** What came of a try, as far as it tells how the receiver answers. */
interface Answered {
  readonly isDelivered: boolean;
  readonly attempt: { readonly duration_ms: number };
}

/** Counts a success or a failure, and notes whether the answer was slow. Part 4, 4.2, 3. */
export function healthAfter(
  health: Health,
  { isDelivered, attempt }: Answered,
  slowMs: number,
  at: Instant,
): Health {
  const is_slow = attempt.duration_ms > slowMs;
  if (isDelivered) {
    const none = { failures: 0, failed_tries: 0, failing_since: null };
    return { ...health, ...none, is_slow, last_delivered_at: at };
  }
  return {
    ...health,
    is_slow,
    failures: health.failures + 1,
    failed_tries: health.failed_tries + 1,
    failing_since: health.failing_since ?? at,
  };
}

/**
 * Leaves a lane. If `told` is given, only if nothing was put into it since that was read; tells whether it
 * was left.
 */
export function releaseLease({ place, holder }: DispatchLease, told?: number): Promise<boolean> {
  const isMine = equals('holder', holder);
  const isSame = told === undefined ? isMine : all([isMine, isStillTold(told)]);
  return updateOne(dispatchStateKey(place), { unset: ['lease_until', 'holder'] }, isSame);
}

function isStillTold(told: number) {
  return told === 0 ? any([absent('told'), equals('told', 0)]) : equals('told', told);
}
