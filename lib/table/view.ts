import type { Item } from './client.ts';
import { headerOf, targetsOf } from './journal-store.ts';
import { markOf, marksOn, withoutMark } from './mark.ts';
import type { Change, Target } from './write.ts';

/** What a reader has learnt of committed journals. */
export type Committed = Map<string, readonly Target[]>;

/**
 * The items as every reader must see them, whatever journals have taken them: as they were while a journal is being
 * prepared, as they will be once it is committed. Nothing is written, so that a reader needs no right to write.
 * Undefined where the items are to be read again: a journal has ended since they were read, or was found committed, and
 * then some of its items may have been read before it took them.
 */
export async function viewOf(
  items: readonly (Item | undefined)[],
  committed: Committed,
): Promise<(Item | undefined)[] | undefined> {
  const news = marksOn(items).filter((mark) => !committed.has(mark));
  const states = await Promise.all(news.map((mark) => learn(mark, committed)));
  if (states.some((state) => state !== 'preparing')) return undefined;
  const seen: (Item | undefined)[] = [];
  for (const item of items) {
    const targets = committed.get(markOf(item) ?? '');
    if (!targets) {
      seen.push(withoutMark(item));
      continue;
    }
    const target = targets.find(({ key }) => key.pk === item?.['pk'] && key.sk === item['sk']);
    if (!target) return undefined;
    seen.push(changed(target, withoutMark(item)));
  }
  return seen;
}

async function learn(id: string, committed: Committed): Promise<'preparing' | 'committed' | undefined> {
  const header = await headerOf(id);
  if (!header) return undefined;
  if (header.state !== 'committed') return 'preparing';
  committed.set(id, await targetsOf(id));
  return 'committed';
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
