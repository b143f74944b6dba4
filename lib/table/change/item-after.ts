import type { Item } from '#lib/table/client.ts';
import { keyOfItem } from '#lib/table/keys.ts';
import { withoutLock } from './lock.ts';
import type { Change } from './write.ts';

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
