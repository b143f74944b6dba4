import { newMeter, runInContext } from '#lib/table/request-context.ts';

/**
 * Does work as a call of the service does it: what it reads at one moment is one request to the table, where
 * a test that calls the domain directly makes one of each. For what sets a scene or looks at it; what is
 * killed has its calls one by one.
 */
export function asCall<T>(work: () => Promise<T>): Promise<T> {
  return runInContext({ meter: newMeter() }, work);
}
