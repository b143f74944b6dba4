import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { tableName } from '#lib/table/client.ts';
import { all, type Expression } from '#lib/table/expression.ts';
import type { Key } from '#lib/table/keys.ts';
import { Placeholders } from '#lib/table/placeholders.ts';
import type { Change, Changes } from './change.ts';

/** One action of DynamoDB's own transactions. */
export type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Builds DynamoDB's action for a change under a condition. If that fails, the item as it was comes back. */
export function actionOf(key: Key, change: Change, conditions: readonly Expression[]): Action {
  const scope = new Placeholders();
  const place = { TableName: tableName(), ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;
  const updating = change.kind === 'update' ? updateClauses(change, scope) : '';
  const ConditionExpression = all(conditions).render(scope);
  const condition = { ConditionExpression, ...scope.parameters };
  const Key = { ...key };
  switch (change.kind) {
    case 'put':
      return { Put: { ...place, Item: { ...change.item, ...key }, ...condition } };
    case 'update':
      return { Update: { ...place, Key, UpdateExpression: updating, ...condition } };
    case 'remove':
      return { Delete: { ...place, Key, ...condition } };
    case 'check':
      return { ConditionCheck: { ...place, Key, ...condition } };
  }
}

function updateClauses({ set, add, unset }: Required<Changes>, scope: Placeholders): string {
  const sets = Object.entries(set).map(([path, value]) => `${scope.name(path)} = ${scope.value(value)}`);
  const adds = Object.entries(add).map(([path, value]) => `${scope.name(path)} ${scope.value(value)}`);
  const clauses = [
    sets.length > 0 ? `SET ${sets.join(', ')}` : '',
    unset.length > 0 ? `REMOVE ${unset.map((path) => scope.name(path)).join(', ')}` : '',
    adds.length > 0 ? `ADD ${adds.join(', ')}` : '',
  ];
  return clauses.filter(Boolean).join(' ');
}
