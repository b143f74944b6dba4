import {
  type AttributeValue,
  BatchWriteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import * as z from 'zod';
import { createTable } from '#bin/local/database/table.ts';
import type { Key } from '#lib/table/keys.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { type ReceivedCall, serveBefore } from './endpoint.ts';

type StoredItem = Record<string, AttributeValue>;

const Restore = z.object({
  SourceTableName: z.string(),
  TargetTableName: z.string(),
  RestoreDateTime: z.number(),
});

const Backups = z.object({
  TableName: z.string(),
  PointInTimeRecoverySpecification: z.object({ PointInTimeRecoveryEnabled: z.boolean() }),
});

/**
 * Serves the operations that DynamoDB Local lacks: a restore copies the table's items to a new one, and
 * continuous backups are recorded.
 */
export async function serveRestores() {
  const local = inject('settings')['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
  const client = new DynamoDBClient({ endpoint: local });
  const restored = new Map<string, { readonly source: string; readonly at: number }>();
  const recoverable = new Map<string, boolean>();
  /** An item that a restore leaves out, if its table's books are not to add up. */
  const state: { left?: Key | undefined } = {};

  async function answer({ operation, body }: ReceivedCall): Promise<string | undefined> {
    if (operation === 'RestoreTableToPointInTime') return copy(Restore.parse(JSON.parse(body)));
    if (operation === 'DescribeTable')
      return describe(z.object({ TableName: z.string() }).parse(JSON.parse(body)));
    if (operation !== 'UpdateContinuousBackups') return undefined;
    const { TableName, PointInTimeRecoverySpecification } = Backups.parse(JSON.parse(body));
    recoverable.set(TableName, PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled);
    return '{}';
  }

  async function copy({
    SourceTableName: source,
    TargetTableName: target,
    RestoreDateTime,
  }: z.output<typeof Restore>) {
    // A restored table has no stream.
    await createTable(local, target, false);
    for await (const { Items = [] } of paginateScan({ client }, { TableName: source })) {
      const { pk, sk } = state.left ?? {};
      await fill(
        target,
        Items.filter((item) => item['pk']?.S !== pk || item['sk']?.S !== sk),
      );
    }
    restored.set(target, { source, at: RestoreDateTime });
    return '{}';
  }

  async function describe({ TableName }: { readonly TableName: string }) {
    const from = restored.get(TableName);
    if (!from) return undefined;
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    const { TableStatus, DeletionProtectionEnabled, StreamSpecification, LatestStreamLabel } = Table ?? {};
    const told = {
      TableName,
      TableStatus,
      DeletionProtectionEnabled,
      StreamSpecification,
      LatestStreamLabel,
    };
    const RestoreSummary = {
      SourceTableArn: `arn:aws:dynamodb:us-east-1:000000000000:table/${from.source}`,
      RestoreDateTime: from.at,
      RestoreInProgress: false,
    };
    return JSON.stringify({ Table: { ...told, RestoreSummary } });
  }

  async function fill(table: string, items: readonly StoredItem[]): Promise<void> {
    for (const batch of splitEvery(items, 25)) {
      const requests = batch.map((Item) => ({ PutRequest: { Item } }));
      await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: requests } }));
    }
  }

  return { ...(await serveBefore(local, answer)), state, restored, recoverable };
}
