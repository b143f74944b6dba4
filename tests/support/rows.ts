import { randomInt, randomUUID } from 'node:crypto';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo, type Item, tableName } from '#lib/table/client.ts';
import { recordKey, type Source, userTenant } from '#lib/table/keys.ts';
import { mapConcurrent, splitEvery } from '#lib/values/concurrency.ts';

/** A row of a list, as the table holds it. */
export type ListRow = Item & { readonly id: number; readonly created_at: number };

const BATCH = 25;
const WRITERS = 8;

/** Of no user that there is. */
const [FIRST_HOME, LAST_HOME] = [1_000_000_000, 2_000_000_000];

/**
 * Returns a source of rows for one test, in a tenant of its own: resetting a scene resets its counters.
 * Allocate their ids with `nextId`.
 */
export function newSource(indexes: readonly string[] = []): Source {
  return { type: randomUUID(), tenant: userTenant(randomInt(FIRST_HOME, LAST_HOME)), indexes };
}

/** Writes rows as they are, many at once. */
export async function writeRows({ type, tenant }: Source, rows: readonly ListRow[]): Promise<void> {
  await mapConcurrent(splitEvery(rows, BATCH), WRITERS, (batch) => {
    const requests = batch.map((row) => ({
      PutRequest: { Item: { ...row, ...recordKey(type, tenant, row.id) } },
    }));
    return dynamo.send(new BatchWriteCommand({ RequestItems: { [tableName()]: requests } }));
  });
}
