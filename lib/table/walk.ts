import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import { documents, type Item, tableName } from './client.ts';
import { viewOf } from './view.ts';

/** All items of a partition in the order of their keys, at most so many to a step. */
export async function* walk(pk: string, step: number): AsyncGenerator<Item[], undefined> {
  let start: QueryCommandOutput['LastEvaluatedKey'];
  for (;;) {
    const answer: QueryCommandOutput = await documents.send(
      new QueryCommand({
        TableName: tableName(),
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': pk },
        Limit: step,
        ConsistentRead: true,
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    const items = await viewOf(answer.Items ?? []);
    // A journal has ended since they were read: they are read again.
    if (!items) continue;
    yield items.filter((item) => item !== undefined);
    start = answer.LastEvaluatedKey;
    if (!start) return;
  }
}
