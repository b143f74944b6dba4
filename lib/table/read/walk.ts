import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { dynamo, type Item, tableName } from '#lib/table/client.ts';
import { newReadView, visibleItems } from './get.ts';

/** Reads all items of a partition in the order of their keys, `step` or a megabyte at a time. */
export async function* walk(
  pk: string,
  step?: number,
  isDescending = false,
): AsyncGenerator<Item[], undefined> {
  const sight = newReadView();
  let start: QueryCommandOutput['LastEvaluatedKey'];
  for (;;) {
    const answer: QueryCommandOutput = await dynamo.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        ...(step !== undefined && { Limit: step }),
        ScanIndexForward: !isDescending,
        ConsistentRead: true,
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    const items = await visibleItems(answer.Items ?? [], sight);
    if (!items) continue;
    yield items.filter((item) => item !== undefined);
    start = answer.LastEvaluatedKey;
    if (!start) return;
  }
}

/** Reads all items of a small partition. One round trip for each megabyte. */
export async function wholePartition(pk: string): Promise<Item[]> {
  const whole: Item[] = [];
  for await (const items of walk(pk)) whole.push(...items);
  return whole;
}
