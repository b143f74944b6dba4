import fc from 'fast-check';
import { expect, test } from 'vitest';
import { putOne } from '#lib/table/change/send.ts';
import { any, eitherSide, equals, oneOf, within } from '#lib/table/expression.ts';
import { readChanges } from '#lib/table/list-index/changes.ts';
import { Days } from '#lib/table/list-index/days.ts';
import { daysKey } from '#lib/table/list-index/value.ts';
import { getItem } from '#lib/table/read/get.ts';
import type { ListRequest } from '#lib/table/read/request.ts';
import { newMeter, roundTripsOf, runInContext } from '#lib/table/request-context.ts';
import { nextId } from '#lib/table/sequences.ts';
import { dayOf, startOfDay } from '#lib/values/time.ts';
import {
  changeRow,
  computeExpected,
  expectPages,
  expectWholeRows,
  readPage,
  updateAllIndexes,
} from '#tests/support/lists.ts';
import { type ListRow, newSource, writeRows } from '#tests/support/rows.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const NOW = startOfDay(dayOf(1_800_000_000_000));
const INDEXES = ['company_id', 'client_id', 'is_deleted'];

const oldestFirst = { field: 'id', descending: false };
const newestFirst = { field: 'id', descending: true };
const plain: ListRequest = { where: [], sort: newestFirst, page: 1, pageSize: 20 };

/** Builds the row of an id; one of seven refers to an earlier one. */
function row(id: number, created_at: number): ListRow {
  const sold_at = id % 7 === 3 ? created_at - (id % 4) * DAY : created_at;
  const fields = { company_id: id % 3, client_id: id % 97, is_deleted: id % 50 === 0 };
  return { id, created_at, sold_at, ...fields, version: 1 };
}

const filters = fc.subarray([
  oneOf('company_id', [1, 2]),
  any([equals('company_id', 0), oneOf('client_id', [5, 6, 7])]),
  ...eitherSide(
    [equals('company_id', 1), equals('is_deleted', false)],
    [oneOf('client_id', [3, 6]), equals('is_deleted', true)],
  ),
  any([equals('client_id', 5), oneOf('id', [3, 100, 700, 1500])]),
  equals('client_id', 5),
  equals('is_deleted', true),
  within('created_at', NOW - 2 * DAY, NOW - DAY),
  within('created_at', NOW - DAY, Number.MAX_SAFE_INTEGER),
  within('sold_at', NOW - 4 * DAY, NOW - DAY),
  within('sold_at', 0, NOW),
]);

const asked = fc.record({
  where: fc.oneof(
    filters,
    filters.map((each) => each.slice(0, 1)),
  ),
  sort: fc.constantFrom(oldestFirst, newestFirst),
  pageSize: fc.integer({ min: 60, max: 1500 }),
});

const step = fc.record({
  count: fc.oneof(fc.integer({ min: 0, max: 150 }), fc.integer({ min: 900, max: 2100 })),
  gap: fc.constantFrom(0, 1, 30),
  /** True if some of its rows are added only with the next step. */
  isLate: fc.boolean(),
  minutes: fc.constantFrom(0.1, 1, 600, 2000),
  changed: fc.array(
    fc.record({ place: fc.nat(10_000), company_id: fc.constantFrom(0, 1, 2), is_deleted: fc.boolean() }),
    { maxLength: 15 },
  ),
  isFolded: fc.boolean(),
});

/** Expected rows of one test. */
class Shop {
  readonly source = { ...newSource(INDEXES), days: ['sold_at'] };
  readonly rows = new Map<number, ListRow>();
  #late: ListRow[] = [];

  async add(count: number, gap: number, isLate: boolean, at: number): Promise<void> {
    const first = (await nextId(this.source.type, this.source.tenant, count + gap + 1)) + gap;
    const made = Array.from({ length: count }, (_, index) => row(first + index, at + index));
    const [late, now] = [this.#late, isLate ? made.filter(({ id }) => id % 41 !== 0) : made];
    this.#late = made.filter((each) => !now.includes(each));
    await writeRows(this.source, [...late, ...now]);
    for (const each of [...late, ...now]) this.rows.set(each.id, each);
  }

  async change(
    changed: readonly { place: number; company_id: number; is_deleted: boolean }[],
  ): Promise<void> {
    const ids = [...this.rows.keys()];
    for (const { place, ...given } of changed) {
      const id = ids[place % Math.max(1, ids.length)];
      if (id !== undefined) this.rows.set(id, await changeRow(this.source, id, given));
    }
  }
}

test('every page of every list equals filtering, sorting and slicing all rows', async () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 5 });
  const lists = fc.array(asked, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(steps, lists, async (taken, requests) => {
      const shop = new Shop();
      let at = NOW - 2.5 * DAY;
      for (const { count, gap, isLate, minutes, changed, isFolded } of taken) {
        await shop.add(count, gap, isLate, at);
        await shop.change(changed);
        if (isFolded) await updateAllIndexes(shop.source, at);
        for (const each of requests) {
          const rows = [...shop.rows.values()];
          // The rows are not read then, so they can't reveal a corrupt index.
          await expectPages(shop.source, rows, { ...plain, ...each, isBare: true });
          await expectWholeRows(shop.source, rows, {
            ...plain,
            ...each,
            pageSize: 7 + (each.pageSize % 30),
          });
        }
        at += minutes * MINUTE;
      }
    }),
    { numRuns: 11 },
  );
});

