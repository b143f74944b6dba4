import * as z from 'zod';
import { dynamo } from '#lib/table/client.ts';
import { chooseEngine } from './engine.ts';

const Batch = z.object({ RequestItems: z.record(z.string(), z.object({ Keys: z.array(z.unknown()) })) });

const Batched = z.object({
  Responses: z.record(z.string(), z.array(z.unknown())).default({}),
  UnprocessedKeys: z.record(z.string(), z.object({ Keys: z.array(z.unknown()).default([]) })).default({}),
  ConsumedCapacity: z.array(z.unknown()).default([]),
});

const Queried = z.object({ Count: z.int(), ConsumedCapacity: z.object({ CapacityUnits: z.number() }) });

/**
 * Counts units that AWS bills and DynamoDB Local omits: one for each missing item of a batch read, and for a
 * query without results. All reads of the service are consistent. Dynoxide counts them itself: with it, this
 * does nothing.
 */
export function billMissing(): void {
  if (chooseEngine().name !== 'dynamodb-local') return;
  dynamo.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        if (commandName === 'QueryCommand') Object.assign(result.output, billOfQuery(result.output));
        if (commandName === 'BatchGetCommand')
          Object.assign(result.output, billOfBatch(args.input, result.output));
        return result;
      },
    { step: 'initialize', priority: 'low', name: 'missing', override: true },
  );
}

function billOfQuery(output: unknown) {
  const { Count, ConsumedCapacity } = Queried.parse(output);
  return Count === 0 && ConsumedCapacity.CapacityUnits === 0
    ? { ConsumedCapacity: { CapacityUnits: 1 } }
    : {};
}

function billOfBatch(input: unknown, output: unknown) {
  const batch = Batch.parse(input);
  const { Responses, UnprocessedKeys, ConsumedCapacity } = Batched.parse(output);
  const left = Object.values(UnprocessedKeys).flatMap(({ Keys }) => Keys);
  const keys = Object.values(batch.RequestItems).flatMap(({ Keys }) => Keys);
  const CapacityUnits = keys.length - left.length - Object.values(Responses).flat().length;
  return { ConsumedCapacity: [...ConsumedCapacity, { CapacityUnits }] };
}
