import type { Item } from '#lib/table/client.ts';
import { padId } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { readRange } from './ranges.ts';

// A query is billed by the kilobyte, a batch by the item: this many neighbours cost nothing more.
const WORTH_SKIPPING = 4;

/**
 * Reads the headers with these ids, in their order. One round trip: a query if they are close together, which
 * brings nothing but `only`, else a batch.
 */
export async function rowsAt(pk: string, ids: readonly number[], only?: readonly string[]): Promise<Item[]> {
  if (ids.length === 0) return [];
  const [from, to] = [Math.min(...ids), Math.max(...ids)];
  const isDense = to - from < ids.length * WORTH_SKIPPING;
  const items: (Item | undefined)[] = isDense
    ? await readRange(pk, { from, to }, { where: [], ...(only && { only }) })
    : await getItems(ids.map((id) => ({ pk, sk: padId(id) })));
  const byId = new Map(items.flatMap((item) => (item ? [[idOf(item), item]] : [])));
  return ids.map((id) => byId.get(id)).filter((item) => item !== undefined);
}

/** Reads the id off a header. */
export function idOf({ id }: Item): number {
  return Number(id);
}
