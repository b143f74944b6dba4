import { callScope, type Meter, type TableCall } from './call-scope.ts';

/** Makes a meter that has counted nothing yet. */
export function newMeter(): Meter {
  return { calls: [], conflicts: 0, recovered: 0 };
}

/** Notes a finished call on the meter of the work that made it. */
export function note(call: TableCall): void {
  callScope().meter?.calls.push(call);
}

/** Notes that others were faster, so that the work is tried again. */
export function noteConflict(): void {
  const { meter } = callScope();
  if (meter) meter.conflicts += 1;
}

/** Notes that a large transaction was ended whose owner had left it. */
export function noteRecovery(): void {
  const { meter } = callScope();
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
export function waitingOf({ calls }: Meter): number {
  let total = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const call of calls.toSorted((a, b) => a.began - b.began)) {
    total += Math.max(0, call.ended - Math.max(call.began, reached));
    reached = Math.max(reached, call.ended);
  }
  return total;
}
