import type { Item } from '#lib/table/client.ts';
import { all } from '#lib/table/expression.ts';
import { partition } from '#lib/table/keys.ts';
import { inOrder } from '#lib/table/side-by-side.ts';
import { listItems } from './list.ts';
import type { ListRequest, Source } from './request.ts';
import { idOf, rowsAt } from './rows.ts';

/** What is to be read of all rows of a list. */
export type WholeList = Pick<ListRequest, 'where' | 'sort'> & {
  /** The attributes that are wanted. */
  readonly only: readonly string[];
};

/** So many rows are read at once, which is less than a megabyte, and so many times side by side. */
const STEP = 1000;
const AHEAD = 4;

/** The ids of a list in its order, at most so many, and how many there are. As many round trips as a page of it. */
export async function listIds(source: Source, request: WholeList, most: number) {
  const page = await listItems(source, { ...request, page: 1, pageSize: most, isBare: true });
  return { ids: page.rows.map(idOf), total: page.total };
}

/**
 * The rows of a list whose ids are known, in their order and as they are when it is their turn, a thousand at a time. One
 * that belongs to the list no more is left out.
 */
export async function* walkRows(
  { type, home }: Source,
  ids: readonly number[],
  { where, only }: WholeList,
): AsyncGenerator<Item[], undefined> {
  const pk = partition(type, home);
  const looked = [...only, ...where.flatMap(({ paths }) => paths)];
  const steps = Array.from({ length: Math.ceil(ids.length / STEP) }, (_, step) =>
    ids.slice(step * STEP, (step + 1) * STEP),
  );
  for await (const rows of inOrder(steps, AHEAD, (step) => rowsAt(pk, step, looked))) {
    yield rows.filter((row) => all(where).holds(row));
  }
}
