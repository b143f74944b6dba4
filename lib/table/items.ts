import { BatchGetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { pieces } from '#lib/values/pieces.ts';
import { backOff } from './busy.ts';
import { dynamo, type Item, tableName } from './client.ts';
import { addressOf, type Key } from './keys.ts';

const BATCH = 100;
const ATTEMPTS = 8;

/**
 * Reads the items at the keys as they are in the table, locks and all, each in its key's place. One round
 * trip for any number, a hundred to a batch, all batches at once. Only the journal wants them so; everyone
 * else calls `getItems`.
 */
export async function getRawItems(keys: readonly (Key | undefined)[]): Promise<(Item | undefined)[]> {
  const wanted = keys.filter((key) => key !== undefined);
  const distinct = [...new Map(wanted.map((key) => [addressOf(key), key])).values()];
  const batches = await Promise.all(pieces(distinct, BATCH).map(getBatch));
  const found = new Map(batches.flat().map((item) => [addressOf(item), item]));
  return keys.map((key) => key && found.get(addressOf(key)));
}

async function getBatch(keys: Key[]): Promise<Item[]> {
  const items: Item[] = [];
  let wanted: Record<string, unknown>[] = keys.map(({ pk, sk }) => ({ pk, sk }));
  for (let attempt = 0; wanted.length > 0; attempt++) {
    if (attempt === ATTEMPTS) throw new Error('The table left a batch of reads unfinished');
    if (attempt > 0) await backOff(attempt);
    const answer = await dynamo.send(
      new BatchGetCommand({ RequestItems: { [tableName()]: { Keys: wanted, ConsistentRead: true } } }),
    );
    items.push(...(answer.Responses?.[tableName()] ?? []));
    wanted = answer.UnprocessedKeys?.[tableName()]?.Keys ?? [];
  }
  return items;
}

/** Reads all items of a partition as they are in the table, locks and all. */
export async function partitionItems(pk: string): Promise<Item[]> {
  const input = {
    TableName: tableName(),
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  };
  const found: Item[] = [];
  for await (const { Items = [] } of paginateQuery({ client: dynamo }, input)) found.push(...Items);
  return found;
}
