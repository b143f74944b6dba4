import { expect, test } from 'vitest';
import { putNew } from '#lib/table/change/write.ts';
import { all, equals, oneOf } from '#lib/table/expression.ts';
import { recordKey } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { newSource } from '#tests/support/rows.ts';

const IDS = [1, 2, 3, 250];

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);

test.each([
  ['no values', [], []],
  ['one value', [2], [2]],
  ['100 values', numbers(100), [1, 2, 3]],
  ['101 values', numbers(101, 150), [250]],
  ['250 values', numbers(250), IDS],
])('one of %s finds the same in the table as in items at hand', async (_, values, found) => {
  const source = newSource();
  await transact(IDS.map((id) => putNew(recordKey(source.type, source.tenant, id), { id, live: true })));
  const where = [oneOf('id', values), equals('live', true)];
  const request = { where, page: 1, pageSize: 20, sort: { field: 'id', descending: false } };
  const { rows } = await listItems(source, request);
  expect(rows.map(({ id }) => id)).toEqual(found);
  expect(IDS.filter((id) => all(where).matches({ id, live: true }))).toEqual(found);
});
