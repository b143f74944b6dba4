import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { dynamo, tableName } from '#lib/table/client.ts';
import { LOCK, lockOf } from '#lib/table/items.ts';
import { isStanding, ownerStateOf } from '#lib/table/journal/standing.ts';
import { readHeader } from '#lib/table/journal/store.ts';
import { type Key, keyOfItem } from '#lib/table/keys.ts';

/** A large transaction that has not ended: no fault, as readers see through it and writers end it. */
export interface Leftover {
  readonly id: string;
  /** `preparing`, `committed` …; undefined if it is gone, which should not be. */
  readonly state: string | undefined;
  readonly items: readonly Key[];
}

/** Finds the large transactions that still hold items, of all families. It scans the table. */
export async function leftovers(): Promise<Leftover[]> {
  const held = new Map<string, Key[]>();
  const names = { '#pk': 'pk', '#sk': 'sk', '#mark': LOCK };
  const scan = {
    TableName: tableName(),
    FilterExpression: 'attribute_exists(#mark)',
    ProjectionExpression: '#pk, #sk, #mark',
    ExpressionAttributeNames: names,
    ConsistentRead: true,
  };
  for await (const { Items = [] } of paginateScan({ client: dynamo }, scan)) {
    for (const item of Items) {
      const id = lockOf(item) ?? '';
      held.set(id, [...(held.get(id) ?? []), keyOfItem(item)]);
    }
  }
  return Promise.all(
    [...held].map(async ([id, items]) => {
      const state = isStanding(id) ? await ownerStateOf(id) : (await readHeader(id))?.state;
      return { id, items, state };
    }),
  );
}
