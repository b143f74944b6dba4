import { setTimeout as pause } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  DynamoDBServiceException,
  ResourceInUseException,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';

/** Only ends hung calls: engines respond within milliseconds, Java's on a busy machine within seconds. */
const PATIENCE_MS = 120_000;

const STREAM = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;

/**
 * Returns whether the table has a stream here: processes that write for minutes and never depend on the
 * stream, as most tests do, need no consumer working beside them.
 */
export function isFollowedHere(): boolean {
  return !process.env['WITHOUT_STREAM'];
}

/** Creates the service's table as soon as the database responds; an existing one only gets a stream. */
export async function createTable(
  endpoint: string,
  table: string,
  isFollowed = isFollowedHere(),
): Promise<void> {
  const client = new DynamoDBClient({ endpoint, maxAttempts: 1 });
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      await client.send(
        new CreateTableCommand({
          TableName: table,
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: ['pk', 'sk'].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
          KeySchema: [
            { AttributeName: 'pk', KeyType: 'HASH' },
            { AttributeName: 'sk', KeyType: 'RANGE' },
          ],
          ...(isFollowed && { StreamSpecification: STREAM }),
        }),
      );
      return;
    } catch (error) {
      if (error instanceof ResourceInUseException) return letFollow(client, table);
      if (error instanceof DynamoDBServiceException) throw error;
      if (Date.now() > deadline)
        throw new Error('The local table did not answer within two minutes.', { cause: error });
      await pause(20);
    }
  }
}

/** Enables the stream of an older table without one. */
async function letFollow(client: DynamoDBClient, TableName: string): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  if (Table?.StreamSpecification?.StreamEnabled) return;
  await client.send(new UpdateTableCommand({ TableName, StreamSpecification: STREAM }));
}
