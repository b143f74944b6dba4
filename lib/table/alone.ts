import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { documents, tableName } from './client.ts';
import { type Expression, Placeholders } from './expression.ts';
import type { Key } from './keys.ts';
import { type Changes, updateClauses } from './write.ts';

/**
 * Changes one item that no transaction ever touches, or makes it, where the condition holds; tells whether it did.
 * For what many change at the same moment: transactions would conflict, these take turns.
 */
export async function changeAlone(
  key: Key,
  { set = {}, add = {} }: Changes,
  condition: Expression,
): Promise<boolean> {
  const scope = new Placeholders();
  const UpdateExpression = updateClauses({ set, add, unset: [] }, scope);
  const ConditionExpression = condition.render(scope);
  const command = { TableName: tableName(), Key: { ...key }, UpdateExpression, ConditionExpression };
  try {
    await documents.send(new UpdateCommand({ ...command, ...scope.parameters }));
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false;
    throw error;
  }
}
