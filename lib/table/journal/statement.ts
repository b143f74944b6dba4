import { LOCK } from '#lib/table/change/lock.ts';
import type { Change, Target } from '#lib/table/change/write.ts';
import { tableName } from '#lib/table/client.ts';

/** DynamoDB takes no longer statement. */
const MOST_CHARS = 8192;

/** A statement of PartiQL, with the values of its question marks. */
export interface Statement {
  readonly Statement: string;
  readonly Parameters: unknown[];
}

/**
 * Says a change of an item under its lock as a statement: many of them go in one call. The change drops the
 * lock. Undefined if PartiQL can't say it: it replaces no item as a whole, and adds to no number that may be
 * missing. The key's values are the last but the lock's.
 */
export function statementOf(lock: string, { key, change }: Target): Statement | undefined {
  const changes = changesOf(change);
  if (!changes) return undefined;
  const sets = Object.entries(changes.set).filter(([, value]) => value !== undefined);
  const clauses = [
    ...sets.map(([path]) => `SET ${quoted(path)}=?`),
    ...changes.unset.map((path) => `REMOVE ${quoted(path)}`),
  ];
  const where = `WHERE "pk"=? AND "sk"=? AND "${LOCK}"=?`;
  const statement = `UPDATE "${tableName()}" ${clauses.join(' ')} ${where}`;
  if (statement.length > MOST_CHARS) return undefined;
  return { Statement: statement, Parameters: [...sets.map(([, value]) => value), key.pk, key.sk, lock] };
}

/** Finds the key of the item that a statement of `statementOf` changes, among its parameters. */
export function keyOfStatement(parameters: readonly unknown[]): {
  readonly pk: unknown;
  readonly sk: unknown;
} {
  const [pk, sk] = parameters.slice(-3);
  return { pk, sk };
}

/**
 * Tells what a statement is to set and unset; undefined if it can't be said. An item that was not there has
 * only its key and the lock so far: to put it is to set all of it.
 */
function changesOf(change: Change) {
  if (change.kind === 'put') return change.isNew && { set: plain(change.item), unset: [LOCK] };
  if (change.kind !== 'update' || Object.keys(change.add).length > 0) return undefined;
  return change;
}

function plain({ pk: _pk, sk: _sk, ...item }: Record<string, unknown>) {
  return item;
}

function quoted(path: string): string {
  return path
    .split('.')
    .map((part) => `"${part}"`)
    .join('.');
}
