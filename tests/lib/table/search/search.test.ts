import fc from 'fast-check';
import { expect, test } from 'vitest';
import { update } from '#lib/table/change/write.ts';
import { all, equals, oneOf } from '#lib/table/expression.ts';
import { recordKey, type SearchField, type Source } from '#lib/table/keys.ts';
import { newMeter, roundTripsOf, runInContext, unitsOf } from '#lib/table/request-context.ts';
import { rankOfRow } from '#lib/table/search/document.ts';
import { findByWords } from '#lib/table/search/search.ts';
import { readSearch, searchChangeWrites } from '#lib/table/search/state.ts';
import { updateSearch } from '#lib/table/search/update.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { parseSearch } from '#lib/values/search-words.ts';
import { type ListRow, newSource, writeRows } from '#tests/support/rows.ts';

const SEARCH: readonly SearchField[] = [
  { field: 'name', as: 'name' },
  { field: 'barcode', as: 'code' },
];
const INDEXES = ['company_id', 'is_deleted'];
const NOW = 1_800_000_000_000;

const WORDS = ['choy', 'чой', 'ko‘k', 'кўк', 'qora', 'қора', 'suv', 'Coca-Cola', 'olma', '1.5l', 'шакар'];

function row(id: number, salt = 0): ListRow {
  const word = (step: number) => WORDS[(id * step + salt) % WORDS.length] ?? '';
  return {
    id,
    created_at: NOW,
    version: 1 + salt,
    name: `${word(1)} ${word(3)} ${id % 50}`,
    barcode: `478${String(id * 7919 + salt).padStart(10, '0')}`,
    company_id: id % 3,
    is_deleted: id % 20 === 0,
  };
}

function newSearched(): Source {
  return { ...newSource(INDEXES), search: SEARCH };
}

async function add(source: Source, from: number, count: number): Promise<ListRow[]> {
  const rows = Array.from({ length: count }, (_, index) => row(from + index));
  await nextId(source.type, source.tenant, count);
  await writeRows(source, rows);
  return rows;
}

async function change(source: Source, before: ListRow, after: ListRow): Promise<void> {
  const { pk: _, sk: __, id, ...set } = after;
  await transact([
    update(recordKey(source.type, source.tenant, id), { set }),
    ...searchChangeWrites(source, { ...before, version: Number(before['version']) }, after),
  ]);
}

async function updateAll(source: Source): Promise<void> {
  for (;;) {
    const left = await updateSearch(source, NOW);
    if (!left?.isMore && left?.wakeAt === undefined) return;
  }
}

const TEXTS = ['choy', 'чой кўк', 'k', 'cola', '478', '4780000007919', 'olma suv 1', 'c', 'сув', '1.5', '12'];
const FILTERS = [
  [],
  [equals('is_deleted', false)],
  [oneOf('company_id', [0, 2]), equals('is_deleted', true)],
];

async function expectSearches(source: Source, rows: readonly ListRow[], texts = TEXTS): Promise<void> {
  const fields = { search: SEARCH, indexes: INDEXES };
  for (const text of texts) {
    for (const where of FILTERS) {
      const search = parseSearch(text);
      const found = await findByWords(source, search, where);
      const expected = rows.flatMap((each): [number, number][] => {
        const rank = all(where).matches(each) ? rankOfRow(fields, each, search) : undefined;
        return rank === undefined ? [] : [[each.id, rank]];
      });
      expect(
        [...(found?.ranks ?? [])].sort(([a], [b]) => a - b),
        text,
      ).toEqual(expected);
      expect(found?.residual).toEqual([]);
    }
  }
}

test('segments find what headers say, with records newer than them, and changed since', async () => {
  const source = newSearched();
  const rows = await add(source, 1, 300);
  await updateAll(source);
  await expectSearches(source, rows);
  const more = await add(source, 301, 40);
  const all = [...rows, ...more];
  await expectSearches(source, all);
  for (const id of [1, 20, 150, 310]) {
    const [before, after] = [row(id), row(id, 5)];
    await change(source, before, after);
    all[id - 1] = after;
  }
  await expectSearches(source, all);
  await updateAll(source);
  await expectSearches(source, all);
  expect((await readSearch(source)).changes.size).toBe(0);
});

test('records that arrive in gaps are found at once, and after the next update', async () => {
  const source = newSearched();
  const rows = Array.from({ length: 100 }, (_, index) => row(index + 1));
  await nextId(source.type, source.tenant, 100);
  const late = rows.filter(({ id }) => id % 30 === 0);
  const early = rows.filter(({ id }) => id % 30 !== 0);
  await writeRows(source, early);
  await updateAll(source);
  await expectSearches(source, early, ['choy', '478']);
  await writeRows(source, late);
  await expectSearches(source, rows, ['choy', '478']);
  await updateAll(source);
  await expectSearches(source, rows, ['choy', '478']);
});

test('any order of additions, changes and updates is searched as the headers are', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), count: fc.integer({ min: 1, max: 80 }) }),
    fc.record({ kind: fc.constant('change' as const), at: fc.nat(), salt: fc.integer({ min: 1, max: 40 }) }),
    fc.record({ kind: fc.constant('update' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const source = newSearched();
      const rows = await add(source, 1, 70);
      await updateAll(source);
      for (const each of steps) {
        if (each.kind === 'add') rows.push(...(await add(source, rows.length + 1, each.count)));
        if (each.kind === 'update') await updateAll(source);
        if (each.kind !== 'change') continue;
        const index = each.at % rows.length;
        const before = rows[index];
        if (!before) continue;
        const after = { ...row(before.id, each.salt), version: Number(before['version']) + 1 };
        await change(source, before, after);
        rows[index] = after;
      }
      await expectSearches(source, rows, ['choy', 'k', '4780', 'cola']);
    }),
    { numRuns: 12 },
  );
});

test('two workers at once, and searches beside them, agree', async () => {
  const source = newSearched();
  const rows = await add(source, 1, 200);
  await updateAll(source);
  for (let round = 1; round <= 3; round++) {
    for (let id = 1; id <= 40; id += 3) {
      const before = rows[id - 1];
      if (!before) continue;
      const after = { ...row(id, round), version: Number(before['version']) + 1 };
      await change(source, before, after);
      rows[id - 1] = after;
    }
    await Promise.all([
      updateSearch(source, NOW),
      updateSearch(source, NOW),
      expectSearches(source, rows, ['choy', '478']),
    ]);
  }
  await updateAll(source);
  await expectSearches(source, rows);
});

test('a search costs two round trips before its page, and few units', async () => {
  const source = newSearched();
  await add(source, 1, 2000);
  await updateAll(source);
  const meter = newMeter();
  const where = [equals('is_deleted', false)];
  await runInContext({ meter }, () => findByWords(source, parseSearch('choy'), where));
  expect(roundTripsOf(meter)).toBe(2);
  expect(unitsOf(meter)).toBeLessThan(20);
});

test('a source without segments is left to a look at all headers', async () => {
  const source = newSearched();
  await add(source, 1, 10);
  expect(await findByWords(source, parseSearch('choy'), [])).toBeUndefined();
});
