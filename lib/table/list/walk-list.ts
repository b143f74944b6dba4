import type { Item } from '#lib/table/client.ts';
import { all } from '#lib/table/expression.ts';
import { partition, type Source } from '#lib/table/keys.ts';
import { idOf, rowsAt } from '#lib/table/read/ranges.ts';
import type { ListRequest } from '#lib/table/read/request.ts';
import { mapConcurrentInOrder, splitEvery } from '#lib/values/concurrency.ts';
import { listItems } from './list.ts';

/** A choice of all rows of a list. */
export type WholeList = Pick<ListRequest, 'where' | 'sort'> & {
  /** The wanted attributes. */
  readonly only: readonly string[];
};

/** Rows that are read at once, less than a megabyte, and how many such readings go side by side. */
const STEP = 1000;
const AHEAD = 4;

/**
 * Reads the ids of a list in its order, at most `most`, and how many there are. As many round trips as a page
 * of it.
 */
export async function listIds(source: Source, request: WholeList, max: number) {
  const page = await listItems(source, { ...request, page: 1, pageSize: max, isBare: true });
  return { ids: page.rows.map(idOf), total: page.total };
}

/**
 * Reads the rows of a list whose ids are known, in their order and as they are when it is their turn, a
 * thousand at a time. A row that no longer belongs to the list is left out.
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
