import { bytesOf } from '#lib/table/change/write.ts';
import { dynamo } from '#lib/table/client.ts';
import { getRawItems } from '#lib/table/items.ts';
import { type Key, keyOfItem } from '#lib/table/keys.ts';

/** A write: its size if it is known from the request, and its units per kilobyte. */
interface Sent {
  readonly key: Key;
  readonly bytes: number | undefined;
  readonly factor: 1 | 2;
}

/**
 * Counts the write units that AWS bills for some work: each item separately, by the kilobyte, double in a
 * transaction. They are computed from the requests, whichever engine serves the table. Dynoxide's own figures
 * would do for the sum, and count an item that is deleted or shrinks by its former size; but no engine
 * reports partitions, and DynamoDB Local's figures of transactions are of little use.
 */
export async function countWriteUnits(work: () => Promise<unknown>): Promise<number> {
  return (await countUnits(work)).written_units;
}

/** Counts both: all units, and those on the busiest partition key. */
export async function countUnits(
  work: () => Promise<unknown>,
): Promise<{ readonly written_units: number; readonly hottest: number }> {
  const billed = [...(await unitsByPartition(work)).values()];
  return { written_units: billed.reduce((sum, units) => sum + units, 0), hottest: Math.max(0, ...billed) };
}

/** Counts the same by partition key: each is limited to a thousand units a second. */
export async function unitsByPartition(work: () => Promise<unknown>): Promise<Map<string, number>> {
  const sent: Sent[] = [];
  const tokens = new Set<unknown>();
  dynamo.middlewareStack.add(
    (next) => (args) => {
      const token: unknown = Object(args.input).ClientRequestToken;
      // A transaction whose response was late is retried, and executed once.
      if (!tokens.has(token)) sent.push(...writesIn(args.input));
      if (token !== undefined) tokens.add(token);
      return next(args);
    },
    { step: 'initialize', name: 'billed', override: true },
  );
  await work();
  dynamo.middlewareStack.remove('billed');
  const items = await getRawItems(sent.map(({ key }) => key));
  const billed = new Map<string, number>();
  for (const [index, { key, bytes, factor }] of sent.entries()) {
    const size = bytes ?? bytesOf(items[index] ?? {});
    billed.set(key.pk, (billed.get(key.pk) ?? 0) + factor * Math.max(1, Math.ceil(size / 1024)));
  }
  return billed;
}

/**
 * Returns whether an update locks an item that does not exist yet: it creates one with its key and a lock.
 */
function makesPlaceholder(input: object): boolean {
  return 'ConditionExpression' in input && String(input.ConditionExpression).includes('not_exists(#pk)');
}

function writesIn(input: object): Sent[] {
  if ('TransactItems' in input && Array.isArray(input.TransactItems)) {
    return input.TransactItems.flatMap((action: object) => Object.values(action)).flatMap((action: object) =>
      writesIn(action).map((each) => ({ ...each, factor: 2 }) as const),
    );
  }
  if ('Item' in input) {
    const item = Object(input.Item);
    return [{ key: keyOfItem(item), bytes: bytesOf(item), factor: 1 }];
  }
  if (!('Key' in input)) return [];
  const bytes = makesPlaceholder(input) ? 1 : undefined;
  return [{ key: keyOfItem(Object(input.Key)), bytes, factor: 1 }];
}
