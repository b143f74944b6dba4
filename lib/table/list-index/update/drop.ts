import { actionOf } from '#lib/table/change/change.ts';
import { writeOne } from '#lib/table/change/send.ts';
import { present } from '#lib/table/expression.ts';
import type { Key } from '#lib/table/keys.ts';
import { MAX_CONCURRENT_WRITES } from '#lib/table/list-index/store.ts';
import {
  ALL,
  chunkPartition,
  fieldPartition,
  type IndexLocation,
  indexKey,
} from '#lib/table/list-index/value.ts';
import { walk } from '#lib/table/read/walk.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';

/** Indexes erased at a time. */
const ERASED = 100;

/** Removes all indexes of a location, with their chunks. */
export async function dropIndexes(place: IndexLocation, fields: readonly string[]): Promise<void> {
  for (const field of [...fields, ALL.field]) {
    for await (const items of walk(fieldPartition(place, field), ERASED)) {
      const values = items.map(({ sk }) => ({ field, text: String(sk) }));
      await mapConcurrent(values, MAX_CONCURRENT_WRITES, (value) => erase(chunkPartition(place, value)));
      await mapConcurrent(values, MAX_CONCURRENT_WRITES, (value) => eraseItem(indexKey(place, value)));
    }
  }
}

async function erase(pk: string): Promise<void> {
  for await (const items of walk(pk)) {
    await mapConcurrent(items, MAX_CONCURRENT_WRITES, ({ sk }) => eraseItem({ pk, sk: String(sk) }));
  }
}

function eraseItem(key: Key): Promise<boolean> {
  return writeOne(actionOf(key, { kind: 'remove' }, [present('pk')]));
}
