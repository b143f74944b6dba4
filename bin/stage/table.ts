import {
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { placeIn } from './stack.ts';

const client = new DynamoDBClient({});

/** Returns the description of a table; undefined if it does not exist. */
export async function describeTable(TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** Returns the account and region of the table in use. */
export async function placeOfTable(): Promise<string> {
  return placeIn((await describeTable(process.env['TABLE_NAME'] ?? ''))?.TableArn);
}
