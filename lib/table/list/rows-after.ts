import type { Item } from '#lib/table/client.ts';
import type { Expression } from '#lib/table/expression.ts';
import { ALL_IDS, idOf, type Range, readQueryPage } from '#lib/table/read/ranges.ts';

/** A request for rows in the order of their ids, after an id. */
export interface RowsRequest {
  readonly where: readonly Expression[];
  readonly after: number;
  /** Number of requested rows. */
  readonly max: number;
  /** Number of rows to scan for them. */
  readonly looked: number;
}

/** Rows, and the id up to which all were scanned; undefined at the end. */
export interface RowsAfter {
  readonly rows: readonly Item[];
  readonly reached: number | undefined;
  /** Estimated number of rows to scan for the next `max` rows. */
  readonly likely: number;
}

/** Maximum number of scanned rows. Part 4, 4.1, 5. */
export const MAX_SCANNED_ROWS = 10_000;

/** Headers in a response of one megabyte, at a kilobyte each. */
export const ROWS_PER_QUERY = 1000;

/**
 * Reads rows of a partition in the order of their ids, for callers that read all of them. Always one round
 * trip: a range that DynamoDB truncates is then the last one.
 */
export async function rowsAfter(pk: string, request: RowsRequest): Promise<RowsAfter> {
  const { where, after, max, looked } = request;
  // Many callers may see no records of a type.
  if (where.some(({ values }) => values?.length === 0)) return cut([], undefined, request);
  const [first, ...further] = await Promise.all([
    // Ids may be sparse: this query counts rows, not ids.
    readQueryPage(
      pk,
      { ...ALL_IDS, from: after + 1 },
      { where, max: Math.min(ROWS_PER_QUERY, Math.max(looked, max)) },
    ),
    ...rangesAfter(after + ROWS_PER_QUERY, looked - ROWS_PER_QUERY).map(async (range) => {
      const { items, left } = await readQueryPage(pk, range, { where });
      return { items, range, to: left ? left.from - 1 : range.to };
    }),
  ]);
  if (!first.left) return cut(first.items, undefined, request);
  const found = [...first.items];
  let reached = first.left.from - 1;
  for (const { items, range, to } of further) {
    if (range.from > reached + 1) break;
    found.push(...items.filter((item) => idOf(item) > reached));
    reached = Math.max(reached, to);
  }
  return cut(found, reached, request);
}

/** Splits the ids after one into ranges of one response each. */
function rangesAfter(id: number, looked: number): Range[] {
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
