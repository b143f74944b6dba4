import { AsyncLocalStorage } from 'node:async_hooks';
import { dynamo } from '#lib/table/client.ts';

/** Another action during work: before its call to the table with an index from 0. */
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
 * Does work, and another action just before its call of an index; returns whether the work made that call.
 * Both have ended then: work with concurrent calls may observe effects of the other before that.
 */
export async function meanwhile<T>(call: number, other: () => Promise<unknown>, work: () => Promise<T>) {
  const interruption: Interruption = { left: call, other };
  const made = await current.run(interruption, work);
  await interruption.begun;
  return { made, isMet: interruption.left < 0 };
}
