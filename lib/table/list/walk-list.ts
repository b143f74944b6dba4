import type { Item } from '#lib/table/client.ts';
import { all } from '#lib/table/expression.ts';
import { partition, type Source } from '#lib/table/keys.ts';
import { idOf, rowsAt } from '#lib/table/read/ranges.ts';
import type { ListRequest } from '#lib/table/read/request.ts';
import { mapConcurrentInOrder, splitEvery } from '#lib/values/concurrency.ts';
import { listItems } from './list.ts';

/** A request for all rows of a list. */
export type WholeList = Pick<ListRequest, 'where' | 'sort'> & {
  /** Requested attributes. */
  readonly only: readonly string[];
};

/** Rows in a batch, less than a megabyte, and the number of concurrent batches. */
const STEP = 1000;
const AHEAD = 4;

/**
 * Reads the ids of a list in its order, at most `max`, and their total. As many round trips as for a page of
 * it.
 */
export async function listIds(source: Source, request: WholeList, max: number) {
  const page = await listItems(source, { ...request, page: 1, pageSize: max, isBare: true });
  return { ids: page.rows.map(idOf), total: page.total };
}

/**
 * Reads the rows of a list by their ids, in order, in their current state, a thousand at a time. Skips rows
 * that no longer belong to the list.
 */
export async function* walkRows(
  { type, tenant }: Source,
  ids: readonly number[],
  { where, only }: WholeList,
): AsyncGenerator<Item[], undefined> {
  const pk = partition(type, tenant);
  const looked = [...only, ...where.flatMap(({ paths }) => paths)];
  for await (const rows of mapConcurrentInOrder(splitEvery(ids, STEP), AHEAD, (step) =>
    rowsAt(pk, step, looked),
  )) {
    yield rows.filter((row) => all(where).matches(row));
  }
}
