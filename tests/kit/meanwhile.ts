import { AsyncLocalStorage } from 'node:async_hooks';
import { dynamo } from '#lib/table/client.ts';

/** Something else that happens while work goes on: before its call to the table of a number, from 0. */
interface Interruption {
  left: number;
  readonly other: () => Promise<unknown>;
}

const current = new AsyncLocalStorage<Interruption | undefined>();

dynamo.middlewareStack.add(
  (next) => async (args) => {
    const interruption = current.getStore();
    if (interruption && interruption.left-- === 0) await current.run(undefined, interruption.other);
    return next(args);
  },
  { step: 'initialize', priority: 'high', name: 'meanwhile', override: true },
);

/** Does work, and something else just before its call of a number; tells whether the work made so many. */
export async function meanwhile<T>(call: number, other: () => Promise<unknown>, work: () => Promise<T>) {
  const interruption = { left: call, other };
  const made = await current.run(interruption, work);
  return { made, isMet: interruption.left < 0 };
}
