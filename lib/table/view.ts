import type { Item } from './client.ts';
import { headerOf, targetsOf } from './journal-store.ts';
import { markOf, marksOn, withoutMark } from './mark.ts';
import type { Change, Target } from './write.ts';

/**
 * The items as every reader must see them, whatever journals have taken them: as they were while a journal is being
 * prepared, as they will be once it is committed. Nothing is written, so that a reader needs no right to write.
 * Undefined where a journal has ended since the items were read: they are to be read again.
 */
export async function viewOf(
  items: readonly (Item | undefined)[],
): Promise<(Item | undefined)[] | undefined> {
  const marks = marksOn(items);
  if (marks.length === 0) return [...items];
  const found = await Promise.all(marks.map(async (mark) => [mark, await committedTargets(mark)] as const));
  const journals = new Map(found);
  const seen: (Item | undefined)[] = [];
  for (const item of items) {
    const mark = markOf(item);
    const targets = mark === undefined ? 'preparing' : journals.get(mark);
    if (targets === undefined) return undefined;
    if (targets === 'preparing') {
      seen.push(withoutMark(item));
      continue;
    }
    const target = targets.find(({ key }) => key.pk === item?.['pk'] && key.sk === item['sk']);
    if (!target) return undefined;
    seen.push(changed(target, withoutMark(item)));
  }
  return seen;
}

async function committedTargets(id: string): Promise<readonly Target[] | 'preparing' | undefined> {
  const header = await headerOf(id);
  if (!header) return undefined;
  return header.state === 'committed' ? targetsOf(id) : 'preparing';
}

/** What a write makes of an item. */
function changed({ key, change }: Target, before: Item | undefined): Item | undefined {
  switch (change.kind) {
    case 'put':
      return { ...change.item, ...key };
    case 'update':
      return updated({ ...key, ...before }, change);
    case 'remove':
      return undefined;
    case 'check':
      return before;
  }
}

function updated(before: Item, { set, add, unset }: Extract<Change, { kind: 'update' }>): Item {
  const sums = Object.entries(add).map(([name, amount]) => [name, Number(before[name] ?? 0) + amount]);
  const kept = Object.entries(before).filter(([name]) => !unset.includes(name));
  return { ...Object.fromEntries(kept), ...set, ...Object.fromEntries(sums) };
}
