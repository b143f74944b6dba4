import { AsyncLocalStorage } from 'node:async_hooks';
import { dynamo } from '#lib/table/client.ts';

/** Something else that happens while work goes on: before its call to the table of a number, from 0. */
interface Interruption {
  left: number;
  readonly other: () => Promise<unknown>;
  begun?: Promise<unknown>;
}

const current = new AsyncLocalStorage<Interruption | undefined>();

dynamo.middlewareStack.add(
  (next) => async (args) => {
    const interruption = current.getStore();
    if (interruption && interruption.left-- === 0) {
      interruption.begun = current.run(undefined, interruption.other);
      await interruption.begun;
    }
    return next(args);
  },
  { step: 'initialize', priority: 'high', name: 'meanwhile', override: true },
);

/**
 * Does work, and something else just before its call of a number; tells whether the work made so many. Both
 * have ended then: work that calls side by side may be told of what the other does before that is.
 */
export async function meanwhile<T>(call: number, other: () => Promise<unknown>, work: () => Promise<T>) {
  const interruption: Interruption = { left: call, other };
  const made = await current.run(interruption, work);
  await interruption.begun;
  return { made, isMet: interruption.left < 0 };
}