test('lists of days that are not kept, as there are too many runs, are as exact', async () => {
  const source = { ...newSource(INDEXES), days: ['sold_at'] };
  const rows = Array.from({ length: 3000 }, (_, index) => row(index + 1, NOW - DAY + index * 20_000));
  await nextId(source.type, source.tenant, rows.length);
  await writeRows(source, rows);
  await updateAllIndexes(source, NOW);
  const { state } = await readChanges(source);
  const key = daysKey({ source, generation: state?.generation ?? 0 }, 'sold_at');
  const { version } = Days.parse(await getItem(key));
  expect(await putOne(key, Days.encode({ version: version + 1 }), version)).toBe(true);
  const where = [within('sold_at', NOW - 2 * DAY, NOW - DAY)];
  await expectPages(source, rows, { ...plain, where, pageSize: 200 });
  // Nor does a continued index update begin to maintain them: it would have only a part.
  await nextId(source.type, source.tenant, 1);
  const more = row(rows.length + 1, NOW);
  await writeRows(source, [more]);
  await updateAllIndexes(source, NOW);
  await expectPages(source, [...rows, more], { ...plain, where, pageSize: 200 });
});

test('no page takes more than three round trips, from the first read on', async () => {
  const source = { ...newSource(INDEXES), days: ['sold_at'] };
  const rows = Array.from({ length: 4030 }, (_, index) => row(index + 1, NOW - DAY + index * 20_000));
  await nextId(source.type, source.tenant, 4030);
  await writeRows(source, rows.slice(0, 4000));
  await updateAllIndexes(source, NOW);
  await updateAllIndexes(source, NOW);
  await writeRows(source, rows.slice(4000));
  expect((await readChanges(source)).state).toMatchObject({ upto: 4000 });
  for (const where of [
    [],
    [oneOf('company_id', [1, 2])],
    [equals('client_id', 5)],
    [equals('client_id', -1)],
    [equals('is_deleted', false)],
    [oneOf('company_id', [1, 2]), equals('is_deleted', false)],
    [equals('client_id', 5), equals('is_deleted', false)],
    [any([equals('client_id', 5), equals('company_id', 2)])],
    eitherSide([equals('company_id', 1), equals('is_deleted', true)], [oneOf('client_id', [5, 6])]),
    [any([equals('client_id', 5), equals('company_id', 2)]), equals('company_id', 1)],
    [within('created_at', NOW - DAY, NOW), equals('company_id', 2)],
    [within('created_at', NOW - DAY, NOW)],
    [within('created_at', NOW, NOW + DAY)],
    [within('sold_at', NOW - 2 * DAY, NOW - DAY)],
    [within('sold_at', NOW - 2 * DAY, NOW), within('created_at', NOW - DAY, NOW), equals('company_id', 2)],
  ]) {
    const { total } = computeExpected(rows, { ...plain, where });
    const last = Math.max(1, Math.ceil(total / 20));
    for (const page of [1, Math.ceil(last / 2), last]) {
      for (const sort of [oldestFirst, newestFirst]) {
        const request = { ...plain, where, sort, page };
        const meter = newMeter();
        expect(await runInContext({ meter }, () => readPage(source, request))).toEqual(
          computeExpected(rows, request),
        );
        const what = `${where.map(({ paths }) => paths)}, page ${page}`;
        expect(roundTripsOf(meter), what).toBeLessThanOrEqual(3);
      }
    }
  }
});

test('a named record that was never made is in no list, nor one that other filters exclude', async () => {
  const source = newSource(INDEXES);
  const made = Array.from({ length: 1200 }, (_, index) => row(index + 1, NOW - DAY)).filter(
    ({ id }) => id !== 3 && id <= 1000,
  );
  await nextId(source.type, source.tenant, 1200);
  await writeRows(source, made);
  // Ids that are missing for long are no gaps any more.
  await updateAllIndexes(source, NOW);
  await updateAllIndexes(source, NOW + DAY);
  expect((await readChanges(source)).state?.holes).toEqual([]);
  const named = any([equals('client_id', 5), oneOf('id', [3, 100, 101, 1100, 5000])]);
  for (const where of [[named], [named, equals('company_id', 2)], [named, equals('is_deleted', true)]])
    for (const sort of [oldestFirst, newestFirst])
      await expectPages(source, made, { ...plain, where, sort, pageSize: 5, isBare: true });
});

test.each([
  ['no value', [oneOf('company_id', []), equals('is_deleted', false)]],
  ['one value and another', [equals('company_id', 1), equals('company_id', 2), equals('is_deleted', false)]],
])(
  'a list of %s of an indexed field is empty on every page, and nothing is read for it',
  async (_, where) => {
    const source = newSource(INDEXES);
    const rows = Array.from({ length: 1200 }, (_row, index) => row(index + 1, NOW - DAY));
    await nextId(source.type, source.tenant, rows.length);
    await writeRows(source, rows);
    await updateAllIndexes(source, NOW);
    const meter = newMeter();
    for (const page of [1, 2, 900]) {
      const found = await runInContext({ meter }, () => readPage(source, { ...plain, where, page }));
      expect(found).toEqual({ total: 0, ids: [] });
    }
    expect(roundTripsOf(meter)).toBe(0);
  },
);
