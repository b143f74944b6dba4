import type { Item } from '#lib/table/client.ts';
import type { Expression } from '#lib/table/expression.ts';
import { partition, type Source } from '#lib/table/keys.ts';
import { idOf, readAnswer, readRange, WHOLE } from '#lib/table/read/ranges.ts';
import { readIndexedPage } from './indexed-page.ts';

/** A choice of rows in the order of their ids, after one. */
export interface RowsAsked {
  /** Conditions that nearly all rows fulfil. */
  readonly usual: readonly Expression[];
  /** Conditions that may leave few, on fields with an index each. */
  readonly narrow: readonly Expression[];
  readonly after: number;
  readonly most: number;
}

/** Rows, and the id up to which all were looked at; undefined if there are no more. */
export interface RowsAfter {
  readonly rows: readonly Item[];
  readonly reached: number | undefined;
}

/** As many rows as are looked at in vain. */
const MOST_IN_VAIN = 10_000;

/**
 * Reads rows in the order of their ids, for who goes through all of them. One round trip, three if a list
 * index has to tell which they are; one more if none is found among the next ones.
 */
export async function rowsAfter(source: Source, asked: RowsAsked): Promise<RowsAfter> {
  const { usual, narrow, after, most } = asked;
  const where = [...usual, ...narrow];
  if (narrow.length > 0) {
    const sort = { field: 'id', descending: false };
    const found = await readIndexedPage(source, { where, sort, after, page: 1, pageSize: most });
    if (found)
      return { rows: found.rows, reached: found.total > found.rows.length ? lastOf(found) : undefined };
  }
  return lookThrough(partition(source.type, source.home), where, asked);
}

async function lookThrough(
  pk: string,
  where: readonly Expression[],
  { after, most }: RowsAsked,
): Promise<RowsAfter> {
  const { items, left } = await readAnswer(pk, { ...WHOLE, from: after + 1 }, { where, most });
  if (!left) return { rows: items, reached: undefined };
  if (items.length > 0) return { rows: items, reached: left.from - 1 };
  const to = left.from - 1 + MOST_IN_VAIN;
  const further = await readRange(pk, { from: left.from, to }, { where });
  const rows = further.slice(0, most);
  return { rows, reached: further.length > most ? lastOf({ rows }) : to };
}

function lastOf({ rows }: { readonly rows: readonly Item[] }): number | undefined {
  const last = rows.at(-1);
  return last && idOf(last);
}
