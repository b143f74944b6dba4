import { expect, test } from 'vitest';
import { actionOf } from '#lib/table/change/change.ts';
import { writeOne } from '#lib/table/change/send.ts';
import { unlocked } from '#lib/table/items.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { newMeter, runInContext, unitsOf, writeUnitsOf } from '#lib/table/request-context.ts';
import { newRollupState, type RollupKind, rollupStateKey } from '#lib/table/rollups/kind.ts';
import { readRollups } from '#lib/table/rollups/read.ts';
import { updateRollups } from '#lib/table/rollups/update.ts';
import { addRows, NOW, rowsFrom } from '#tests/support/indexed.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import { newKind, rowsOfKind, stateOf } from '#tests/support/rollups.ts';

/** Makes names of groups like those of goods: a company, a warehouse and a desk. */
function groupsFrom(first: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const number = first + index;
    return `${1 + (number % 300)}.${10_000 + (number % 5000)}.${10_000 + number}`;
  });
}

/** Creates a kind of which each row has a group of its own. */
function newKindOfDesks(): RollupKind {
  return newKind({
    factsOf: async (_, headers) =>
      headers.map(({ id }) => ({
        id: Number(id),
        group: `desk-${id}`,
        period: 'p0',
        of: [1, 0],
        sums: [1, Number(id)],
      })),
  });
}

/** Adds groups to the state, as if the given number of desks had sold. */
async function addGroups(kind: RollupKind, groups: readonly string[]): Promise<void> {
  const state = (await stateOf(kind)) ?? newRollupState(kind);
  const item = { ...state, groups: [...state.groups, ...groups] };
  await writeOne(actionOf(rollupStateKey(kind, PLATFORM), { kind: 'put', item }, [unlocked]));
}

test('cubes of 30 000 groups are folded and read like those of a few (Part 4, 4.5)', async () => {
  const kind = newKindOfDesks();
  await addGroups(kind, groupsFrom(0, 20_000));
  await addRows(rowsOfKind(kind), rowsFrom(1, 10));
  const update = () => updateRollups(kind, PLATFORM, NOW);
  expect(await update()).toMatchObject({ isMore: false });
  expect((await stateOf(kind))?.groups.length).toBeLessThan(1000);

  await addGroups(kind, groupsFrom(20_000, 10_000));
  await addRows(rowsOfKind(kind), rowsFrom(11, 10));
  expect(await update()).toMatchObject({ isMore: false });
  await addRows(rowsOfKind(kind), rowsFrom(21, 10));
  const folding = newMeter();
  await runInContext({ meter: folding }, update);
  // Ten rollups, and the state.
  expect(writeUnitsOf(folding)).toBeLessThan(10 + 25);

  const reading = newMeter();
  const asked = { isGroup: (group: string) => /^desk-(1|15|30)$/.test(group), periods: ['p0'] };
  const cubes = await runInContext({ meter: reading }, () => readRollups(kind, PLATFORM, asked));
  expect(cubes.map(({ group, cells }) => [group, cells[0]?.sums])).toEqual([
    ['desk-1', [1n, 1n]],
    ['desk-15', [1n, 15n]],
    ['desk-30', [1n, 30n]],
  ]);
  expect(unitsOf(reading)).toBeLessThan(200);
});

test('a fold that is cut off once it has filled a page of groups is done again by the next one', async () => {
  for (let calls = 0, isDone = false; !isDone; calls++) {
    const kind = newKindOfDesks();
    await addGroups(kind, groupsFrom(0, 1200));
    await addRows(rowsOfKind(kind), rowsFrom(1, 3));
    isDone = await withCalls(calls, () => updateRollups(kind, PLATFORM, NOW));
    await addRows(rowsOfKind(kind), rowsFrom(4, 3));
    await updateRollups(kind, PLATFORM, NOW);
    const asked = { isGroup: (group: string) => /^desk/.test(group), periods: ['p0'] };
    const cubes = await readRollups(kind, PLATFORM, asked);
    expect(cubes.map(({ group, cells }) => [group, cells.length])).toEqual(
      [1, 2, 3, 4, 5, 6].map((id) => [`desk-${id}`, 1]),
    );
  }
});
