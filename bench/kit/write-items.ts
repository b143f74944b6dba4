import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo, type Item, tableName } from '#lib/table/client.ts';
import { pieces } from '#lib/values/pieces.ts';
import { sideBySide } from '#lib/values/side-by-side.ts';

const BATCH = 25;
const WRITERS = 16;

/** Writes items as they are, many at once. */
export async function writeItems(items: readonly Item[]): Promise<void> {
  await sideBySide(pieces(items, BATCH), WRITERS, (batch) => {
    const requests = batch.map((each) => ({ PutRequest: { Item: each } }));
    return dynamo.send(new BatchWriteCommand({ RequestItems: { [tableName()]: requests } }));
  });
}
