import type { Item } from '#lib/table/client.ts';
import { padId, partition } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { type Range, readRange } from '#lib/table/rows/ranges.ts';
import type { Source } from '#lib/table/rows/request.ts';
import { idOf } from '#lib/table/rows/rows.ts';
import { dayNumber } from './days.ts';
import type { Hole } from './holes.ts';
import { textsOf } from './value.ts';

/** A record as a fold takes it in. */
export interface News {
  readonly id: number;
  readonly created_at: number;
  readonly day: number;
  readonly texts: Readonly<Record<string, string | null>>;
}

/** Up to this length the ids of a hole are read one by one; longer holes are read as stretches. */
const SHORT = 8;

/** Reads the records of a stretch of ids, as a fold takes them in. */
export async function readNews(source: Source, fields: readonly string[], range: Range): Promise<News[]> {
  const only = ['created_at', ...fields];
  const rows = await readRange(partition(source.type, source.home), range, { where: [], only });
  return rows.map((row) => newsOf(fields, row));
}

/** Reduces a record to what a fold takes in. */
export function newsOf(fields: readonly string[], row: Item): News {
  const created_at = Number(row['created_at']);
  return { id: idOf(row), created_at, day: dayNumber(created_at), texts: textsOf(fields, row) };
}

/** Reads the headers that have come into holes. One round trip. */
export async function readHoles(pk: string, holes: readonly Hole[]): Promise<Item[]> {
  const [long, short] = [holes.filter(isLong), holes.filter((hole) => !isLong(hole))];
  const keys = short.flatMap(({ from, to }) =>
    Array.from({ length: to - from + 1 }, (_, index) => ({ pk, sk: padId(from + index) })),
  );
  const [items, ...stretches] = await Promise.all([
    getItems(keys),
    ...long.map((hole) => readRange(pk, hole, { where: [] })),
  ]);
  return [...items.filter((item) => item !== undefined), ...stretches.flat()];
}

function isLong({ from, to }: Range): boolean {
  return to - from >= SHORT;
}
