import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import { type Key, keyOfItem } from '#lib/table/keys.ts';
import { withoutLock } from './lock.ts';

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

/** Applies a change to an item as it was read, which a journal may have taken. */
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
  const kept = Object.entries(before).filter(([name]) => !unset.includes(name));
  return { ...Object.fromEntries(kept), ...set, ...Object.fromEntries(sums) };
}
