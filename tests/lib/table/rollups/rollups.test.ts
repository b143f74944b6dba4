import { expect, test, vi } from 'vitest';
import { PLATFORM } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { packCells, unpackCells } from '#lib/table/rollups/cell.ts';
import { groupPartition } from '#lib/table/rollups/kind.ts';
import { mostCellsOf } from '#lib/table/rollups/part.ts';
import { readRollups } from '#lib/table/rollups/read.ts';
import { updateRollups } from '#lib/table/rollups/update.ts';
import { nextId } from '#lib/table/sequences.ts';
import { addRows, MINUTE, NOW, row, rowsFrom } from '#tests/support/indexed.ts';
import {
  expectRollups,
  newKind,
  readAll,
  rowsOfKind,
  stateOf,
  sumsOfRows,
  updateAllRollups,
} from '#tests/support/rollups.ts';
import { writeRows } from '#tests/support/rows.ts';

test('sums of any size come back as they were packed', () => {
  const sums = [0n, 127n, 128n, 2n ** 46n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 10n ** 24n + 7n];
  const cells = [
    { of: [0, 1_000_000_000], sums },
    { of: [31, 127], sums: sums.toReversed() },
  ];
  const packed = packCells(cells);
  expect(unpackCells(packed, { numbers: 2, sums: sums.length })).toEqual(cells);
  expect(() => packCells([{ of: [1], sums: [-1n] }])).toThrow('below zero');
});

test('cubes that were never folded are read from the rows, and folded ones without them', async () => {
  const kind = newKind();
  await addRows(rowsOfKind(kind), rowsFrom(1, 400));
  expect(await readAll(kind)).toEqual(sumsOfRows(rowsFrom(1, 400)));
  await updateAllRollups(kind, NOW);
  await expectRollups(kind, rowsFrom(1, 400));
  await addRows(rowsOfKind(kind), rowsFrom(401, 90));
  expect(await readAll(kind)).toEqual(sumsOfRows(rowsFrom(1, 490)));
  await updateAllRollups(kind, NOW);
  await expectRollups(kind, rowsFrom(1, 490));
});

test('a fold that is done twice changes nothing', async () => {
  const kind = newKind();
  await addRows(rowsOfKind(kind), rowsFrom(1, 200));
  await updateAllRollups(kind, NOW);
  const before = await wholePartition(groupPartition(kind, PLATFORM, 1, 'g1'));
  expect(await updateRollups(kind, PLATFORM, NOW)).toEqual({ isMore: false, wakeAt: undefined });
  expect(await wholePartition(groupPartition(kind, PLATFORM, 1, 'g1'))).toEqual(before);
});

test('fewer rows than are worth a fold are left to readers', async () => {
  const kind = newKind({ worth: 256 });
  await addRows(rowsOfKind(kind), rowsFrom(1, 255));
  await updateAllRollups(kind, NOW);
  expect(await stateOf(kind)).toBeUndefined();
  await addRows(rowsOfKind(kind), rowsFrom(256, 1));
  await updateAllRollups(kind, NOW);
  expect(await stateOf(kind)).toMatchObject({ upto: 256, groups: ['g1', 'g2', 'g0'] });
});

test('a row that comes after later ones were folded in counts when it comes, and once it is folded in', async () => {
  const kind = newKind();
  await nextId(kind.source, PLATFORM, 300);
  await writeRows(
    rowsOfKind(kind),
    rowsFrom(1, 300).filter(({ id }) => id !== 100),
  );
  const left = await updateAllRollups(kind, NOW);
  expect(left.wakeAt).toBeGreaterThan(NOW + MINUTE);
  expect(await stateOf(kind)).toMatchObject({ upto: 300, holes: [{ from: 100, to: 100 }] });
  expect(await readAll(kind)).toEqual(sumsOfRows(rowsFrom(1, 300).filter(({ id }) => id !== 100)));
  await writeRows(rowsOfKind(kind), [row(100)]);
  expect(await readAll(kind)).toEqual(sumsOfRows(rowsFrom(1, 300)));
  await updateAllRollups(kind, left.wakeAt ?? 0);
  expect(await stateOf(kind)).toMatchObject({ holes: [] });
  await expectRollups(kind, rowsFrom(1, 300));
});

test('some groups and periods are read alone, whether they are folded in or not', async () => {
  const kind = newKind();
  await addRows(rowsOfKind(kind), rowsFrom(1, 200));
  await updateAllRollups(kind, NOW);
  await addRows(rowsOfKind(kind), rowsFrom(201, 70));
  const asked = { isGroup: (group: string) => group !== 'g0', periods: ['p1', 'p2'] };
  expect(await readAll(kind, asked)).toEqual(
    sumsOfRows(rowsFrom(1, 270), ({ group, period }) => group !== 'g0' && period !== 'p0'),
  );
});

test('a cube of more cells than an item holds is parted, and stays right', async () => {
  const [numbers, sums] = [2, 2];
  const max = mostCellsOf({ numbers, sums });
  const kind = newKind({
    max: 4000,
    factsOf: (_, headers) =>
      Promise.resolve(
        headers.flatMap(({ id }) =>
          Array.from({ length: 10 }, (__, each) => ({
            id: Number(id),
            group: 'g',
            period: 'p',
            of: [1, Number(id) * 10 + each],
            sums: [2n ** 60n, id === 1 ? 1 : 0],
          })),
        ),
      ),
  });
  const rows = Math.ceil((2.5 * max) / 10);
  await addRows(rowsOfKind(kind), rowsFrom(1, rows));
  await updateAllRollups(kind, NOW);
  await addRows(rowsOfKind(kind), rowsFrom(rows + 1, 5));
  await updateAllRollups(kind, NOW);
  const items = await wholePartition(groupPartition(kind, PLATFORM, 1, 'g'));
  expect(items).toHaveLength(3);
  const [cube] = await readRollups(kind, PLATFORM, { isGroup: () => true, periods: ['p'] });
  expect(new Set(cube?.cells.map(({ of }) => of[1])).size).toBe((rows + 5) * 10);
  expect(cube?.cells.every(({ sums: [large] }) => large === 2n ** 60n)).toBe(true);
});

test('cubes of another edition are built anew, and those before them go once they are no more in use', async () => {
  const kind = newKind();
  await addRows(rowsOfKind(kind), rowsFrom(1, 150));
  await updateAllRollups(kind, NOW);
  const next = { ...kind, edition: 2 };
  expect(await readAll(next)).toEqual(sumsOfRows(rowsFrom(1, 150)));
  await updateAllRollups(next, NOW);
  await expectRollups(next, rowsFrom(1, 150));
  expect(await wholePartition(groupPartition(kind, PLATFORM, 1, 'g1'))).not.toEqual([]);
  await updateAllRollups({ ...kind, edition: 3 }, NOW);
  expect(await wholePartition(groupPartition(kind, PLATFORM, 1, 'g1'))).toEqual([]);
});

test('too many rows that are not folded in are refused, not read', async () => {
  const kind = newKind();
  await nextId(kind.source, PLATFORM, 20_001);
  await expect(readAll(kind)).rejects.toMatchObject({ status: 503 });
});

test('a reader writes nothing', async () => {
  const kind = newKind();
  await addRows(rowsOfKind(kind), rowsFrom(1, 300));
  await updateAllRollups(kind, NOW);
  const { dynamo } = await import('#lib/table/client.ts');
  const sent = vi.spyOn(dynamo, 'send');
  await readAll(kind);
  const names = sent.mock.calls.map(([command]) => command.constructor.name);
  expect(new Set(names)).toEqual(new Set(['BatchGetCommand', 'QueryCommand']));
});
