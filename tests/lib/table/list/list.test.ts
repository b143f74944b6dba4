import { expect, test } from 'vitest';
import { containsText } from '#lib/records/query/filters.ts';
import { update } from '#lib/table/change/write.ts';
import { contains, equals, oneOf } from '#lib/table/expression.ts';
import { recordKey, type Source } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import type { ListRequest } from '#lib/table/read/request.ts';
import { newMeter, roundTripsOf, runInContext } from '#lib/table/request-context.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { LOCALES } from '#lib/values/text.ts';
import { type ListRow, newSource, writeRows } from '#tests/support/rows.ts';

const COUNT = 6000;
const NOW = 1_800_000_000_000;

const request = { where: [], sort: { field: 'id', descending: true }, page: 1, pageSize: 20 };

/** Makes over three megabytes of rows, with a gap in their ids. */
function rows(): ListRow[] {
  return Array.from({ length: COUNT }, (_, index) => ({
    id: index < 3000 ? index + 1 : index + 2501,
    created_at: NOW + index,
    company_id: index % 3,
    name: `n${(index * 7919) % 1000}`,
    is_deleted: index % 4 === 0,
    comment: 'x'.repeat(500),
  }));
}

async function written(source: Source): Promise<ListRow[]> {
  const all = rows();
  await nextId(source.type, source.tenant, COUNT + 2500);
  await writeRows(source, all);
  return all;
}

async function shown(source: Source, asked: Partial<ListRequest>) {
  const { rows: found, total } = await listItems(source, { ...request, ...asked });
  return { total, ids: found.map(({ id }) => id) };
}

test('filters on fields that may change read as many megabytes as there are', async () => {
  const source = newSource();
  const all = await written(source);
  const where = [equals('is_deleted', true), contains('name', '1')];
  const left = all
    .filter(({ is_deleted, name }) => is_deleted && String(name).includes('1'))
    .map(({ id }) => id);
  const total = left.length;
  const pages = [1, 2, Math.floor(total / 40), Math.ceil(total / 20), Math.ceil(total / 20) + 1];
  for (const page of pages) {
    const slice = (ids: number[]) => ids.slice((page - 1) * 20, page * 20);
    expect(await shown(source, { where, page })).toEqual({ total, ids: slice(left.toReversed()) });
    const sort = { field: 'id', descending: false };
    expect(await shown(source, { where, page, sort })).toEqual({ total, ids: slice(left) });
  }
});

test('a part of a text is looked for in all languages, over many megabytes', async () => {
  const source = newSource();
  const all = rows();
  const folded = ({ id, name }: ListRow) => ({ name: id % 2 ? name : { ru: name, oz: 'x' } });
  const named = all.map((row) => ({ ...row, folded: folded(row) }));
  await nextId(source.type, source.tenant, COUNT + 2500);
  await writeRows(source, named);
  const left = all.filter(({ name }) => String(name).includes('77')).map(({ id }) => id);
  const where = [containsText('name', '77', LOCALES)];
  expect(await shown(source, { where })).toEqual({
    total: left.length,
    ids: left.toReversed().slice(0, 20),
  });
});

test('another order holds over many megabytes, in few round trips', async () => {
  const source = newSource();
  const all = await written(source);
  const byName = all
    .filter(({ company_id }) => company_id === 1)
    .sort((a, b) => String(b['name']).localeCompare(String(a['name'])) || b.id - a.id);
  const meter = newMeter();
  const asked = {
    where: [equals('company_id', 1), equals('is_deleted', false)],
    sort: { field: 'name', descending: true },
    page: 31,
  };
  const ids = byName.filter(({ is_deleted }) => !is_deleted).map(({ id }) => id);
  expect(await runInContext({ meter }, () => shown(source, asked))).toEqual({
    total: ids.length,
    ids: ids.slice(600, 620),
  });
  expect(roundTripsOf(meter)).toBeLessThanOrEqual(4);
});

test('rows that a transaction has taken all count as before it, or all as after it', async () => {
  const source = newSource();
  await written(source);
  const taken = Array.from({ length: 150 }, (_, index) =>
    update(recordKey(source.type, source.tenant, 8001 + index), { set: { name: 'taken' } }),
  );
  let isOver = false;
  const totals = new Set<number>();
  const list = async () => {
    const { total, ids } = await shown(source, {
      where: [equals('name', 'taken')],
      sort: { field: 'company_id', descending: false },
    });
    expect(ids).toHaveLength(Math.min(20, total));
    totals.add(total);
  };
  const lister = async () => {
    while (!isOver) await list();
  };
  // On a slow machine the first list may end after the transaction.
  await list();
  const listers = Promise.all([lister(), lister()]);
  await transact(taken);
  isOver = true;
  await listers;
  expect([0, 150]).toEqual(expect.arrayContaining([...totals]));
  expect(totals).toContain(0);
  expect((await shown(source, { where: [equals('name', 'taken')] })).total).toBe(150);
});

test('a question to more records than a call can read is 422 on the filters and the order that ask it', async () => {
  const source = { ...newSource(), indexes: ['company_id'] };
  await written(source);
  const name = { ...contains('name', '1'), parameter: 'filter.name' };
  const company = { ...equals('company_id', 1), parameter: 'filter.company_id' };
  const order = { field: 'name', descending: false };
  await expect(shown(source, { where: [name, company] })).resolves.toMatchObject({
    total: expect.any(Number),
  });
  await nextId(source.type, source.tenant, 200_000);
  const refused = async (asked: Partial<ListRequest>) => {
    const error = await shown(source, asked).catch((refusal: unknown) => refusal);
    return error instanceof ApiError ? [error.status, Object.keys(error.fields)] : error;
  };
  expect(await refused({ where: [name, company] })).toEqual([422, ['filter.name']]);
  expect(await refused({ where: [company], sort: order })).toEqual([422, ['sort.0']]);
});

test('rows named by their ids are read alone, and filtered and sorted like others', async () => {
  const source = newSource();
  const all = await written(source);
  const meter = newMeter();
  const where = [equals('is_deleted', true)];
  const ids = [5, 9, 17, 9, 4000, 13, 14];
  const found = await runInContext({ meter }, () => shown(source, { where: [oneOf('id', ids), ...where] }));
  expect(found).toEqual({ total: 4, ids: [17, 13, 9, 5] });
  expect(all.filter(({ id, is_deleted }) => ids.includes(id) && is_deleted)).toHaveLength(4);
  expect(meter.calls).toHaveLength(1);
});
