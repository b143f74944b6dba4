import type { Item } from './client.ts';
import { absent, type Expression } from './expression.ts';

/** The attribute that names the journal which has taken an item. */
export const MARK = 'journal';

/** No journal has taken the item. Every write to the table requires it. */
export const unmarked: Expression = absent(MARK);

/** The journal that has taken an item. */
export function markOf(item: Item | undefined): string | undefined {
  const mark = item?.[MARK];
  return typeof mark === 'string' ? mark : undefined;
}

/** The journals that have taken any of the items, each once. */
export function marksOn(items: readonly (Item | undefined)[]): string[] {
  return [...new Set(items.flatMap((item) => markOf(item) ?? []))];
}

/** An item as it was before it was taken: undefined for one which was only made to bear the mark. */
export function withoutMark(item: Item | undefined): Item | undefined {
  if (markOf(item) === undefined) return item;
  return isPlaceholder(item) ? undefined : { ...item, [MARK]: undefined };
}

/** Tells an item that was not there before it was taken: it has nothing but its key and the mark. */
export function isPlaceholder(item: Item | undefined): boolean {
  return (
    item !== undefined && Object.keys(item).every((name) => name === 'pk' || name === 'sk' || name === MARK)
  );
}
