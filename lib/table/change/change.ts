import { isDeepStrictEqual } from 'node:util';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { type Item, tableName } from '#lib/table/client.ts';
import { all, type Expression } from '#lib/table/expression.ts';
import { withoutLock } from '#lib/table/items.ts';
import { type Key, keyOfItem } from '#lib/table/keys.ts';
import { Placeholders } from '#lib/table/placeholders.ts';

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

/** An item and the change to apply to it. */
export interface Target {
  readonly key: Key;
  readonly change: Change;
}

/** Returns the change that turns an item, as it was read, into another. */
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

/** Returns an update of these attributes. An empty one leaves the item unchanged. */
export function updateOf({ set = {}, add = {}, unset = [] }: Changes): Change {
  return { kind: 'update', set, add: { ...add }, unset: [...unset] };
}

/** Returns an item after a change. The item may bear a journal's lock. */
export function itemAfter(change: Change, item: Item): Item | undefined {
  const before = withoutLock(item);
  const key = keyOfItem(item);
  switch (change.kind) {
    case 'put':
      return { ...change.item, ...key };
    case 'update':
      return attributesAfter({ ...key, ...before }, change);
    case 'remove':
      return undefined;
    case 'check':
      return before;
  }
}

function attributesAfter(before: Item, { set, add, unset }: Extract<Change, { kind: 'update' }>): Item {
  const sums = Object.entries(add).map(([name, amount]): [string, number] => [
    name,
    Number(before[name] ?? 0) + amount,
  ]);
  const remaining = Object.entries(before).filter(([name]) => !unset.includes(name));
  return { ...Object.fromEntries(remaining), ...set, ...Object.fromEntries(sums) };
}

/** One action of a native DynamoDB transaction. */
export type Action = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** Builds DynamoDB's action for a change under a condition. On failure DynamoDB returns the current item. */
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
