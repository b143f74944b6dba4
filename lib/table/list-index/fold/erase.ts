import { actionOf } from '#lib/table/change/change.ts';
import { writeOne } from '#lib/table/change/send.ts';
import { present } from '#lib/table/expression.ts';
import type { Key } from '#lib/table/keys.ts';
import { SIDE_BY_SIDE } from '#lib/table/list-index/store.ts';
import {
  ALL,
  chunkPartition,
  fieldPartition,
  type IndexPlace,
  indexKey,
} from '#lib/table/list-index/value.ts';
import { walk } from '#lib/table/read/walk.ts';
import { sideBySide } from '#lib/values/side-by-side.ts';

/** Indexes that are erased at a time. */
const ERASED = 100;

/** Removes all indexes of a place, with their chunks. */
export async function eraseIndexes(place: IndexPlace, fields: readonly string[]): Promise<void> {
  for (const field of [...fields, ALL.field]) {
    for await (const items of walk(fieldPartition(place, field), ERASED)) {
      const values = items.map(({ sk }) => ({ field, text: String(sk) }));
      await sideBySide(values, SIDE_BY_SIDE, (value) => erase(chunkPartition(place, value)));
      await sideBySide(values, SIDE_BY_SIDE, (value) => eraseItem(indexKey(place, value)));
    }
  }
}

async function erase(pk: string): Promise<void> {
  for await (const items of walk(pk)) {
    await sideBySide(items, SIDE_BY_SIDE, ({ sk }) => eraseItem({ pk, sk: String(sk) }));
  }
}

function eraseItem(key: Key): Promise<boolean> {
  return writeOne(actionOf(key, { kind: 'remove' }, [present('pk')]));
}
