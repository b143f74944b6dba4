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

/** DynamoDB's limit of actions in one transaction. */
export const MAX_ACTIONS = 100;

const ATTEMPTS = 25;

/** An action with a failed condition: its position, and the lock on its item. */
export interface FailedAction {
  readonly index: number;
  readonly lock: string | undefined;
}

/**
 * Executes up to a hundred actions, all or none, and returns the ones with failed conditions; an empty list
 * means success. Retries conflicts with other transactions and lost responses: the token makes the
 * transaction idempotent. A caller that retries the same actions passes the same token, so that a delayed
 * copy of an earlier request is the same transaction. 400 if an item would exceed the table's limit.
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

/** Returns the failed conditions, an empty list if a retry may help. Throws on any other error. */
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
 * Executes one action outside a transaction, at half the cost; returns false if its condition failed. Retries
 * conflicts with transactions in progress.
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
 * Updates or creates one item that no transaction ever touches; returns false if the condition failed. Meant
 * for hot items: transactions would conflict, single updates are serialized.
 */
export function updateOne(key: Key, changes: Changes, condition: Expression): Promise<boolean> {
  return writeOne(actionOf(key, updateOf(changes), [condition]));
}

/**
 * Replaces a single item if its version is still the one that was read, 0 for none. Returns false if it
 * isn't.
 */
export function putOne(key: Key, item: Item, version: number): Promise<boolean> {
  const same = version === 0 ? absent('pk') : equals('version', version);
  return writeOne(actionOf(key, { kind: 'put', item }, [same]));
}

/** Removes an item that is no longer read or written. */
export async function removeAfterwards(key: Key): Promise<void> {
  await writeOne(actionOf(key, { kind: 'remove' }, [unlocked]));
}

function send({ Put, Update, Delete }: Action): Promise<unknown> {
  if (Put) return dynamo.send(new PutCommand(Put));
  if (Update) return dynamo.send(new UpdateCommand(Update));
  if (Delete) return dynamo.send(new DeleteCommand(Delete));
  throw new Error('A check alone changes nothing: it belongs in a transaction');
}
