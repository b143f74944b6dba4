import type { Item } from '#lib/table/client.ts';
import { partition, type Source } from '#lib/table/keys.ts';
import { idOf, rowsAt } from '#lib/table/read/ranges.ts';
import { mapConcurrent, splitEvery } from '#lib/values/concurrency.ts';
import { Localized } from '#lib/values/localized.ts';
import type { Locale } from '#lib/values/text.ts';

/** Records per read, less than a megabyte, and concurrent reads. */
const STEP = 1000;
const SIDE_BY_SIDE = 8;

/** Reads attributes of records by id, deleted ones too. One round trip up to eight thousand. */
export async function recordsAt(
  { type, tenant }: Source,
  ids: Iterable<number>,
  only: readonly string[],
): Promise<Map<number, Item>> {
  const sorted = [...new Set(ids)].sort((a, b) => a - b);
  const rows = await mapConcurrent(splitEvery(sorted, STEP), SIDE_BY_SIDE, (step) =>
    rowsAt(partition(type, tenant), step, ['id', ...only]),
  );
  return new Map(rows.flat().map((row) => [idOf(row), row]));
}

/** Reads the names of records in a locale. Null for a missing one. */
export async function readNamesIn(source: Source, ids: Iterable<number>, locale: Locale) {
  const records = await recordsAt(source, ids, ['name']);
  return (id: number | null) => {
    const { data: name } = Localized.safeParse(id === null ? undefined : records.get(id)?.['name']);
    return name?.[locale] ?? null;
  };
}

/** Reads the names of records. Null for a missing one. */
export async function readNames(source: Source, ids: Iterable<number>, field = 'name') {
  const records = await recordsAt(source, ids, [field]);
  return (id: number | null) => {
    const name = id === null ? undefined : records.get(id)?.[field];
    return typeof name === 'string' ? name : null;
  };
}
