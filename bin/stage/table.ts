import {
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { placeIn } from './stack.ts';

const client = new DynamoDBClient({});

/** Reads what a table is; undefined if there is none of the name. */
export async function describeTable(TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** Tells in which account and region the table in use is. */
export async function placeOfTable(): Promise<string> {
  return placeIn((await describeTable(process.env['TABLE_NAME'] ?? ''))?.TableArn);
}
