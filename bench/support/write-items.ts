import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo, type Item, tableName } from '#lib/table/client.ts';
import { recordKey, type Source, type Tenant } from '#lib/table/keys.ts';
import { updateIndexes } from '#lib/table/list-index/update/update.ts';
import type { RollupKind } from '#lib/table/rollups/kind.ts';
import { updateRollups } from '#lib/table/rollups/update.ts';
import { nextId } from '#lib/table/sequences.ts';
import { mapConcurrent, splitEvery } from '#lib/values/concurrency.ts';

const BATCH = 25;
const WRITERS = 16;

/** Records created per write: a million would exhaust memory. */
const STEP = 10_000;
const YEAR_MS = 365 * 86_400_000;

/** Writes items as they are, concurrently. */
export async function writeItems(items: readonly Item[]): Promise<void> {
  await mapConcurrent(splitEvery(items, BATCH), WRITERS, (batch) => {
    const requests = batch.map((each) => ({ PutRequest: { Item: each } }));
    return dynamo.send(new BatchWriteCommand({ RequestItems: { [tableName()]: requests } }));
  });
}

/** Allocates ids for a year's records, and writes one for each, the last one dated now. */
export async function loadYear(
  { type, tenant }: Source,
  count: number,
  until: number,
  recordOf: (id: number, at: number) => Item,
): Promise<void> {
  const first = await nextId(type, tenant, count);
  const ids = Array.from({ length: count }, (_, index) => first + index);
  const timeOf = (id: number) => until - ((first + count - 1 - id) * YEAR_MS) / count;
  for (const some of splitEvery(ids, STEP)) {
    await writeItems(some.map((id) => ({ ...recordKey(type, tenant, id), ...recordOf(id, timeOf(id)) })));
  }
}

/** Updates the list indexes with all writes so far. */
export async function indexLoadedItems(source: Source): Promise<void> {
  for (let isMore = true; isMore; ) isMore = (await updateIndexes(source, Date.now()))?.isMore ?? true;
}

/** Updates rollups with all writes so far. */
export async function updateRollupKinds(kinds: readonly RollupKind[], tenant: Tenant): Promise<void> {
  for (const kind of kinds) {
    for (let isMore = true; isMore; )
      isMore = (await updateRollups(kind, tenant, Date.now()))?.isMore ?? true;
  }
}
