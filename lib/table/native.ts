import { setTimeout as pause } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { documents } from './client.ts';
import { noteConflict } from './meter.ts';
import type { Action } from './write.ts';

/** As many actions as DynamoDB takes in one transaction. */
export const NATIVE_LIMIT = 100;

const ATTEMPTS = 10;

/** An action whose condition failed: its place, and the mark its item bears. */
export interface Failure {
  readonly index: number;
  readonly mark: string | undefined;
}

/**
 * Makes up to a hundred actions, all or none, and answers with those whose conditions failed: none where it was made.
 * Conflicts with other transactions under way are retried.
 */
export async function runNatively(actions: readonly Action[]): Promise<readonly Failure[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      await documents.send(new TransactWriteCommand({ TransactItems: [...actions] }));
      return [];
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const failures = reasons.flatMap(({ Code, Item }, index) =>
        Code === 'ConditionalCheckFailed' ? [{ index, mark: Item?.['journal']?.S }] : [],
      );
      if (failures.length > 0) return failures;
      if (attempt === ATTEMPTS || reasons.some(({ Code }) => Code === 'ValidationError')) throw error;
      noteConflict();
      await backOff(attempt);
    }
  }
}

/** Waits a random while, longer with every attempt and never over half a second. */
export function backOff(attempt: number): Promise<void> {
  return pause(Math.random() * Math.min(2 ** attempt * 10, 500));
}
