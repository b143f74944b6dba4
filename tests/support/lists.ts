import { expect } from 'vitest';
import { put } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { all, equals } from '#lib/table/expression.ts';
import { recordKey, type Source } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { changeWrites } from '#lib/table/list-index/changes.ts';
import { updateIndexes } from '#lib/table/list-index/update/update.ts';
import { getItem } from '#lib/table/read/get.ts';
import type { ListRequest } from '#lib/table/read/request.ts';
import { Contention, transact } from '#lib/table/transaction/transact.ts';
import type { ListRow } from './rows.ts';

/** Applies all pending index updates; others may do so at the same time. */
export async function updateAllIndexes(source: Source, at: number): Promise<void> {
  for (let isMore = true; isMore; ) isMore = (await updateIndexes(source, at))?.isMore ?? true;
}

/** Computes the expected list from the rows. */
export function computeExpected(rows: readonly ListRow[], request: ListRequest) {
  return naivePage(naiveIds(rows, request), request);
}

/** Computes the ids of all pages of a list. */
function naiveIds(rows: readonly ListRow[], { where, sort }: ListRequest): number[] {
  const left = rows.filter((each) => all(where).matches(each)).map(({ id }) => id);
  return left.sort((a, b) => (sort.descending ? b - a : a - b));
}

function naivePage(ids: readonly number[], { page, pageSize }: ListRequest) {
  return { total: ids.length, ids: ids.slice((page - 1) * pageSize, page * pageSize) };
}

/** Reads the total and the ids of a page. */
export async function readPage(source: Source, request: ListRequest) {
  const { rows, total } = await listItems(source, request);
  return { total, ids: rows.map(({ id }) => id) };
}

/** Changes a row as records are changed: with its entry among the changes. */
export async function changeRow(source: Source, id: number, given: Item): Promise<ListRow> {
  const key = recordKey(source.type, source.tenant, id);
  for (;;) {
    const item = await getItem(key);
    const version = Number(item?.['version']);
    const before = { ...item, id, version };
    const after = { ...before, ...given, created_at: Number(item?.['created_at']), version: version + 1 };
    try {
      await transact([
        put(key, after, { if: equals('version', version) }),
        ...changeWrites(source, before, after).map((write) => ({ ...write, notice: undefined })),
      ]);
      return after;
    } catch (error) {
      if (!(error instanceof Contention)) throw error;
    }
  }
}

/**
 * Looks at the first pages of a list, which are read otherwise if they are small, and at its last: their rows
 * must be whole.
 */
export async function expectWholeRows(
  source: Source,
  rows: readonly ListRow[],
  request: ListRequest,
): Promise<void> {
  const right = naiveIds(rows, request);
  const last = Math.ceil(right.length / request.pageSize);
  for (const page of [1, 2, 3, Math.max(4, last)]) {
    const { rows: found, total } = await listItems(source, { ...request, page });
    const ids = found.map(({ id }) => id);
    expect({ total, ids }).toEqual(naivePage(right, { ...request, page }));
    for (const row of found) expect(row).toMatchObject({ version: expect.any(Number) });
  }
}

/** Looks at every page of a list, and some beyond, and compares it with the rows. */
export async function expectPages(
  source: Source,
  rows: readonly ListRow[],
  request: ListRequest,
): Promise<void> {
  const right = naiveIds(rows, request);
  const last = Math.ceil(right.length / request.pageSize);
  for (let page = 1; page <= last + 2; page++) {
    expect(await readPage(source, { ...request, page })).toEqual(naivePage(right, { ...request, page }));
  }
}
