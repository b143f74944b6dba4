import * as z from 'zod';
import { dynamo } from '#lib/table/client.ts';

const Batch = z.object({ RequestItems: z.record(z.string(), z.object({ Keys: z.array(z.unknown()) })) });

const Batched = z.object({
  Responses: z.record(z.string(), z.array(z.unknown())).default({}),
  UnprocessedKeys: z.record(z.string(), z.object({ Keys: z.array(z.unknown()).default([]) })).default({}),
  ConsumedCapacity: z.array(z.unknown()).default([]),
});

const Queried = z.object({
  Count: z.literal(0),
  ConsumedCapacity: z.object({ CapacityUnits: z.literal(0) }),
});

/**
 * Counts what AWS bills and DynamoDB Local leaves out: a unit for each item that is read and is not there,
 * and for a query that finds nothing. All reads of the house are consistent.
 */
export function billMissing(): void {
  dynamo.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      Object.assign(result.output, billOf(args.input, result.output));
      return result;
    },
    { step: 'initialize', priority: 'low', name: 'missing', override: true },
  );
}

function billOf(input: unknown, output: unknown) {
  if (Queried.safeParse(output).success) return { ConsumedCapacity: { CapacityUnits: 1 } };
  const asked = Batch.safeParse(input).data;
  if (!asked) return {};
  const { Responses, UnprocessedKeys, ConsumedCapacity } = Batched.parse(output);
  const left = Object.values(UnprocessedKeys).flatMap(({ Keys }) => Keys);
  const keys = Object.values(asked.RequestItems).flatMap(({ Keys }) => Keys);
  const CapacityUnits = keys.length - left.length - Object.values(Responses).flat().length;
  return { ConsumedCapacity: [...ConsumedCapacity, { CapacityUnits }] };
}
