import { BatchGetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import { documents } from '#lib/table/client.ts';
import { equals, oneOf, within } from '#lib/table/expression.ts';
import { recordKey } from '#lib/table/keys.ts';
import type { ListRequest, Source } from '#lib/table/list/request.ts';
import { readChanges } from '#lib/table/list-index/changes.ts';
import { foldIndexes } from '#lib/table/list-index/fold/fold.ts';
import { indexFrom } from '#lib/table/list-index/manifest.ts';
import { chunkPartition, indexKey } from '#lib/table/list-index/value.ts';
import { metered, newMeter, unitsOf } from '#lib/table/meter.ts';
import { getItem } from '#lib/table/reads.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { put, remove } from '#lib/table/transaction/write.ts';
import { wholePartition } from '#lib/table/walk.ts';
import { withCalls } from '#tests/kit/life.ts';
import { changeRow, expectPages, foldAll, naively, shown } from '#tests/kit/lists.ts';
import { newSource, type Row, writeRows } from '#tests/kit/rows.ts';

const MINUTE = 60_000;
const NOW = 1_800_000_000_000;
const INDEXES = ['company_id', 'is_deleted'];
const sort = { field: 'id', descending: true };
const plain: ListRequest = { where: [], sort, page: 1, pageSize: 300 };

const LISTS = [[], [equals('company_id', 1)], [oneOf('company_id', [0, 2])], [equals('is_deleted', true)]];

function row(id: number, created_at = NOW - 60 * MINUTE): Row {
  return { id, created_at, company_id: id % 3, is_deleted: false, version: 1 };
}

function rowsFrom(first: number, count: number, created_at?: number): Row[] {
  return Array.from({ length: count }, (_, index) => row(first + index, created_at));
}

async function added(source: Source, rows: readonly Row[]): Promise<void> {
  await nextId(source.type, source.home, rows.length);
  await writeRows(source, rows);
}

async function expectLists(source: Source, rows: readonly Row[], pageSize = 900): Promise<void> {
  for (const where of LISTS) await expectPages(source, rows, { ...plain, where, pageSize });
}

/** Reads all lists, and checks that no records were read for them except those of the pages. */
async function expectIndexed(source: Source, rows: readonly Row[]): Promise<void> {
  await expectLists(source, rows);
  expect(await wholePartition(`changes#${source.type}#${source.home}`)).toHaveLength(1);
  const meter = newMeter();
  await metered(meter, () => shown(source, { ...plain, pageSize: 20 }));
  expect(unitsOf(meter)).toBeLessThan(30);
}

test('a fold that is cut off after any call is done again by the next one, and lists are right meanwhile', {
  timeout: 120_000,
}, async () => {
  for (let calls = 0, isDone = false; !isDone; calls++) {
    const source = newSource(INDEXES);
    const rows = rowsFrom(1, 1550);
    await added(source, rows);
    await foldAll(source, NOW);
    const news = rowsFrom(1551, 20).filter(({ id }) => id !== 1563);
    await nextId(source.type, source.home, 20);
    await writeRows(source, news);
    const all = new Map([...rows, ...news].map((each) => [each.id, each]));
    for (const id of [3, 600, 1540, 1560]) {
      all.set(id, await changeRow(source, id, { company_id: 7 - (id % 2), is_deleted: true }));
    }
    all.set(3, await changeRow(source, 3, { company_id: 1 }));
    isDone = await withCalls(calls, () => foldIndexes(source, NOW));
    await expectLists(source, [...all.values()]);
    all.set(600, await changeRow(source, 600, { company_id: 2, is_deleted: false }));
    await writeRows(source, [row(1563)]);
    all.set(1563, row(1563));
    await expectLists(source, [...all.values()]);
    await foldAll(source, NOW + 2 * MINUTE);
    await expectIndexed(source, [...all.values()]);
  }
});

test('folders, writers and readers at the same time: every list is exact, and the indexes are right after them', {
  timeout: 120_000,
}, async () => {
  const source = newSource(INDEXES);
  const rows = new Map(rowsFrom(1, 1200).map((each) => [each.id, each]));
  await added(source, [...rows.values()]);
  let isOver = false;
  let begun = rows.size;
  const writer = async (mine: number) => {
    for (let round = 0; round < 60; round++) {
      begun += 1;
      const made = row(await nextId(source.type, source.home), NOW);
      await writeRows(source, [made]);
      rows.set(made.id, made);
      const id = ((round * 37 + mine * 400) % 1200) + 1;
      if (id % 3 !== mine) continue;
      rows.set(id, await changeRow(source, id, { company_id: round % 3, is_deleted: round % 2 === 0 }));
    }
  };
  const folder = async () => {
    while (!isOver) await foldIndexes(source, NOW);
  };
  // Deleted or not, of one company or another: together they are all rows, at every moment.
  const reader = async () => {
    while (!isOver) {
      const before = rows.size;
      for (const where of [[oneOf('company_id', [0, 1, 2])], [oneOf('is_deleted', [true, false])], []]) {
        const { total, ids } = await shown(source, { ...plain, where });
        expect(total).toBeGreaterThanOrEqual(before);
        expect(total).toBeLessThanOrEqual(begun);
        expect(ids).toHaveLength(300);
      }
    }
  };
  const others = [folder(), folder(), folder(), reader(), reader()];
  await Promise.all([writer(0), writer(1), writer(2)]);
  isOver = true;
  await Promise.all(others);
  await foldAll(source, NOW + 2 * MINUTE);
  await expectIndexed(source, [...rows.values()]);
});

test('a record that comes after later ones were folded in is found when it comes', async () => {
  const source = newSource(INDEXES);
  const rows = rowsFrom(1, 300).filter(({ id }) => id !== 100);
  await nextId(source.type, source.home, 300);
  await writeRows(source, rows);
  await foldAll(source, NOW);
  expect((await readChanges(source)).state).toMatchObject({ upto: 300, holes: [{ from: 100, to: 100 }] });
  await writeRows(source, [row(100)]);
  const all = rowsFrom(1, 300);
  await expectLists(source, all);
  await foldAll(source, NOW + 30_000);
  expect((await readChanges(source)).state).toMatchObject({ upto: 300, holes: [] });
  await expectLists(source, all);
});

test('an id that never comes is given up after a minute, and a message comes back to it', async () => {
  const source = newSource(INDEXES);
  await nextId(source.type, source.home, 100);
  await writeRows(
    source,
    rowsFrom(1, 100).filter(({ id }) => id !== 50),
  );
  const left = await foldIndexes(source, NOW);
  expect(left?.wakeAt).toBeGreaterThan(NOW + MINUTE);
  expect(await foldIndexes(source, NOW + 30_000)).toEqual({ isMore: false, wakeAt: undefined });
  await foldIndexes(source, left?.wakeAt ?? 0);
  expect((await readChanges(source)).state).toMatchObject({ holes: [] });
});

test('a record that came too late is mended when later ids are folded in, with a warning', {
  timeout: 60_000,
}, async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  const source = newSource(INDEXES);
  await nextId(source.type, source.home, 990);
  await writeRows(
    source,
    rowsFrom(1, 990).filter(({ id }) => id !== 500),
  );
  await foldAll(source, NOW);
  await foldAll(source, NOW + 2 * MINUTE);
  await writeRows(source, [row(500)]);
  expect(await shown(source, plain)).toMatchObject({ total: 989 });
  await added(source, rowsFrom(991, 64, NOW + 20 * MINUTE));
  await foldAll(source, NOW + 20 * MINUTE);
  expect(warned).toHaveBeenCalledWith(expect.stringContaining('were wrong about 1 records'));
  await expectLists(source, [...rowsFrom(1, 990), ...rowsFrom(991, 64, NOW + 20 * MINUTE)]);
});

