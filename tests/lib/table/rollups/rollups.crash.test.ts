import { expect, test } from 'vitest';
import { PLATFORM } from '#lib/table/keys.ts';
import { updateRollups } from '#lib/table/rollups/update.ts';
import { nextId } from '#lib/table/sequences.ts';
import { addRows, MINUTE, NOW, row, rowsFrom } from '#tests/support/indexed.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import {
  expectRollups,
  newKind,
  readAll,
  rowsOfKind,
  sumsOfRows,
  updateAllRollups,
} from '#tests/support/rollups.ts';
import { type ListRow, writeRows } from '#tests/support/rows.ts';

test('a fold that is cut off after any call is done again by the next one, and sums are right meanwhile', async () => {
  for (let calls = 0, isDone = false; !isDone; calls++) {
    const kind = newKind();
    await addRows(rowsOfKind(kind), rowsFrom(1, 150));
    await updateAllRollups(kind, NOW);
    await nextId(kind.source, PLATFORM, 220);
    const news = rowsFrom(151, 220).filter(({ id }) => id !== 163);
    await writeRows(rowsOfKind(kind), news);
    isDone = await withCalls(calls, () => updateRollups(kind, PLATFORM, NOW));
    const rows: ListRow[] = [...rowsFrom(1, 150), ...news];
    expect(await readAll(kind)).toEqual(sumsOfRows(rows));
    await writeRows(rowsOfKind(kind), [row(163)]);
    await addRows(rowsOfKind(kind), rowsFrom(371, 30));
    rows.push(row(163), ...rowsFrom(371, 30));
    expect(await readAll(kind)).toEqual(sumsOfRows(rows));
    await updateAllRollups(kind, NOW + 2 * MINUTE);
    await expectRollups(kind, rows);
  }
});

test('folders, writers and readers at the same time: every sum is exact, and the cubes are right after them', async () => {
  const kind = newKind({ max: 60 });
  const rows: ListRow[] = [];
  let [isOver, begun] = [false, 0];
  const writer = async () => {
    for (let round = 0; round < 150; round++) {
      begun += 1;
      const made = row(await nextId(kind.source, PLATFORM), NOW);
      await writeRows(rowsOfKind(kind), [made]);
      rows.push(made);
    }
  };
  const folder = async () => {
    while (!isOver) await updateRollups(kind, PLATFORM, NOW);
  };
  const reader = async () => {
    while (!isOver) {
      const before = [...rows];
      const counted = countOf(await readAll(kind));
      expect(counted).toBeGreaterThanOrEqual(before.length);
      expect(counted).toBeLessThanOrEqual(begun);
    }
  };
  const others = [folder(), folder(), folder(), reader(), reader()];
  await Promise.all([writer(), writer(), writer()]);
  isOver = true;
  await Promise.all(others);
  await updateAllRollups(kind, NOW + 2 * MINUTE);
  await expectRollups(kind, rows);
});

function countOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Number(line.split(': ')[1]?.split(' ')[0]), 0) / 2;
}
