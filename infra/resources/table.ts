import { Stack } from 'aws-cdk-lib';
import { AttributeType, BillingMode, type ITable, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Stage } from '#infra/stage.ts';

/** An item may go by itself at this time. */
export const EXPIRY = 'expires_at';

/** The service's table: the stack's own, or another, which `-c TABLE` names. */
export type TableInUse = Table | ITable;

/**
 * Adds the one table, and chooses the one in use. A restored table is used in the stack's place, which stays:
 * nothing is deleted by a swap, and it can be taken back. Either has a stream, which one function follows.
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
