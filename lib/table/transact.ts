import { setTimeout as pause } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { invalid, Refusal } from '#lib/values/refusal.ts';
import { documents, type Item, tableName } from './client.ts';
import { absent, type Expression, Placeholders } from './expression.ts';
import type { Key } from './keys.ts';

type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** What must hold of an item for a write to go through, and what the caller is told where it doesn't. */
export interface Guard {
  readonly if: Expression;
  /** Left out where the state was read a moment ago: then `Contention` is thrown, and the read is to be done again. */
  readonly otherwise?: Refusal;
}

/** One change of one item, to be given to `transact`. */
export interface Write {
  readonly action: Action;
  readonly guard?: Guard | undefined;
}

/** What was read has changed before it could be written. */
export class Contention extends Error {}

const NATIVE_LIMIT = 100;
const ATTEMPTS = 10;

/** Writes a whole item, in the place of the one there was unless the guard forbids it. */
export function put(key: Key, item: Item, guard?: Guard): Write {
  const scope = new Placeholders();
  const condition = guard && { ConditionExpression: guard.if(scope) };
  return {
    action: {
      Put: { TableName: tableName(), Item: { ...item, ...key }, ...condition, ...scope.parameters },
    },
    guard,
  };
}

/** Writes an item that must not be there yet. */
export function putNew(key: Key, item: Item, otherwise?: Refusal): Write {
  return put(key, item, { if: absent('pk'), ...(otherwise && { otherwise }) });
}

/** Changes attributes of an item: `set` gives them values, `add` adds to numbers. */
export function update(
  key: Key,
  changes: { readonly set?: Item; readonly add?: Readonly<Record<string, number>> },
  guard?: Guard,
): Write {
  const scope = new Placeholders();
  const sets = Object.entries(changes.set ?? {}).map(
    ([path, value]) => `${scope.name(path)} = ${scope.value(value)}`,
  );
  const adds = Object.entries(changes.add ?? {}).map(
    ([path, value]) => `${scope.name(path)} ${scope.value(value)}`,
  );
  const clauses = [sets.length > 0 && `SET ${sets.join(', ')}`, adds.length > 0 && `ADD ${adds.join(', ')}`];
  const condition = guard && { ConditionExpression: guard.if(scope) };
  return {
    action: {
      Update: {
        TableName: tableName(),
        Key: { ...key },
        UpdateExpression: clauses.filter(Boolean).join(' '),
        ...condition,
        ...scope.parameters,
      },
    },
    guard,
  };
}

/** Removes an item. */
export function remove(key: Key, guard?: Guard): Write {
  const scope = new Placeholders();
  const condition = guard && { ConditionExpression: guard.if(scope) };
  return {
    action: { Delete: { TableName: tableName(), Key: { ...key }, ...condition, ...scope.parameters } },
    guard,
  };
}

/** Requires something of an item which the transaction does not change. */
export function check(key: Key, guard: Guard): Write {
  const scope = new Placeholders();
  return {
    action: {
      ConditionCheck: {
        TableName: tableName(),
        Key: { ...key },
        ConditionExpression: guard.if(scope),
        ...scope.parameters,
      },
    },
    guard,
  };
}

/**
 * Makes all the writes or none: the only way to change more than one item. Conflicts with other transactions are
 * retried. Throws the refusals of the guards that failed, all failing fields in one, or `Contention`.
 */
export async function transact(writes: readonly Write[]): Promise<void> {
  if (writes.length === 0) return;
  if (writes.length > NATIVE_LIMIT) throw new Error(`A transaction of ${writes.length} writes`);
  for (let attempt = 1; ; attempt++) {
    const conflict = await attemptAll(writes);
    if (conflict === undefined) return;
    if (attempt === ATTEMPTS) throw conflict;
    await backOff(attempt);
  }
}

/** One attempt: answers a conflict that may be gone the next time, throws what will stay. */
async function attemptAll(writes: readonly Write[]): Promise<Error | undefined> {
  try {
    await documents.send(new TransactWriteCommand({ TransactItems: writes.map(({ action }) => action) }));
    return undefined;
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code);
    const failed = writes.filter((_, index) => codes[index] === 'ConditionalCheckFailed');
    if (failed.length > 0) throw refusalOf(failed);
    if (codes.includes('ValidationError')) throw error;
    return error;
  }
}

/** Does reads and the writes that rest on them again while others are faster. 409 after ten attempts. */
export async function untilSettled<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Contention)) throw error;
      if (attempt === ATTEMPTS) throw new Refusal(409, { key: 'http.conflict' });
      await backOff(attempt);
    }
  }
}

function backOff(attempt: number): Promise<void> {
  return pause(Math.random() * Math.min(2 ** attempt * 10, 500));
}

function refusalOf(failed: readonly Write[]): Error {
  const refusals = failed.flatMap(({ guard }) => guard?.otherwise ?? []);
  const other = refusals.find(({ status }) => status !== 422);
  if (other) return other;
  if (refusals.length < failed.length) return new Contention();
  return invalid(Object.assign({}, ...refusals.map(({ fields }) => fields)));
}
