import { expect, test } from 'vitest';
import { containsText } from '#lib/records/query/filters.ts';
import { contains, equals } from '#lib/table/expression.ts';
import { listIds, type WholeList, walkRows } from '#lib/table/list/walk-list.ts';
import { nextId } from '#lib/table/sequences.ts';
import { LOCALES } from '#lib/values/text.ts';
import { changeRow, updateAllIndexes } from '#tests/support/lists.ts';
import { newSource, writeRows } from '#tests/support/rows.ts';

const NOW = 1_800_000_000_000;
const COUNT = 2600;

const newestFirst = { field: 'id', descending: true };

/** Creates a source of many rows, every tenth of a client's, all indexed but the last few. */
async function manyRows() {
  const source = newSource(['client_id']);
  await nextId(source.type, source.tenant, COUNT);
  const rows = Array.from({ length: COUNT }, (_, index) => ({
    id: index + 1,
    created_at: NOW + index,
    client_id: index % 10,
    code: `#${index + 1}`,
    version: 1,
  }));
  await writeRows(source, rows.slice(0, -5));
  await updateAllIndexes(source, NOW + 86_400_000);
  await writeRows(source, rows.slice(-5));
  return { source, rows };
}

async function walked(source: Awaited<ReturnType<typeof manyRows>>['source'], list: WholeList) {
  const { ids, total } = await listIds(source, list, COUNT);
  const found: unknown[] = [];
  for await (const rows of walkRows(source, ids, list)) found.push(...rows.map(({ id }) => id));
  expect(total).toBe(ids.length);
  return found;
}

test('a list is walked whole if a part of a text is looked for in all languages', async () => {
  const source = newSource();
  await nextId(source.type, source.tenant, 6);
  const names = ['Чай', 'чайник', 'стол', 'чайхона', 'стул', 'чаша'];
  const folded = (name: string) => ({ name: name.length > 5 ? { ru: name, oz: 'choy' } : name });
  const rows = names.map((name, index) => ({ id: index + 1, created_at: NOW, folded: folded(name) }));
  await writeRows(source, rows);
  const where = [containsText('name', 'чай', LOCALES)];
  expect(await walked(source, { where, sort: newestFirst, only: ['code'] })).toEqual([4, 2]);
});

test('a list is walked whole, in its order, whatever it is filtered and sorted by', async () => {
  const { source, rows } = await manyRows();
  const only = ['client_id'];
  const ids = (is: (row: (typeof rows)[number]) => boolean) => rows.filter(is).map(({ id }) => id);
  const newest = (is: (row: (typeof rows)[number]) => boolean) => ids(is).reverse();
  expect(await walked(source, { where: [], sort: newestFirst, only })).toEqual(newest(() => true));
  const client = { where: [equals('client_id', 3)], only };
  expect(await walked(source, { ...client, sort: newestFirst })).toEqual(
    newest((row) => row.client_id === 3),
  );
  expect(await walked(source, { ...client, sort: { field: 'id', descending: false } })).toEqual(
    ids((row) => row.client_id === 3),
  );
  const part = { where: [contains('code', '99')], only };
  expect(await walked(source, { ...part, sort: newestFirst })).toEqual(
    newest((row) => row.code.includes('99')),
  );
  const byClient = { where: [], sort: { field: 'client_id', descending: false }, only };
  expect((await walked(source, byClient)).slice(0, 3)).toEqual([1, 11, 21]);
});

test('as many ids are read as are asked for, with the count of all', async () => {
  const { source } = await manyRows();
  const list = { where: [], sort: newestFirst, only: [] };
  const { ids, total } = await listIds(source, list, 3);
  expect({ ids, total }).toEqual({ ids: [COUNT, COUNT - 1, COUNT - 2], total: COUNT });
});

test('a row that has left the list since its ids were read is left out', async () => {
  const { source } = await manyRows();
  const list = { where: [equals('client_id', 3)], sort: newestFirst, only: ['code'] };
  const { ids } = await listIds(source, list, COUNT);
  await changeRow(source, 14, { client_id: 4 });
  const found: unknown[] = [];
  for await (const rows of walkRows(source, ids, list)) found.push(...rows.map(({ id }) => id));
  expect(found).toEqual(ids.filter((id) => id !== 14));
});
