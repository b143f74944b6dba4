import type { Item } from '#lib/table/client.ts';
import { type RecordRef, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { nextId } from '#lib/table/sequences.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { writeItems } from './write-items.ts';

/** Documents created per write. */
const STEP = 10_000;

/**
 * Writes copies of a stored document: its header with the fields of `changesOf` for each, counted from 0, and
 * its lines if it has any. Returns the first of the ids, which are consecutive.
 */
export async function copyDocument(
  { type, tenant, id }: RecordRef,
  count: number,
  changesOf: (index: number, id: number) => Item,
): Promise<number> {
  const key = recordKey(type, tenant, id);
  const linesOf = (document: number) => `${key.pk}#${document}`;
  const [head, lines] = await Promise.all([getItem(key), wholePartition(linesOf(id))]);
  if (!head) throw new Error(`There is no ${type} ${id}`);
  const first = await nextId(type, tenant, count);
  const indexes = Array.from({ length: count }, (_, index) => index);
  for (const some of splitEvery(indexes, STEP)) {
    await writeItems(
      some.flatMap((index) => {
        const copy = first + index;
        return [
          { ...head, ...changesOf(index, copy), ...recordKey(type, tenant, copy), id: copy },
          ...lines.map((pack) => ({ ...pack, pk: linesOf(copy) })),
        ];
      }),
    );
  }
  return first;
}
