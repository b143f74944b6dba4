import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountRange } from '#lib/records/query/looking-filters.ts';
import type { Item } from '#lib/table/client.ts';
import { type Expression, equals, present } from '#lib/table/expression.ts';
import { listItems } from '#lib/table/list/list.ts';
import type { ListRequest } from '#lib/table/read/request.ts';
import { newMeter, roundTripsOf, runInContext } from '#lib/table/request-context.ts';
import { nextId } from '#lib/table/sequences.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { updateAllIndexes } from '#tests/support/lists.ts';
import { newSource, writeRows } from '#tests/support/rows.ts';

const NOW = 1_800_000_000_000;
const COUNT = 500;

const request = { where: [], sort: { field: 'id', descending: true }, page: 1, pageSize: 20 };

/** Creates a source of rows, all indexed but the last few. */
async function manyRows(count = COUNT, indexed = count - 5) {
  const source = newSource(['client_id']);
  await nextId(source.type, source.tenant, count);
  const rows = Array.from({ length: count }, (_, index) => ({
    ...{ id: index + 1, created_at: NOW + index, client_id: index % 3 },
    ...{ amount: (index * 7919) % 1000, is_odd: index % 2 === 1 },
  }));
  await writeRows(source, rows.slice(0, indexed));
  if (indexed > 0) await updateAllIndexes(source, NOW + 86_400_000);
  await writeRows(source, rows.slice(indexed));
  return { source, rows };
}

/** Selects odd rows as if by items beside them; it may look at so many. */
function oddOf(max: number, read: Item[] = []): Expression {
  return {
    ...present('pk'),
    parameter: 'filter.odd',
    look: {
      max,
      choose: async (_, rows) => {
        read.push(...rows);
        return rows.filter(({ is_odd }) => is_odd);
      },
    },
  };
}

const sum = (from: number, to: number): Expression => ({
  ...amountRange('amount').parse({ 0: from / 100, 1: to / 100 }),
  parameter: 'filter.amount',
});

test('filters and orders without an index find what a plain filter over all rows does (Part 5, 5B.7 (4))', async () => {
  const { source, rows } = await manyRows();
  const asked = fc.record({
    client: fc.option(fc.nat(3)),
    range: fc.option(fc.tuple(fc.nat(1000), fc.nat(1000))),
    isOdd: fc.boolean(),
    hasAll: fc.boolean(),
    field: fc.constantFrom('id', 'amount'),
    descending: fc.boolean(),
    page: fc.integer({ min: 1, max: 4 }),
    pageSize: fc.constantFrom(1, 20, 200),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ client, range, isOdd, hasAll, field, descending, page, pageSize }) => {
      const where = [
        ...(client === null ? [] : [equals('client_id', client)]),
        ...(range ? [sum(...range)] : []),
        ...(isOdd ? [oddOf(1000)] : []),
      ];
      const sort = { field, descending, looks: field === 'amount' };
      const found = await listItems(source, { where, sort, page, pageSize, hasAll });
      const left = rows.filter(
        (row) =>
          (client === null || row.client_id === client) &&
          (!range || (row.amount >= range[0] && row.amount <= range[1])) &&
          (!isOdd || row.is_odd),
      );
      const key = (row: (typeof rows)[number]) => (field === 'id' ? row.id : row.amount);
      left.sort((a, b) => (key(a) - key(b) || a.id - b.id) * (descending ? -1 : 1));
      const ids = left.map(({ id }) => id);
      expect(found.total).toBe(ids.length);
      expect(found.rows.map(({ id }) => id)).toEqual(ids.slice((page - 1) * pageSize, page * pageSize));
      expect(found.all?.map(({ id }) => id)).toEqual(hasAll ? ids : undefined);
    }),
    { numRuns: 50 },
  );
});

test('rows are looked at once, in one round trip more than a page of the index takes', async () => {
  const { source, rows } = await manyRows();
  // The first page of a source learns that it has indexes.
  await listItems(source, request);
  const meter = newMeter();
  const read: Item[] = [];
  const where = [equals('client_id', 1), oddOf(200, read)];
  const found = await runInContext({ meter }, () => listItems(source, { ...request, where, hasAll: true }));
  expect(found.all).toHaveLength(rows.filter((row) => row.client_id === 1 && row.is_odd).length);
  expect(read).toHaveLength(rows.filter((row) => row.client_id === 1).length);
  expect(roundTripsOf(meter)).toBeLessThanOrEqual(4);
});

test('rows without indexes are read once, in one round trip', async () => {
  const { source } = await manyRows(40, 0);
  const meter = newMeter();
  const found = await runInContext({ meter }, () =>
    listItems(source, { ...request, where: [sum(0, 500)], hasAll: true }),
  );
  expect(found.rows[0]).toHaveProperty('amount');
  expect(roundTripsOf(meter)).toBe(1);
});

async function refused(source: Parameters<typeof listItems>[0], asked: Partial<ListRequest>) {
  const error = await listItems(source, { ...request, ...asked }).catch((refusal: unknown) => refusal);
  return error instanceof ApiError ? [error.status, error.fields] : error;
}

const tooLong = (max: number) => ({ key: 'list.too_long_to_search', with: { max } });

test('a condition that looks at more than its rows is 422 on its parameter, before what it reads (Part 5, 5B.7 (4))', async () => {
  const { source } = await manyRows();
  const read: Item[] = [];
  expect(await refused(source, { where: [oddOf(499, read)] })).toEqual([422, { 'filter.odd': tooLong(499) }]);
  expect(await refused(source, { where: [equals('client_id', 1), oddOf(100, read)] })).toEqual([
    422,
    { 'filter.odd': tooLong(100) },
  ]);
  expect(read).toEqual([]);
  await expect(listItems(source, { ...request, where: [oddOf(500)] })).resolves.toMatchObject({ total: 250 });
  const few = [sum(0, 100), oddOf(100)];
  await expect(listItems(source, { ...request, where: few })).resolves.toHaveProperty('total');
});

test('above 20 000 rows the filters, the order and the totals that look at them are 422 together (Part 5, 5B.7 (4))', async () => {
  const { source } = await manyRows(20_001);
  const sort = { field: 'amount', descending: true, looks: true };
  const asked = { where: [sum(0, 10)], sort, hasAll: true };
  const max = tooLong(20_000);
  expect(await refused(source, asked)).toEqual([422, { 'filter.amount': max, 'sort.0': max, totals: max }]);
  const found = await listItems(source, { ...request, ...asked, where: [equals('client_id', 1)] });
  expect(found).toMatchObject({ total: 6667 });
});
