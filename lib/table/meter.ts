import { AsyncLocalStorage } from 'node:async_hooks';

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

/** Makes a meter that has counted nothing yet. */
export function newMeter(): Meter {
  return { calls: [], conflicts: 0, recovered: 0 };
}

const current = new AsyncLocalStorage<Meter>();

/** Runs work and counts the table calls it makes: only its own, even if other work runs beside it. */
export function metered<T>(meter: Meter, work: () => T): T {
  return current.run(meter, work);
}

/** Notes a finished call on the meter of the work that made it. */
export function note(call: TableCall): void {
  current.getStore()?.calls.push(call);
}

/** Notes that others were faster, so that the work is tried again. */
export function noteConflict(): void {
  const meter = current.getStore();
  if (meter) meter.conflicts += 1;
}

/** Notes that a large transaction was ended whose owner had left it. */
export function noteRecovery(): void {
  const meter = current.getStore();
  if (meter) meter.recovered += 1;
}

/** Sums the capacity units of all writes. */
export function writtenIn({ calls }: Meter): number {
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
export function waitingOf({ calls }: Meter): number {
  let total = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const call of calls.toSorted((a, b) => a.began - b.began)) {
    total += Math.max(0, call.ended - Math.max(call.began, reached));
    reached = Math.max(reached, call.ended);
  }
  return total;
}
