import { AsyncLocalStorage } from 'node:async_hooks';
import * as z from 'zod';
import { dynamo, type Item } from '#lib/table/client.ts';

/** Another action between two items of the first read of several. */
interface Tear {
  other: (() => Promise<unknown>) | undefined;
}

const Answer = z.object({
  Responses: z.record(z.string(), z.array(z.custom<Item>((item) => typeof item === 'object'))),
});

const current = new AsyncLocalStorage<Tear | undefined>();

dynamo.middlewareStack.add(
  (next) => async (args) => {
    const tear = current.getStore();
    const { other } = tear ?? {};
    const [[table, { Keys: [first, ...rest] = [], ...how } = {}] = ['', {}]] =
      'RequestItems' in args.input ? Object.entries(args.input.RequestItems ?? {}) : [];
    if (!tear || !other || !first || rest.length === 0) return next(args);
    tear.other = undefined;
    const read = (keys: object[]) =>
      next({ ...args, input: { ...args.input, RequestItems: { [table]: { ...how, Keys: keys } } } });
    const before = await read([first]);
    await current.run(undefined, other);
    const after = await read(rest);
    const items = [before, after].flatMap(({ output }) => Answer.parse(output).Responses[table] ?? []);
    return { ...after, output: { ...after.output, Responses: { [table]: items } } };
  },
  { step: 'initialize', priority: 'high', name: 'torn', override: true },
);

/**
 * Does work whose first read of several items is torn: the first of them is read before something else is
 * done, all others after it, as a read of many is no snapshot.
 */
export function withTornRead<T>(other: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  return current.run({ other }, work);
}
