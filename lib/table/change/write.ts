import { isDeepStrictEqual } from 'node:util';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { type Item, tableName } from '#lib/table/client.ts';
import { absent, all, type Expression, Placeholders } from '#lib/table/expression.ts';
import type { Home, Key } from '#lib/table/keys.ts';
import { bytesOf } from '#lib/table/size.ts';
import type { Refusal } from '#lib/values/refusal.ts';

/** A condition on an item for a write to go through, and the refusal for the caller if it fails. */
export interface Guard {
  readonly if: Expression;
  /**
   * Left out if the state was read a moment ago: then a failure is `Contention`, and the read is repeated.
   */
  readonly otherwise?: Refusal;
}

const Attributes = z.record(z.string(), z.unknown());

/** A write's effect on its item. */
export const Change = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('put'), item: Attributes }),
  z.object({
    kind: z.literal('update'),
    set: Attributes,
    add: z.record(z.string(), z.number()),
    unset: z.array(z.string()),
  }),
  z.object({ kind: z.literal('remove') }),
  z.object({ kind: z.literal('check') }),
]);

export type Change = z.output<typeof Change>;

/** An item and the change that it is to get. */
export interface Target {
  readonly key: Key;
  readonly change: Change;
}

/** Records, by type and home, whose list indexes have something to fold in. */
export interface Notice {
  readonly type: string;
  readonly home: Home;
  readonly fields: readonly string[];
}

/** One change of one item, for `transact`. */
export interface Write extends Target {
  readonly guard?: Guard | undefined;
  /** A standing lock that the write accepts on its item; if left out, it accepts none. */
  readonly under?: string;
  /** A notice for the worker of list indexes, sent once it is written. */
  readonly notice?: Notice | undefined;
  /** The writes in its place if the transaction has room for more: they leave the item smaller. */
  readonly ifRoom?: readonly Write[] | undefined;
  /** The size of its item before or after it, the larger one. If left out, it is not known. */
  readonly bytes?: number;
}

/** DynamoDB's limit for an item is 400 KB, some of which go to the key and the lock of a journal. */
export const MOST_BYTES = 380_000;

/** An item of unknown size, among the hundred of a transaction: counters, marks and headers are smaller. */
const UNKNOWN_BYTES = 30_000;

/** One action of DynamoDB's own transactions. */
export type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Writes a whole item; it replaces an existing one unless the guard forbids it. */
export function put(key: Key, item: Item, guard?: Guard): Write {
  return { key, change: { kind: 'put', item }, guard };
}

/** Writes an item that must not exist yet. */
export function putNew(key: Key, item: Item, otherwise?: Refusal): Write {
  const guard = { if: absent('pk'), ...(otherwise && { otherwise }) };
  return { key, change: { kind: 'put', item }, guard, bytes: bytesOf(item) };
}

/**
 * Makes an item that was read into another, and writes only what differs. The guard must require that it is
 * still as it was read.
 */
export function replace(key: Key, before: Item, after: Item, guard: Guard): Write {
  return {
    key,
    change: changeBetween(before, after),
    guard,
    bytes: Math.max(bytesOf(before), bytesOf(after)),
  };
}

/** Finds the change that makes an item, as it was read, into another. */
export function changeBetween(before: Item, after: Item): Change {
  const names = Object.keys({ ...before, ...after }).filter((name) => name !== 'pk' && name !== 'sk');
  const differing = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const set = differing.filter((name) => after[name] !== undefined);
  const unset = differing.filter((name) => after[name] === undefined);
  return updateOf({ set: Object.fromEntries(set.map((name) => [name, after[name]])), unset });
}

/** Changes of an item's attributes: `set` gives them values, `add` adds to numbers, `unset` removes them. */
export interface Changes {
  readonly set?: Item;
  readonly add?: Readonly<Record<string, number>>;
  readonly unset?: readonly string[];
}

/** Makes a change of these attributes. Of none, it leaves the item as it is. */
export function updateOf({ set = {}, add = {}, unset = [] }: Changes): Change {
  return { kind: 'update', set, add: { ...add }, unset: [...unset] };
}

/** Changes attributes of an item. */
export function update(key: Key, changes: Changes, guard?: Guard): Write {
  return { key, change: updateOf(changes), guard };
}

/** Removes an item. */
export function remove(key: Key, guard?: Guard): Write {
  return { key, change: { kind: 'remove' }, guard };
}

/** Requires something of an item that the transaction does not change. */
export function check(key: Key, guard: Guard): Write {
  return { key, change: { kind: 'check' }, guard };
}

/** Measures what a write makes of its item, as far as it tells. */
export function bytesIn({ change, bytes = 0 }: Write): number {
  if (change.kind === 'put') return bytesOf(change.item);
  return change.kind === 'update' ? Math.max(bytes, bytesOf(change.set)) : 0;
}

/** Measures what an item counts in a transaction of DynamoDB's. */
export function bytesCounted(write: Write): number {
  return write.bytes ?? Math.max(UNKNOWN_BYTES, bytesIn(write));
}

/** Strips writes of their refusals, so that every failing guard means: read again. */
export function withoutRefusals(writes: readonly Write[]): Write[] {
  return writes.map((write) => ({ ...write, guard: write.guard && { if: write.guard.if } }));
}

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
