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
      await half(args.input, (input) => next({ ...args, input }));
      current.killed();
      await new Promise(() => {});
    }
    return next(args);
  },
  { step: 'initialize', priority: 'high', name: 'life', override: true },
);

/** Makes every other of a batch of statements, the last of a process: such a batch isn't made as a whole. */
async function half(input: object, send: (input: object) => Promise<unknown>): Promise<void> {
  if (!('Statements' in input) || !Array.isArray(input.Statements) || input.Statements.length < 2) return;
  await send({ ...input, Statements: input.Statements.filter((_, index) => index % 2 === 0) });
}

/** Runs work in a process that is killed after `calls` calls; tells whether it lived to the end. */
export async function withCalls(calls: number, work: () => Promise<unknown>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const ended = life.run({ left: calls, killed: () => resolve(false) }, work).then(() => true);
  return Promise.race([ended, promise]);
}
