import { AsyncLocalStorage } from 'node:async_hooks';
import type { Key } from './keys.ts';
import type { IdDraw } from './unused-ids.ts';

/*
 * Per-request context (AsyncLocalStorage): deadline, table usage, pessimistic lock, retry state, `If-Match`,
 * the stamp of the caller in the headers that it changes, whether it may read users, and whether costs are
 * hidden from it. Nothing else is ambient: caller and time are arguments of all functions that decide by
 * them.
 */

/** One request to DynamoDB: its start and end (ms, monotonic) and its cost in capacity units. */
export interface TableCall {
  readonly began: number;
  readonly ended: number;
  readonly units: number;
  readonly isWrite: boolean;
}

/** Table usage of a piece of work so far. */
export interface Meter {
  readonly calls: TableCall[];
  /** Retries after contention. */
  conflicts: number;
  /** Large transactions recovered after their owners had left them. */
  recovered: number;
}

/** The end of a call's time, and the work to finish by then. */
export interface Deadline {
  /** Milliseconds, monotonic. */
  readonly at: number;
  readonly cut: AbortController;
  /** Background work, awaited at the end of the call. */
  readonly background: Promise<unknown>[];
  /** Ids drawn by the call. */
  readonly drawn: IdDraw[];
  /** True once it has attempted any other write. */
  hasWritten: boolean;
}

/** Items locked by a journal before their changes are known. */
export interface PessimisticLock {
  readonly id: string;
  readonly keys: readonly Key[];
  /** Those of them that the work has read since, by their addresses: they can't have changed. */
  readonly seen: Map<string, Record<string, unknown>>;
}

/** A range of ids drawn from a counter, which may still be in progress. */
export interface DrawnIds {
  readonly counter: string;
  readonly count: number;
  readonly first: Promise<number>;
}

/** The draws of all attempts of a piece of work, and those that the current attempt has not reused yet. */
interface RetryState {
  readonly drawn: DrawnIds[];
  readonly left: DrawnIds[];
  /** True once the current attempt has read an item of an active journal. */
  hasMetJournal: boolean;
}

interface RequestContext {
  readonly meter?: Meter;
  readonly deadline?: Deadline;
  /** The items under the work's pessimistic lock; undefined once its writes have adopted it. */
  readonly reserved?: { reservation: PessimisticLock | undefined };
  /** Ids that each attempt of the work reuses. */
  readonly tries?: RetryState;
  /** Set in work that writes nothing: all its ids are 0. */
  readonly drawsNoIds?: true;
  /** The caller's `If-Match`: versions of the changed record that the caller has seen. */
  readonly ifMatch?: string | undefined;
  /** The caller and the impersonator, for the headers of changed records. */
  readonly changer?: { readonly creator_id: number; readonly impersonator_id: number | null };
  /** Set if the caller may read users, and so sees the personal data of colleagues. */
  readonly mayReadUsers?: boolean;
  /** Set if the caller may not see what goods cost. */
  readonly hidesCosts?: boolean;
}

const current = new AsyncLocalStorage<RequestContext>();

/** Runs work with these values added to its context. */
export function runInContext<T>(part: RequestContext, work: () => T): T {
  return current.run({ ...current.getStore(), ...part }, work);
}

/** Returns the context of the running work; empty outside a call. */
export function requestContext(): RequestContext {
  return current.getStore() ?? {};
}

/** Returns a meter at zero. */
export function newMeter(): Meter {
  return { calls: [], conflicts: 0, recovered: 0 };
}

/** Records a finished request on the meter of its work. */
export function recordTableCall(call: TableCall): void {
  requestContext().meter?.calls.push(call);
}

/** Records a retry after contention. */
export function recordConflict(): void {
  const { meter } = requestContext();
  if (meter) meter.conflicts += 1;
}

/** Records the recovery of a large transaction that its owner had left. */
export function recordRecovery(): void {
  const { meter } = requestContext();
  if (meter) meter.recovered += 1;
}

/** Sums the capacity units of all writes. */
export function writeUnitsOf({ calls }: Meter): number {
  return calls.reduce((sum, { units, isWrite }) => (isWrite ? sum + units : sum), 0);
}

/** Sums the capacity units of all requests. */
export function unitsOf({ calls }: Meter): number {
  return calls.reduce((sum, call) => sum + call.units, 0);
}

/**
 * Counts sequential round trips: the longest chain of requests in which each begins after the one before has
 * ended.
 */
export function roundTripsOf({ calls }: Meter): number {
  let trips = 0;
  let free = Number.NEGATIVE_INFINITY;
  for (const call of calls.toSorted((a, b) => a.ended - b.ended)) {
    if (call.began < free) continue;
    trips += 1;
    free = call.ended;
  }
  return trips;
}

/** Sums the milliseconds in which at least one request was in progress. */
export function waitMsOf({ calls }: Meter): number {
  let total = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const call of calls.toSorted((a, b) => a.began - b.began)) {
    total += Math.max(0, call.ended - Math.max(call.began, reached));
    reached = Math.max(reached, call.ended);
  }
  return total;
}
