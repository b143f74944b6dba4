import {
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { EXPIRY } from '#infra/table.ts';
import type { Instant } from '#lib/values/time.ts';

/** A restore of some hundred gigabytes takes hours. */
const PATIENCE_S = 24 * 3600;

const client = new DynamoDBClient({});

/** Restores a table as it was to a new one, and waits until that can be used. */
export async function restoreTable(source: string, target: string, at: Instant): Promise<void> {
  await client.send(
    new RestoreTableToPointInTimeCommand({
      SourceTableName: source,
      TargetTableName: target,
      RestoreDateTime: new Date(at),
    }),
  );
  await waitForTable(target);
}

async function waitForTable(TableName: string): Promise<void> {
  await waitUntilTableExists({ client, maxWaitTime: PATIENCE_S, minDelay: 1 }, { TableName });
}

/** Sets what a restore leaves at its defaults, as `infra/table.ts` sets it for the stack's table. */
export async function finishRestored(TableName: string, isProtected: boolean): Promise<void> {
  const TimeToLiveSpecification = { AttributeName: EXPIRY, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  if (!isProtected) return;
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
  await waitForTable(TableName);
}
