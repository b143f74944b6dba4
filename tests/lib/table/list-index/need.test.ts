import { expect, test } from 'vitest';
import { equals } from '#lib/table/expression.ts';
import type { Source } from '#lib/table/keys.ts';
import { needsIndexes } from '#lib/table/list-index/update/need.ts';
import { nextId } from '#lib/table/sequences.ts';
import { changeRow, expectPages, updateAllIndexes } from '#tests/support/lists.ts';
import { newSource, writeRows } from '#tests/support/rows.ts';

const NOW = 1_800_000_000_000;
const newestFirst = { field: 'id', descending: true };

async function newRows(count: number) {
  const source = newSource(['status']);
  await nextId(source.type, source.tenant, count);
  const rows = Array.from({ length: count }, (_, index) => rowOf(index + 1));
  await writeRows(source, rows);
  return { source, rows };
}

const rowOf = (id: number) => ({ id, created_at: NOW, version: 1, status: 'open' });

async function close(source: Source, id: number): Promise<void> {
  await changeRow(source, id, { status: 'closed' });
}

test('a source that a reader reads whole has no indexes, and its lists are exact', async () => {
  const { source, rows } = await newRows(63);
  await close(source, 5);
  expect(await needsIndexes(source)).toBe(false);
  const now = rows.map((row) => (row.id === 5 ? { ...row, status: 'closed' } : row));
  const where = [equals('status', 'closed')];
  await expectPages(source, now, { where, sort: newestFirst, page: 1, pageSize: 20 });
});

test('one with more records needs them, and so does one that has some', async () => {
  expect(await needsIndexes((await newRows(64)).source)).toBe(true);
  const { source } = await newRows(3);
  await updateAllIndexes(source, NOW);
  expect(await needsIndexes(source)).toBe(true);
});

test('neither many changed records nor one that changes often are left without them', async () => {
  const { source: many } = await newRows(20);
  for (let id = 1; id <= 15; id++) await close(many, id);
  expect(await needsIndexes(many)).toBe(false);
  await close(many, 16);
  expect(await needsIndexes(many)).toBe(true);
  const { source: often } = await newRows(1);
  for (let each = 1; each <= 16; each++) await changeRow(often, 1, { status: `state ${each}` });
  expect(await needsIndexes(often)).toBe(true);
});
