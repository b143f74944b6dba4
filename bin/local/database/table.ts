import { setTimeout as pause } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  DynamoDBServiceException,
  ResourceInUseException,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';

/** Only ends what hangs: engines answer within milliseconds, Java's on a busy machine within seconds. */
const PATIENCE_MS = 120_000;

const STREAM = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;

/**
 * Tells whether the table has a stream here: what writes for minutes and waits for nothing that the stream
 * tells, as most tests do, needs no follower to do its work beside it.
 */
export function isFollowedHere(): boolean {
  return !process.env['WITHOUT_STREAM'];
}

/**
 * Makes a table as the service's is, as soon as the database answers; an existing one only gets a stream.
 */
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

/** Switches on the stream of a table that was made before there was one. */
async function letFollow(client: DynamoDBClient, TableName: string): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  if (Table?.StreamSpecification?.StreamEnabled) return;
  await client.send(new UpdateTableCommand({ TableName, StreamSpecification: STREAM }));
}
