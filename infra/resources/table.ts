import { AttributeType, BillingMode, type ITable, Table } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Stage } from '#infra/stage.ts';

/** An item may go by itself at this time. */
export const EXPIRY = 'expires_at';

/** The service's table: the stack's own, or another, which `-c TABLE` names. */
export type TableInUse = Table | ITable;

/**
 * Adds the one table, and chooses the one in use. A restored table is used in the stack's place, which stays:
 * nothing is deleted by a swap, and it can be taken back. Nobody reads a stream, so there is none.
 */
export function addTable(scope: Construct, stage: Stage): TableInUse {
  const own = addOwnTable(scope, stage);
  return stage.table === undefined ? own : Table.fromTableName(scope, 'TableInUse', stage.table);
}

function addOwnTable(scope: Construct, { isProtected, removal }: Stage): Table {
  return new Table(scope, 'Table', {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    timeToLiveAttribute: EXPIRY,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: isProtected,
    removalPolicy: removal,
  });
}
