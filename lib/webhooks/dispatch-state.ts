import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { updateOne } from '#lib/table/change/send.ts';
import { absent, all, any, equals, lessThan } from '#lib/table/expression.ts';
import { unlocked } from '#lib/table/items.ts';
import { type Key, recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import type { Instant } from '#lib/values/time.ts';

/*
 * Dispatch state of a webhook, beside its record: the lease of the sender and the health of the receiver. One
 * execution at a time holds the lease, so its counts are exact: requests under way and failures in a row. No
 * transaction ever touches it.
 */

/** Reference to a webhook. */
export interface WebhookRef {
  readonly tenant: Tenant;
  readonly id: number;
}

/** Dispatch state as stored; an absent one is empty. */
export const DispatchState = z.object({
  /** Enqueue counter. A holder releases the lease only if it has seen the latest value. */
  told: z.number().default(0),
  /** Generation of the webhook that the failures belong to. */
  generation: z.number().optional(),
  /** Failures in a row, failed attempts since `failing_since`. */
  failures: z.number().default(0),
  failed_tries: z.number().default(0),
  failing_since: z.number().nullish(),
  last_delivered_at: z.number().nullish(),
  /** True if the receiver's latest response was slow. */
  is_slow: z.boolean().default(false),
  /** End of a rest, during which nothing is sent. A wake-up is scheduled for it. */
  rests_until: z.number().nullish(),
  /** Time of the latest backlog count. */
  counted_at: z.number().nullish(),
  lease_until: z.number().default(0),
  holder: z.string().optional(),
});

export type DispatchState = z.output<typeof DispatchState>;

/** A dispatch lease. */
export interface DispatchLease {
  readonly place: WebhookRef;
  readonly holder: string;
  readonly until: number;
}

/** Longer than a turn with the requests under way at its end. */
export const LEASE_MS = 60_000;

/** Returns the key of a webhook's dispatch state. */
export function dispatchStateKey({ tenant, id }: WebhookRef): Key {
  return recordKey('webhook-lane', tenant, id);
}

/** Reads the dispatch state of a webhook. */
export async function readDispatchState(place: WebhookRef): Promise<DispatchState> {
  return DispatchState.parse((await getItem(dispatchStateKey(place))) ?? {});
}

/** Raises the enqueue counter, before the dispatcher is woken. */
export async function recordEnqueued(place: WebhookRef): Promise<void> {
  await updateOne(dispatchStateKey(place), { add: { told: 1 } }, unlocked);
}

/**
 * Acquires the dispatch lease; undefined if it is held. Leases use the machine's clock, as those of journals
 * do.
 */
export async function acquireLease(place: WebhookRef): Promise<DispatchLease | undefined> {
  const [holder, now] = [randomUUID(), Date.now()];
  const until = now + LEASE_MS;
  const isFree = any([absent('lease_until'), lessThan('lease_until', now), equals('holder', holder)]);
  const taken = await updateOne(dispatchStateKey(place), { set: { lease_until: until, holder } }, isFree);
  return taken ? { place, holder, until } : undefined;
}

/** Longest rest of a webhook. */
export const REST_MS = 10_000;

/** Returns whether a webhook rests. A longer rest than the maximum means that the clock was set back. */
export function isResting({ rests_until }: DispatchState, now: Instant): boolean {
  return rests_until != null && now < rests_until && rests_until - now <= REST_MS;
}

/** Returns whether the lease is held. */
export function isTaken({ lease_until }: DispatchState): boolean {
  return lease_until >= Date.now();
}

/** Makes an unleased webhook rest. The caller has scheduled the wake-up. */
export async function letRest(place: WebhookRef, rests_until: Instant): Promise<void> {
  await updateOne(dispatchStateKey(place), { set: { rests_until } }, unlocked);
}

/** Saves the receiver's health, unless the lease was lost. */
export async function saveHealth({ place, holder }: DispatchLease, health: Health): Promise<void> {
  await updateOne(dispatchStateKey(place), { set: { ...health } }, equals('holder', holder));
}

/** Records the time of a backlog count. */
export async function recordCountTime({ place, holder }: DispatchLease, counted_at: Instant): Promise<void> {
  await updateOne(dispatchStateKey(place), { set: { counted_at } }, equals('holder', holder));
}

/** Health of a receiver, part of the dispatch state. */
export type Health = Pick<
  DispatchState,
  'generation' | 'failures' | 'failed_tries' | 'failing_since' | 'last_delivered_at' | 'is_slow'
>;

/** Reads the receiver's health for a generation of the webhook: an earlier generation's does not count. */
export function healthIn(state: DispatchState, generation: number): Health {
  const { last_delivered_at = null } = state;
  if (state.generation !== generation) {
    const none = { failures: 0, failed_tries: 0, failing_since: null, is_slow: false };
    return { generation, ...none, last_delivered_at };
  }
  const { failures, failed_tries, failing_since = null, is_slow } = state;
  return { generation, failures, failed_tries, failing_since, is_slow, last_delivered_at };
}

/** Outcome of an attempt as far as it affects the receiver's health. */
interface AttemptResult {
  readonly isDelivered: boolean;
  readonly attempt: { readonly duration_ms: number };
}

/** Counts a success or a failure, and records whether the response was slow. Part 4, 4.2, 3. */
export function healthAfter(
  health: Health,
  { isDelivered, attempt }: AttemptResult,
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
 * Releases the lease; given an enqueue count, only if nothing was enqueued since. Returns whether it was
 * released.
 */
export function releaseLease({ place, holder }: DispatchLease, enqueued?: number): Promise<boolean> {
  const isMine = equals('holder', holder);
  const isSame = enqueued === undefined ? isMine : all([isMine, hasEnqueued(enqueued)]);
  return updateOne(dispatchStateKey(place), { unset: ['lease_until', 'holder'] }, isSame);
}

function hasEnqueued(enqueued: number) {
  return enqueued === 0 ? any([absent('told'), equals('told', 0)]) : equals('told', enqueued);
}
