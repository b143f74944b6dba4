import { AsyncLocalStorage } from 'node:async_hooks';

/** One call to DynamoDB: when it began and ended (ms, monotonic) and what it cost. */
export interface Call {
  readonly began: number;
  readonly ended: number;
  readonly units: number;
}

/** What one piece of work has asked of the table so far. */
export interface Meter {
  readonly calls: Call[];
}

const current = new AsyncLocalStorage<Meter>();

/** Runs some work and keeps count of the table calls it makes, its own only, whatever runs beside it. */
export function metered<T>(meter: Meter, work: () => T): T {
  return current.run(meter, work);
}

/** Notes a finished call on the meter of the work that made it. */
export function note(call: Call): void {
  current.getStore()?.calls.push(call);
}

/** Capacity units of all calls together. */
export function unitsOf({ calls }: Meter): number {
  return calls.reduce((sum, call) => sum + call.units, 0);
}

/** How many calls had to wait for one another: the longest chain in which each begins after the one before has ended. */
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

/** Milliseconds in which at least one call was under way. */
export function waitingOf({ calls }: Meter): number {
  let total = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const call of calls.toSorted((a, b) => a.began - b.began)) {
    total += Math.max(0, call.ended - Math.max(call.began, reached));
    reached = Math.max(reached, call.ended);
  }
  return total;
}
