import type { Item } from '#lib/table/client.ts';
import { partition, type Source } from '#lib/table/keys.ts';
import { idOf, rowsAt } from '#lib/table/read/ranges.ts';
import { mapConcurrent, splitEvery } from '#lib/values/concurrency.ts';

/** Records that are read at once, less than a megabyte, and how many such readings go side by side. */
const STEP = 1000;
const SIDE_BY_SIDE = 8;

/**
 * Reads records with nothing but some attributes, deleted ones too, by id. One round trip up to eight
 * thousand.
 */
export async function recordsAt(
  { type, tenant }: Source,
  ids: Iterable<number>,
  only: readonly string[],
): Promise<Map<number, Item>> {
  const wanted = [...new Set(ids)].sort((a, b) => a - b);
  const rows = await mapConcurrent(splitEvery(wanted, STEP), SIDE_BY_SIDE, (step) =>
    rowsAt(partition(type, tenant), step, ['id', ...only]),
  );
  return new Map(rows.flat().map((row) => [idOf(row), row]));
}

/** Reads what records are called. Null for one that is not there. */
export async function readNames(source: Source, ids: Iterable<number>, field = 'name') {
  const records = await recordsAt(source, ids, [field]);
  return (id: number | null) => {
    const name = id === null ? undefined : records.get(id)?.[field];
    return typeof name === 'string' ? name : null;
  };
}
