import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { backOff, isBusy } from '#lib/table/busy.ts';
import { dynamo } from '#lib/table/client.ts';
import { noteWrite } from '#lib/table/deadline.ts';
import { noteConflict } from '#lib/table/meter.ts';
import { refuse, unavailable } from '#lib/values/refusal.ts';
import type { Action } from './action.ts';
import { LOCK } from './lock.ts';

/** DynamoDB takes no more in one transaction. */
export const MOST_ACTIONS = 100;

const ATTEMPTS = 25;

/** An action whose condition failed: its place, and the lock that its item bears. */
export interface Failure {
  readonly index: number;
  readonly lock: string | undefined;
}

/**
 * Makes up to a hundred actions, all or none, and answers with those whose conditions failed, none if it was
 * made. Conflicts with other transactions are retried, and so are lost answers: by its token it is made once.
 * 400 if an item would be larger than the table accepts.
 */
export async function transactWrite(
  actions: readonly Action[],
  attempts = ATTEMPTS,
): Promise<readonly Failure[]> {
  noteWrite();
  const command = new TransactWriteCommand({ TransactItems: [...actions], ClientRequestToken: randomUUID() });
  for (let attempt = 1; ; attempt++) {
    try {
      await dynamo.send(command);
      return [];
    } catch (error) {
      const failures = failuresIn(error);
      if (failures.length > 0) return failures;
      if (attempt === attempts) throw unavailable();
      noteConflict();
      await backOff(attempt);
    }
  }
}

/** Finds the conditions that failed; none if trying again may help. Throws if it can't. */
function failuresIn(error: unknown): Failure[] {
  if (isBusy(error)) return [];
  if (!(error instanceof TransactionCanceledException)) throw error;
  const reasons = error.CancellationReasons ?? [];
  const failures = reasons.flatMap(({ Code, Item }, index) =>
    Code === 'ConditionalCheckFailed' ? [{ index, lock: Item?.[LOCK]?.S }] : [],
  );
  if (failures.length > 0) return failures;
  const invalid = reasons.find(({ Code }) => Code === 'ValidationError');
  if (!invalid) return [];
  throw /size/i.test(invalid.Message ?? '') ? refuse('document.too_large') : error;
}
