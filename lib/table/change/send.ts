import { randomUUID } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { DeleteCommand, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { dynamo, type Item } from '#lib/table/client.ts';
import { trackWrite } from '#lib/table/deadline.ts';
import { absent, type Expression, equals } from '#lib/table/expression.ts';
import { LOCK, unlocked } from '#lib/table/items.ts';
import type { Key } from '#lib/table/keys.ts';
import { recordConflict } from '#lib/table/request-context.ts';
import { backOff, isTransientError } from '#lib/table/transient-errors.ts';
import { badRequest, serviceUnavailable } from '#lib/values/api-error.ts';
import { type Action, actionOf, type Changes, updateOf } from './change.ts';

/** DynamoDB takes no more in one transaction. */
export const MAX_ACTIONS = 100;

const ATTEMPTS = 25;

/** An action whose condition failed: its place, and the lock that its item bears. */
export interface FailedAction {
  readonly index: number;
  readonly lock: string | undefined;
}

/**
 * Makes up to a hundred actions, all or none, and answers with those whose conditions failed, none if it was
 * made. Conflicts with other transactions are retried, and so are lost answers: by its token it is made once.
 * Who tries the same actions again gives the same token, so that a copy of an earlier try that comes late is
 * the same transaction. 400 if an item would be larger than the table accepts.
 */
export async function transactWrite(
  actions: readonly Action[],
  { attempts = ATTEMPTS, token = randomUUID() }: { attempts?: number; token?: string } = {},
): Promise<readonly FailedAction[]> {
  trackWrite();
  const command = new TransactWriteCommand({ TransactItems: [...actions], ClientRequestToken: token });
  for (let attempt = 1; ; attempt++) {
    try {
      await dynamo.send(command);
      return [];
    } catch (error) {
      const failures = failuresIn(error);
      if (failures.length > 0) return failures;
      if (attempt === attempts) throw serviceUnavailable();
      recordConflict();
      await backOff(attempt);
    }
  }
}

/** Finds the conditions that failed; none if trying again may help. Throws if it can't. */
function failuresIn(error: unknown): FailedAction[] {
  if (isTransientError(error)) return [];
  if (!(error instanceof TransactionCanceledException)) throw error;
  const reasons = error.CancellationReasons ?? [];
  const failures = reasons.flatMap(({ Code, Item }, index) =>
    Code === 'ConditionalCheckFailed' ? [{ index, lock: Item?.[LOCK]?.S }] : [],
  );
  if (failures.length > 0) return failures;
  const invalid = reasons.find(({ Code }) => Code === 'ValidationError');
  if (!invalid) return [];
  throw /size/i.test(invalid.Message ?? '') ? badRequest('document.too_large') : error;
}

const SINGLE_ATTEMPTS = 10;

/**
 * Makes one action by itself, at half of its cost in a transaction; tells whether its condition held.
 * Conflicts with transactions under way are retried.
 */
export async function writeOne(action: Action): Promise<boolean> {
  trackWrite();
  for (let attempt = 1; ; attempt++) {
    try {
      await send(action);
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      if (!(error instanceof TransactionConflictException) || attempt === SINGLE_ATTEMPTS) throw error;
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

/**
 * Puts a single item in the place of the version that was read, 0 for none. False if there is another by now.
 */
export function putOne(key: Key, item: Item, version: number): Promise<boolean> {
  const same = version === 0 ? absent('pk') : equals('version', version);
  return writeOne(actionOf(key, { kind: 'put', item }, [same]));
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
