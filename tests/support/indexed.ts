import { expect } from 'vitest';
import { equals, oneOf } from '#lib/table/expression.ts';
import type { Source } from '#lib/table/keys.ts';
import type { ListRequest } from '#lib/table/read/request.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { newMeter, runInContext, unitsOf } from '#lib/table/request-context.ts';
import { nextId } from '#lib/table/sequences.ts';
import { expectPages, readPage } from './lists.ts';
import { type ListRow, writeRows } from './rows.ts';

export const MINUTE = 60_000;
export const NOW = 1_800_000_000_000;
export const INDEXES = ['company_id', 'is_deleted'];
const sort = { field: 'id', descending: true };
export const plain: ListRequest = { where: [], sort, page: 1, pageSize: 300 };

const LISTS = [[], [equals('company_id', 1)], [oneOf('company_id', [0, 2])], [equals('is_deleted', true)]];

/** Builds the row of an id. */
export function row(id: number, created_at = NOW - 60 * MINUTE): ListRow {
  return { id, created_at, company_id: id % 3, is_deleted: false, version: 1 };
}

/** Creates rows of ids one after the other. */
export function rowsFrom(first: number, count: number, created_at?: number): ListRow[] {
  return Array.from({ length: count }, (_, index) => row(first + index, created_at));
}

/** Draws ids, and writes rows of them. */
export async function addRows(source: Source, rows: readonly ListRow[]): Promise<void> {
  await nextId(source.type, source.tenant, rows.length);
  await writeRows(source, rows);
}

/** Reads all lists, and checks them against the rows. */
export async function expectLists(
  source: Source,
  rows: readonly ListRow[],
  { pageSize = 900, isBare = false } = {},
): Promise<void> {
  for (const where of LISTS) await expectPages(source, rows, { ...plain, where, pageSize, isBare });
}

/**
 * Reads the ids of all lists, and compares them with the rows. The records of the pages are not read, which
 * would reveal and repair a corrupt index: so a corrupt one is found here at once.
 */
export function expectIds(source: Source, rows: readonly ListRow[]): Promise<void> {
  return expectLists(source, rows, { isBare: true });
}

/** Reads the ids of all lists, and checks that no records are read for them except those of the pages. */
export async function expectIndexed(source: Source, rows: readonly ListRow[]): Promise<void> {
  await expectIds(source, rows);
  expect(await wholePartition(`changes#${source.type}#${source.tenant}`)).toHaveLength(1);
  const meter = newMeter();
  await runInContext({ meter }, () => readPage(source, { ...plain, pageSize: 20 }));
  expect(unitsOf(meter)).toBeLessThan(30);
}