test('a wrong index is found out by its reader, and built anew beside the old one', {
  timeout: 60_000,
}, async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  const source = newSource(INDEXES);
  await added(source, rowsFrom(1, 700));
  await foldAll(source, NOW);
  const wrong = { ...row(690), company_id: 2 };
  await transact([put(recordKey(source.type, source.home, 690), wrong)]);
  const rows = rowsFrom(1, 700).map((each) => (each.id === 690 ? wrong : each));
  const where = [equals('company_id', 0)];
  expect(await shown(source, { ...plain, where })).toEqual(naively(rows, { ...plain, where }));
  expect(warned).toHaveBeenCalledWith(expect.stringContaining('are wrong'));
  const later = NOW + 20 * MINUTE;
  await foldIndexes(source, later, true);
  await foldAll(source, later);
  expect((await readChanges(source)).state).toMatchObject({ generation: 2, retired: { generation: 1 } });
  await expectLists(source, rows);
  await foldAll(source, later + 3 * MINUTE);
  const old = { source, generation: 1 };
  expect(await getItem(indexKey(old, { field: 'company_id', text: '1' }))).toBeUndefined();
  expect((await readChanges(source)).state?.retired).toBeUndefined();
  await expectIndexed(source, rows);
});

test('a lost part of an index costs no more than reading all records, until it is built anew', {
  timeout: 60_000,
}, async () => {
  vi.spyOn(process, 'emitWarning').mockReturnValue();
  const source = newSource(INDEXES);
  const rows = rowsFrom(1, 3000);
  await added(source, rows);
  await foldAll(source, NOW);
  await added(source, rowsFrom(3001, 1));
  await foldAll(source, NOW);
  const place = { source, generation: 1 };
  const value = { field: '*', text: '*' };
  const chunks = await wholePartition(chunkPartition(place, value));
  expect(indexFrom(await getItem(indexKey(place, value))).chunks).toHaveLength(chunks.length);
  await transact(chunks.map(({ sk }) => remove({ pk: chunkPartition(place, value), sk: String(sk) })));
  await expectLists(source, rowsFrom(1, 3001));
  await foldIndexes(source, NOW + 20 * MINUTE, true);
  await foldAll(source, NOW + 20 * MINUTE);
  await expectIndexed(source, rowsFrom(1, 3001));
});

