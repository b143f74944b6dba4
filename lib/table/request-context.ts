import { AsyncLocalStorage } from 'node:async_hooks';
import type { Key } from './keys.ts';
import type { IdDraw } from './unused-ids.ts';

/*
 * What all work of a call shares without handing it on: what limits its requests to the table and counts
 * them, what they may find locked, and what everything that is written or shown must heed: headers name who
 * changed them, whatever has written them. Nothing else is ambient: whoever calls, and when, are arguments
 * wherever something is decided by them.
 */

/** One call to DynamoDB: when it began and ended (ms, monotonic) and what it cost. */
export interface TableCall {
  readonly began: number;
  readonly ended: number;
  readonly units: number;
  readonly isWrite: boolean;
}

/** The requests of one piece of work to the table so far. */
export interface Meter {
  readonly calls: TableCall[];
  /** How often others were faster, and something was tried again. */
  conflicts: number;
  /** How many large transactions were ended that their owners had left. */
  recovered: number;
}

/** The end of a call's time, and what must be seen to then. */
export interface Deadline {
  /** Milliseconds, monotonic. */
  readonly at: number;
  readonly cut: AbortController;
  /** Work that only the end of the call waits for. */
  readonly beside: Promise<unknown>[];
  /** Ids that were drawn in the call. */
  readonly drawn: IdDraw[];
  /** True once it has tried to write anything else. */
  hasWritten: boolean;
}

/** Items that a journal has taken before their changes are known. */
export interface PessimisticLock {
  readonly id: string;
  readonly keys: readonly Key[];
  /** Those of them that the work has read since, by their addresses: they are still as it has seen them. */
  readonly seen: Map<string, Record<string, unknown>>;
}

/** Ids of a counter in a row, which may still be under way. */
export interface DrawnIds {
  readonly counter: string;
  readonly count: number;
  readonly first: Promise<number>;
}

/** What all tries of some work drew, and what of it the running one has not been given yet. */
interface Tries {
  readonly drawn: DrawnIds[];
  readonly left: DrawnIds[];
  /** True once the running one has read an item of a journal that was not over. */
  hasMetJournal: boolean;
}

interface CallScope {
  readonly meter?: Meter;
  readonly deadline?: Deadline;
  /** What the work's large transaction has locked; undefined once its writes have adopted it. */
  readonly reserved?: { reservation: PessimisticLock | undefined };
  /** Ids that each try of the work is given again. */
  readonly tries?: Tries;
  /** The caller’s `If-Match`: the versions in which they have seen the record that the call changes. */
  readonly ifMatch?: string | undefined;
  /** The caller, and who acts as them, as the headers of what the call changes keep it. */
  readonly changer?: { readonly creator_id: number; readonly impersonator_id: number | null };
  /** Set if the caller may read users: then they see of colleagues what is personal, too. */
  readonly mayReadUsers?: boolean;
}

const current = new AsyncLocalStorage<CallScope>();

/** Runs work with this set in its scope, and with all that was set before. */
export function runInContext<T>(part: CallScope, work: () => T): T {
  return current.run({ ...current.getStore(), ...part }, work);
}

/** Gives the scope of the work that runs; nothing is set in it outside a call. */
export function requestContext(): CallScope {
  return current.getStore() ?? {};
}

/** Makes a meter that has counted nothing yet. */
export function newMeter(): Meter {
  return { calls: [], conflicts: 0, recovered: 0 };
}

/** Notes a finished call on the meter of the work that made it. */
export function recordTableCall(call: TableCall): void {
  requestContext().meter?.calls.push(call);
}

/** Notes that others were faster, so that the work is tried again. */
export function recordConflict(): void {
  const { meter } = requestContext();
  if (meter) meter.conflicts += 1;
}

/** Notes that a large transaction was ended whose owner had left it. */
export function recordRecovery(): void {
  const { meter } = requestContext();
  if (meter) meter.recovered += 1;
}

/** Sums the capacity units of all writes. */
export function writeUnitsOf({ calls }: Meter): number {
  return calls.reduce((sum, { units, isWrite }) => (isWrite ? sum + units : sum), 0);
}

/** Sums the capacity units of all calls. */
export function unitsOf({ calls }: Meter): number {
  return calls.reduce((sum, call) => sum + call.units, 0);
}

/**
 * Counts the calls that had to wait for one another: the longest chain in which each begins after the one
 * before ended.
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

/** Counts the milliseconds in which at least one call was under way. */
export function waitMsOf({ calls }: Meter): number {
  let total = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const call of calls.toSorted((a, b) => a.began - b.began)) {
    total += Math.max(0, call.ended - Math.max(call.began, reached));
    reached = Math.max(reached, call.ended);
  }
  return total;
}
