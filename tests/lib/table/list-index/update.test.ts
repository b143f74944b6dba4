import { BatchGetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { updateOne } from '#lib/table/change/send.ts';
import { put, remove } from '#lib/table/change/write.ts';
import { dynamo } from '#lib/table/client.ts';
import { equals, present, within } from '#lib/table/expression.ts';
import { recordKey, type Source } from '#lib/table/keys.ts';
import { readChanges, stateKey } from '#lib/table/list-index/changes.ts';
import { indexFrom } from '#lib/table/list-index/manifest.ts';
import { updateIndexes } from '#lib/table/list-index/update/update.ts';
import { chunkPartition, indexKey } from '#lib/table/list-index/value.ts';
import { getItem } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import {
  addRows,
  expectIndexed,
  expectLists,
  INDEXES,
  MINUTE,
  NOW,
  plain,
  row,
  rowsFrom,
} from '#tests/support/indexed.ts';
import { computeExpected, expectPages, readPage, updateAllIndexes } from '#tests/support/lists.ts';
import { newSource, writeRows } from '#tests/support/rows.ts';

/** Makes indexes rebuild, as in `docs/operate.md`. */
function drop(source: Source): Promise<boolean> {
  return updateOne(stateKey(source), { set: { zone: 'none' } }, present('pk'));
}

test('a record that comes after later ones were folded in is found when it comes', async () => {
  const source = newSource(INDEXES);
  const rows = rowsFrom(1, 300).filter(({ id }) => id !== 100);
  await nextId(source.type, source.tenant, 300);
  await writeRows(source, rows);
  await updateAllIndexes(source, NOW);
  expect((await readChanges(source)).state).toMatchObject({ upto: 300, holes: [{ from: 100, to: 100 }] });
  await writeRows(source, [row(100)]);
  const all = rowsFrom(1, 300);
  await expectLists(source, all);
  await updateAllIndexes(source, NOW + 30_000);
  expect((await readChanges(source)).state).toMatchObject({ upto: 300, holes: [] });
  await expectLists(source, all);
});

test('an id that never comes is given up after a minute, and a message comes back to it', async () => {
  const source = newSource(INDEXES);
  await nextId(source.type, source.tenant, 100);
  await writeRows(
    source,
    rowsFrom(1, 100).filter(({ id }) => id !== 50),
  );
  const left = await updateIndexes(source, NOW);
  expect(left?.wakeAt).toBeGreaterThan(NOW + MINUTE);
  expect(await updateIndexes(source, NOW + 30_000)).toEqual({ isMore: false, wakeAt: undefined });
  await updateIndexes(source, left?.wakeAt ?? 0);
  expect((await readChanges(source)).state).toMatchObject({ holes: [] });
});

test('a wrong index is found out by its reader, who warns and reads the records, until it is dropped', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  const source = newSource(INDEXES);
  await addRows(source, rowsFrom(1, 700));
  await updateAllIndexes(source, NOW);
  const wrong = { ...row(690), company_id: 2 };
  await transact([put(recordKey(source.type, source.tenant, 690), wrong)]);
  const rows = rowsFrom(1, 700).map((each) => (each.id === 690 ? wrong : each));
  const where = [equals('company_id', 0)];
  expect(await readPage(source, { ...plain, where })).toEqual(computeExpected(rows, { ...plain, where }));
  expect(warned).toHaveBeenCalledWith(expect.stringContaining('are wrong'));
  await drop(source);
  await expectLists(source, rows);
  await updateAllIndexes(source, NOW);
  expect((await readChanges(source)).state).toMatchObject({ generation: 2, upto: 700 });
  await expectIndexed(source, rows);
});

test('indexes that were dropped stay for who is reading them, and go when others are dropped', async () => {
  const source = newSource(INDEXES);
  await addRows(source, rowsFrom(1, 100));
  await updateAllIndexes(source, NOW);
  const hasIndex = async (generation: number) =>
    (await getItem(indexKey({ source, generation }, { field: 'company_id', text: '1' }))) !== undefined;
  await drop(source);
  await updateAllIndexes(source, NOW);
  expect([await hasIndex(1), await hasIndex(2)]).toEqual([true, true]);
  await drop(source);
  await updateAllIndexes(source, NOW);
  expect([await hasIndex(1), await hasIndex(2), await hasIndex(3)]).toEqual([false, true, true]);
});

test('a lost part of an index costs no more than reading all records, until it is dropped', async () => {
  vi.spyOn(process, 'emitWarning').mockReturnValue();
  const source = newSource(INDEXES);
  const rows = rowsFrom(1, 3000);
  await addRows(source, rows);
  await updateAllIndexes(source, NOW);
  await addRows(source, rowsFrom(3001, 1));
  await updateAllIndexes(source, NOW);
  const place = { source, generation: 1 };
  const value = { field: '*', text: '*' };
  const chunks = await wholePartition(chunkPartition(place, value));
  expect(indexFrom(await getItem(indexKey(place, value))).chunks).toHaveLength(chunks.length);
  await transact(chunks.map(({ sk }) => remove({ pk: chunkPartition(place, value), sk: String(sk) })));
  await expectLists(source, rowsFrom(1, 3001));
  await drop(source);
  await updateAllIndexes(source, NOW);
  await expectIndexed(source, rowsFrom(1, 3001));
});

test('a field that lists come to filter by is read from the records until its index is built', async () => {
  const source = newSource(['is_deleted']);
  const rows = rowsFrom(1, 300);
  await addRows(source, rows);
  await updateAllIndexes(source, NOW);
  const more = { ...source, indexes: INDEXES };
  await expectLists(more, rows);
  await updateAllIndexes(more, NOW);
  expect((await readChanges(more)).state).toMatchObject({ generation: 2 });
  await expectIndexed(more, rows);
});

test('a list of copies, whose ids were given out elsewhere, has no indexes', async () => {
  const source = newSource(INDEXES);
  await writeRows(
    source,
    [9, 5, 7].map((id) => row(id)),
  );
  await updateAllIndexes(source, NOW);
  expect(await readPage(source, plain)).toEqual({ total: 3, ids: [9, 7, 5] });
  await transact([remove(recordKey(source.type, source.tenant, 7))]);
  expect(await readPage(source, plain)).toEqual({ total: 2, ids: [9, 5] });
});

test('a reader writes nothing', async () => {
  const source = newSource(INDEXES);
  await addRows(source, rowsFrom(1, 300));
  await updateAllIndexes(source, NOW);
  const sent = vi.spyOn(dynamo, 'send');
  await expectLists(source, rowsFrom(1, 300));
  const isRead = ([command]: [unknown, ...unknown[]]) =>
    command instanceof BatchGetCommand || command instanceof QueryCommand;
  expect(sent.mock.calls.length).toBeGreaterThan(0);
  expect(sent.mock.calls.every(isRead)).toBe(true);
});

test('records of days in any order are found by their period', async () => {
  const source = newSource(INDEXES);
  const day = 86_400_000;
  const start = 1_799_953_200_000;
  const rows = Array.from({ length: 400 }, (_, index) =>
    row(index + 1, start + ((index * 7) % 11) * day + (index % 24) * 3_600_000),
  );
  await addRows(source, rows);
  await updateAllIndexes(source, NOW);
  for (let from = -1; from < 12; from += 3) {
    const where = [within('created_at', start + from * day, start + (from + 4) * day)];
    await expectPages(source, rows, { ...plain, where, pageSize: 50 });
  }
});
