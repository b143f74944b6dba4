import type { Item } from '#lib/table/client.ts';
import type { Expression } from '#lib/table/expression.ts';
import { ALL_IDS, idOf, type Range, readQueryPage } from '#lib/table/read/ranges.ts';

/** A choice of rows in the order of their ids, after one. */
export interface RowsRequest {
  readonly where: readonly Expression[];
  readonly after: number;
  /** As many rows are wanted. */
  readonly max: number;
  /** As many are looked at for them. */
  readonly looked: number;
}

/** Rows, and the id up to which all were looked at; undefined if there are no more. */
export interface RowsAfter {
  readonly rows: readonly Item[];
  readonly reached: number | undefined;
  /** As many are to be looked at for as many rows as were wanted, if the next ones are like these. */
  readonly likely: number;
}

/** As many rows are looked at at most. Part 4, 4.1, 5. */
export const MAX_SCANNED_ROWS = 10_000;

/** As many headers as fit into an answer of a megabyte, of a kilobyte each. */
export const ROWS_PER_QUERY = 1000;

/**
 * Reads rows of a partition in the order of their ids, for who goes through all of them. Always one round
 * trip: a stretch that DynamoDB cuts short is the last one then.
 */
export async function rowsAfter(pk: string, asked: RowsRequest): Promise<RowsAfter> {
  const { where, after, max, looked } = asked;
  // To many callers nothing of a type is open.
  if (where.some(({ values }) => values?.length === 0)) return cut([], undefined, asked);
  const [first, ...further] = await Promise.all([
    // Ids may lie far apart: this one goes by rows, whatever their ids are.
    readQueryPage(
      pk,
      { ...ALL_IDS, from: after + 1 },
      { where, max: Math.min(ROWS_PER_QUERY, Math.max(looked, max)) },
    ),
    ...stretchesAfter(after + ROWS_PER_QUERY, looked - ROWS_PER_QUERY).map(async (range) => {
      const { items, left } = await readQueryPage(pk, range, { where });
      return { items, range, to: left ? left.from - 1 : range.to };
    }),
  ]);
  if (!first.left) return cut(first.items, undefined, asked);
  const found = [...first.items];
  let reached = first.left.from - 1;
  for (const { items, range, to } of further) {
    if (range.from > reached + 1) break;
    found.push(...items.filter((item) => idOf(item) > reached));
    reached = Math.max(reached, to);
  }
  return cut(found, reached, asked);
}

/** Cuts as many ids after one as are to be looked at into stretches of one answer each. */
function stretchesAfter(id: number, looked: number): Range[] {
  return Array.from({ length: Math.max(0, Math.ceil(looked / ROWS_PER_QUERY)) }, (_, index) => {
    const from = id + 1 + index * ROWS_PER_QUERY;
    return { from, to: from + ROWS_PER_QUERY - 1 };
  });
}

function cut(
  found: readonly Item[],
  reached: number | undefined,
  { max, looked }: Pick<RowsRequest, 'max' | 'looked'>,
): RowsAfter {
  const likely = Math.min(MAX_SCANNED_ROWS, Math.ceil((Math.max(looked, max) * max) / (found.length || 1)));
  const rows = found.slice(0, max);
  const last = rows.at(-1);
  return {
    rows,
    reached: found.length > max && last ? idOf(last) : reached,
    likely: Math.max(max, likely),
  };
}