test('a field that lists come to filter by is read from the records until its index is built', async () => {
  const source = newSource(['is_deleted']);
  const rows = rowsFrom(1, 300);
  await added(source, rows);
  await foldAll(source, NOW);
  const more = { ...source, indexes: INDEXES };
  await expectLists(more, rows);
  await foldAll(more, NOW);
  expect((await readChanges(more)).state).toMatchObject({ generation: 2 });
  await expectIndexed(more, rows);
});

test('a list of copies, whose ids were given out elsewhere, has no indexes', async () => {
  const source = newSource(INDEXES);
  await writeRows(
    source,
    [9, 5, 7].map((id) => row(id)),
  );
  await foldAll(source, NOW);
  expect(await shown(source, plain)).toEqual({ total: 3, ids: [9, 7, 5] });
  await transact([remove(recordKey(source.type, source.home, 7))]);
  expect(await shown(source, plain)).toEqual({ total: 2, ids: [9, 5] });
});

test('a reader writes nothing', async () => {
  const source = newSource(INDEXES);
  await added(source, rowsFrom(1, 300));
  await foldAll(source, NOW);
  const sent = vi.spyOn(documents, 'send');
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
  await added(source, rows);
  await foldAll(source, NOW);
  for (let from = -1; from < 12; from += 3) {
    const where = [within('created_at', start + from * day, start + (from + 4) * day)];
    await expectPages(source, rows, { ...plain, where, pageSize: 50 });
  }
});
