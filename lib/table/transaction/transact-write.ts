import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { isBusy } from '#lib/table/busy.ts';
import { documents } from '#lib/table/client.ts';
import { requireTime } from '#lib/table/deadline.ts';
import { noteConflict } from '#lib/table/meter.ts';
import { refuse, unavailable } from '#lib/values/refusal.ts';
import { LOCK } from './lock.ts';
import { type Action, bytesIn, type Write } from './write.ts';

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
export async function transactWrite(actions: readonly Action[]): Promise<readonly Failure[]> {
  const command = new TransactWriteCommand({ TransactItems: [...actions], ClientRequestToken: randomUUID() });
  for (let attempt = 1; ; attempt++) {
    try {
      await documents.send(command);
      return [];
    } catch (error) {
      const failures = failuresIn(error);
      if (failures.length > 0) return failures;
      if (attempt === ATTEMPTS) throw unavailable();
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

/**
 * Waits a random time, longer with every attempt, at most half a second. 503 if no time is left to try again.
 */
export async function backOff(attempt: number): Promise<void> {
  await pause(Math.random() * Math.min(2 ** attempt * 10, 500));
  requireTime(true);
}

/**
 * Replaces writes of a transaction by their `ifRoom`, the largest items first, as long as it remains
 * DynamoDB's own. With one action more it would go over the journal and take three times as long; if it does
 * so anyway, there is room for all.
 */
export function withinRoom(writes: readonly Write[]): readonly Write[] {
  const wishes = writes.filter(({ ifRoom }) => ifRoom).sort((a, b) => bytesIn(b) - bytesIn(a));
  let room = writes.length > MOST_ACTIONS ? Number.POSITIVE_INFINITY : MOST_ACTIONS - writes.length;
  const granted = new Map<Write, readonly Write[]>();
  for (const write of wishes) {
    const { ifRoom = [] } = write;
    room -= ifRoom.length - 1;
    if (room < 0) break;
    granted.set(write, ifRoom);
  }
  return writes.flatMap((write) => granted.get(write) ?? write);
}
