import { AsyncLocalStorage } from 'node:async_hooks';
import { dynamo } from '#lib/table/client.ts';

// A process that may make some more calls to DynamoDB and is then killed: the next call never comes back.
interface Life {
  left: number;
  readonly killed: () => void;
}

const life = new AsyncLocalStorage<Life>();

dynamo.middlewareStack.add(
  (next) => async (args) => {
    const current = life.getStore();
    if (current && current.left-- <= 0) {
      current.killed();
      await new Promise(() => {});
    }
    return next(args);
  },
  { step: 'initialize', priority: 'high', name: 'life', override: true },
);

/** Runs work in a process that is killed after `calls` calls; returns whether it survived to the end. */
export async function withCalls(calls: number, work: () => Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const ended = life.run({ left: calls, killed: () => resolve(false) }, work).then(() => true);
  return Promise.race([ended, promise]);
}
