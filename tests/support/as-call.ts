import { newMeter, runInContext } from '#lib/table/request-context.ts';

/**
 * Runs work in the context of a service call: its concurrent reads are one request to the table, where a test
 * that calls the domain directly makes one of each. For preparing or inspecting a scene; work under crash
 * tests makes its calls one by one.
 */
export function asCall<T>(work: () => Promise<T>): Promise<T> {
  return runInContext({ meter: newMeter() }, work);
}
