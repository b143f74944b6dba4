import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { PLATFORM, type Source } from '#lib/table/keys.ts';
import type { RemainingWork } from '#lib/table/projection/step.ts';
import { getItem } from '#lib/table/read/get.ts';
import { type Fact, type RollupKind, RollupState, rollupStateKey } from '#lib/table/rollups/kind.ts';
import { type RollupSelection, readRollups } from '#lib/table/rollups/read.ts';
import { updateRollups } from '#lib/table/rollups/update.ts';
import { type ListRow, newSource } from './rows.ts';

/** Makes facts in three groups and periods, two cells of each row; a row's id is its amount, too. */
function factsOfRow(id: number): Fact[] {
  const place = { id, group: `g${id % 3}`, period: `p${Math.floor(id / 100) % 3}` };
  return [
    { ...place, of: [id % 7, id % 50], sums: [1, id] },
    { ...place, of: [7, 1_000_000 + (id % 500)], sums: [1n, 2 * id] },
  ];
}

/** Creates a rollup kind of one test's own. */
export function newKind(over: Partial<RollupKind> = {}): RollupKind {
  return {
    name: randomUUID(),
    edition: 1,
    source: newSource().type,
    only: [],
    numbers: 2,
    sums: 2,
    worth: 1,
    max: 1000,
    factsOf: (_, headers) => Promise.resolve(headers.flatMap(({ id }) => factsOfRow(Number(id)))),
    ...over,
  };
}

/** Returns the source rows of a rollup kind. */
export function rowsOfKind({ source }: RollupKind): Source {
  return { type: source, tenant: PLATFORM };
}

const EVERYTHING: RollupSelection = { isGroup: () => true, periods: ['p0', 'p1', 'p2'] };

/** Applies all pending rollup updates; others may do so at the same time. */
export async function updateAllRollups(kind: RollupKind, at: number): Promise<RemainingWork> {
  for (;;) {
    const left = await updateRollups(kind, PLATFORM, at);
    if (left && !left.isMore) return left;
  }
}

/** Reads all cells as plain text, in order. */
export async function readAll(kind: RollupKind, asked = EVERYTHING): Promise<string[]> {
  const cubes = await readRollups(kind, PLATFORM, asked);
  const lines = cubes.flatMap(({ group, period, cells }) =>
    cells.map(({ of, sums }) => `${group} ${period} ${of.join(' ')}: ${sums.join(' ')}`),
  );
  return lines.sort();
}

/** Computes the same from the rows. */
export function sumsOfRows(rows: readonly ListRow[], isAsked = (_: Fact) => true): string[] {
  const facts = rows.flatMap(({ id }) => factsOfRow(id)).filter(isAsked);
  const byCell = Map.groupBy(facts, ({ group, period, of }) => `${group} ${period} ${of.join(' ')}`);
  const lines = [...byCell].map(([name, each]) => {
    const sums = [0, 1].map((sum) =>
      each.reduce((total, { sums: own }) => total + BigInt(own[sum] ?? 0), 0n),
    );
    return `${name}: ${sums.join(' ')}`;
  });
  return lines.sort();
}

/** Reads the update state of a kind's rollups. */
export async function stateOf(kind: RollupKind): Promise<RollupState | undefined> {
  const item = await getItem(rollupStateKey(kind, PLATFORM));
  return item && RollupState.parse(item);
}

/** Checks that rollups include all rows, and that a reader needs no row. */
export async function expectRollups(kind: RollupKind, rows: readonly ListRow[]): Promise<void> {
  expect(await readAll(kind)).toEqual(sumsOfRows(rows));
  const blind = { ...kind, factsOf: () => Promise.resolve([]) };
  expect(await readAll(blind)).toEqual(sumsOfRows(rows));
}
