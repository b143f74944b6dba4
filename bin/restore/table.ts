import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { EXPIRY } from '#infra/resources/table.ts';
import type { Instant } from '#lib/values/time.ts';

/** A restore of some hundred gigabytes takes hours. */
const PATIENCE_S = 24 * 3600;

const client = new DynamoDBClient({});

/**
 * Restores a table as it was to a new one, and waits until that can be used. One that was begun before, by a
 * program that was cut off, is waited for.
 */
export async function restoreTable(source: string, target: string, at: Instant): Promise<void> {
  const found = await describe(target);
  if (found) requireRestored(found, source, at);
  else {
    await client.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName: source,
        TargetTableName: target,
        RestoreDateTime: new Date(at),
      }),
    );
  }
  await waitForTable(target);
}

function requireRestored(found: TableDescription, source: string, at: Instant): void {
  const { SourceTableArn, RestoreDateTime } = found.RestoreSummary ?? {};
  if (SourceTableArn?.endsWith(`:table/${source}`) && RestoreDateTime?.getTime() === at) return;
  throw new Error(
    `${found.TableName} is there, and is not ${source} as of that minute: choose another name.`,
  );
}

/** Tells whether a table is protected from deletion. */
export async function isProtected(table: string): Promise<boolean> {
  return (await describe(table))?.DeletionProtectionEnabled ?? false;
}

async function describe(TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

async function waitForTable(TableName: string): Promise<void> {
  await waitUntilTableExists({ client, maxWaitTime: PATIENCE_S, minDelay: 1 }, { TableName });
}

/**
 * Sets what a restore leaves at its defaults, as `infra/resources/table.ts` sets it for the stack's table.
 * What is set already DynamoDB would refuse to set again.
 */
export async function finishRestored(TableName: string, isToBeProtected: boolean): Promise<void> {
  if (!(await expires(TableName))) {
    const TimeToLiveSpecification = { AttributeName: EXPIRY, Enabled: true };
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  }
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  if (!isToBeProtected || (await isProtected(TableName))) return;
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
  await waitForTable(TableName);
}

async function expires(TableName: string): Promise<boolean> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  return TimeToLiveDescription?.TimeToLiveStatus?.startsWith('ENABL') ?? false;
}
