import { afterAll, expect, test } from 'vitest';
import { dropAnswer } from '#bench/chaos/fault.ts';
import type { WireCall } from '#bench/chaos/table-call.ts';
import { oneOf } from '#lib/table/expression.ts';
import { updateIndexes } from '#lib/table/list-index/update/update.ts';
import { chunkPartition, fieldPartition } from '#lib/table/list-index/value.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { nextId } from '#lib/table/sequences.ts';
import {
  addRows,
  expectIds,
  expectIndexed,
  expectLists,
  INDEXES,
  MINUTE,
  NOW,
  plain,
  row,
  rowsFrom,
} from '#tests/support/indexed.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import { changeRow, readPage, updateAllIndexes } from '#tests/support/lists.ts';
import { newSource, writeRows } from '#tests/support/rows.ts';
import { resettingScene } from '#tests/support/stage.ts';
import { behindProxy, faultInTest } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

test('a fold that is cut off after any call is done again by the next one, and lists are right meanwhile', async () => {
  const source = newSource(INDEXES);
  const rows = rowsFrom(1, 1550);
  const setBack = await resettingScene(proxy, async () => {
    await addRows(source, rows);
    await updateAllIndexes(source, NOW);
  });
  for (let calls = 0, isDone = false; !isDone; calls++) {
    await setBack();
    const news = rowsFrom(1551, 20).filter(({ id }) => id !== 1563);
    await nextId(source.type, source.tenant, 20);
    await writeRows(source, news);
    const all = new Map([...rows, ...news].map((each) => [each.id, each]));
    for (const id of [3, 600, 1540, 1560]) {
      all.set(id, await changeRow(source, id, { company_id: 7 - (id % 2), is_deleted: true }));
    }
    all.set(3, await changeRow(source, 3, { company_id: 1 }));
    isDone = await withCalls(calls, () => updateIndexes(source, NOW));
    await expectLists(source, [...all.values()]);
    all.set(600, await changeRow(source, 600, { company_id: 2, is_deleted: false }));
    await writeRows(source, [row(1563)]);
    all.set(1563, row(1563));
    await expectIds(source, [...all.values()]);
    await updateAllIndexes(source, NOW + 2 * MINUTE);
    await expectIndexed(source, [...all.values()]);
  }
});

test('an index keeps its chunks if the answer to its writing is lost', async () => {
  const source = newSource(INDEXES);
  await addRows(source, rowsFrom(1, 3000));
  await updateAllIndexes(source, NOW);
  await addRows(source, rowsFrom(3001, 20));
  const isIndex = ({ operation, keys: [key] }: WireCall) =>
    operation === 'PutItem' && key?.pk === fieldPartition({ source, generation: 1 }, '*') && key.sk === '*';
  const lost = faultInTest(proxy, isIndex, dropAnswer, { times: 1 });
  await updateAllIndexes(source, NOW);
  lost.off();
  const items = await wholePartition(chunkPartition({ source, generation: 1 }, { field: '*', text: '*' }));
  expect(items.length).toBeGreaterThan(0);
  expect(items.filter((item) => 'expires_at' in item)).toEqual([]);
  await expectIndexed(source, rowsFrom(1, 3020));
});

test('folders, writers and readers at the same time: every list is exact, and the indexes are right after them', async () => {
  const source = newSource(INDEXES);
  const rows = new Map(rowsFrom(1, 1200).map((each) => [each.id, each]));
  await addRows(source, [...rows.values()]);
  let isOver = false;
  let begun = rows.size;
  const writer = async (mine: number) => {
    for (let round = 0; round < 60; round++) {
      begun += 1;
      const made = row(await nextId(source.type, source.tenant), NOW);
      await writeRows(source, [made]);
      rows.set(made.id, made);
      const id = ((round * 37 + mine * 400) % 1200) + 1;
      if (id % 3 !== mine) continue;
      rows.set(id, await changeRow(source, id, { company_id: round % 3, is_deleted: round % 2 === 0 }));
    }
  };
  const folder = async () => {
    while (!isOver) await updateIndexes(source, NOW);
  };
  // Deleted or not, of one company or another: together they are all rows, at every moment.
  const reader = async () => {
    while (!isOver) {
      const before = rows.size;
      for (const where of [[oneOf('company_id', [0, 1, 2])], [oneOf('is_deleted', [true, false])], []]) {
        const { total, ids } = await readPage(source, { ...plain, where });
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
  await updateAllIndexes(source, NOW + 2 * MINUTE);
  await expectIndexed(source, [...rows.values()]);
});
