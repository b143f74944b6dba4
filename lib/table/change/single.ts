import { ConditionalCheckFailedException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { backOff } from '#lib/table/busy.ts';
import { dynamo } from '#lib/table/client.ts';
import { noteWrite } from '#lib/table/deadline.ts';
import type { Expression } from '#lib/table/expression.ts';
import type { Key } from '#lib/table/keys.ts';
import { type Action, actionOf } from './action.ts';
import { type Changes, updateOf } from './change.ts';
import { unlocked } from './lock.ts';

const ATTEMPTS = 10;

/**
 * Makes one action by itself, at half of its cost in a transaction; tells whether its condition held.
 * Conflicts with transactions under way are retried.
 */
export async function writeOne(action: Action): Promise<boolean> {
  noteWrite();
  for (let attempt = 1; ; attempt++) {
    try {
      await send(action);
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      if (!(error instanceof TransactionConflictException) || attempt === ATTEMPTS) throw error;
      await backOff(attempt);
    }
  }
}

/**
 * Changes or makes one item that no transaction ever touches; tells whether the condition held. Use it for
 * hot items: transactions would conflict, single updates take turns.
 */
export function updateOne(key: Key, changes: Changes, condition: Expression): Promise<boolean> {
  return writeOne(actionOf(key, updateOf(changes), [condition]));
}

/** Removes an item that nobody reads or writes any more. */
export async function removeAfterwards(key: Key): Promise<void> {
  await writeOne(actionOf(key, { kind: 'remove' }, [unlocked]));
}

function send({ Put, Update, Delete }: Action): Promise<unknown> {
  if (Put) return dynamo.send(new PutCommand(Put));
  if (Update) return dynamo.send(new UpdateCommand(Update));
  if (Delete) return dynamo.send(new DeleteCommand(Delete));
  throw new Error('A check alone changes nothing: it belongs in a transaction');
}
