import type { Item } from '#lib/table/client.ts';
import { type RecordRef, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { nextId } from '#lib/table/sequences.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { writeItems } from './write-items.ts';

/** So many are made before they are written. */
const STEP = 10_000;

/**
 * Writes a document so many times more, as it lies in the table: its header with what `changesOf` gives for
 * each, the first being 0, and its lines if it has any. Gives the first of the ids, which are in a row.
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
