import { Stack } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Stage } from '#infra/stage.ts';

/** Attribute with the expiry time of an item. */
export const EXPIRY = 'expires_at';

/** The service's table: the stack's own, or another one set by `-c TABLE`. */
export type TableInUse = Table | ITable;

/**
 * Adds the table, and chooses the one in use. A restored table replaces the stack's own, which is retained: a
 * swap deletes nothing and can be reverted. Either has a stream with one consumer.
 */
export function addTable(scope: Construct, stage: Stage): TableInUse {
  const own = addOwnTable(scope, stage);
  if (stage.table === undefined) return own;
  const { name: tableName, stream } = stage.table;
  const tableStreamArn = Stack.of(scope).formatArn({
    service: 'dynamodb',
    resource: 'table',
    resourceName: `${tableName}/stream/${stream}`,
  });
  return Table.fromTableAttributes(scope, 'TableInUse', { tableName, tableStreamArn });
}

function addOwnTable(scope: Construct, { isProtected, removal }: Stage): Table {
  return new Table(scope, 'Table', {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    timeToLiveAttribute: EXPIRY,
    stream: StreamViewType.NEW_AND_OLD_IMAGES,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: isProtected,
    removalPolicy: removal,
  });
}
