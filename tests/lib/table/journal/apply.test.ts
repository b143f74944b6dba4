import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { putNew, replace, update } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { getItems } from '#lib/table/read/get.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { splitEvery } from '#lib/values/concurrency.ts';

/** As many as DynamoDB's own transactions take, and more: those go over a journal. */
const SIZES = [3, 120];

const OF_EVERY_KIND = {
  nothing: null,
  yes: true,
  empty: '',
  quoted: `"pk"=? AND 'sk'`,
  least: -123_456_789_012_345,
  fraction: 0.000_001,
  list: ['a', 1, null, { list: [] }],
  map: { 'a.b': { c: 1 }, '"': "'" },
  bytes: new Uint8Array([0, 255]),
  size: 'a word of DynamoDB',
};

function newKeys(count: number) {
  const pk = `test#${randomUUID()}`;
  return Array.from({ length: count }, (_, index) => ({ pk, sk: String(index) }));
}

test.each(SIZES)('%i items become others, whatever they hold and lose', async (count) => {
  const keys = newKeys(count);
  const [before, after] = [
    { n: 1, lost: 'x', same: [1] },
    { n: 2, same: [1], ...OF_EVERY_KIND },
  ];
  for (const some of splitEvery(keys, 100)) await transact(some.map((key) => putNew(key, before)));
  await transact(keys.map((key) => replace(key, before, after, { if: equals('n', 1) })));
  expect(await getItems(keys)).toEqual(keys.map((key) => ({ ...after, ...key })));
});

test.each(SIZES)('%i items are made, whatever they hold', async (count) => {
  const keys = newKeys(count);
  await transact(keys.map((key) => putNew(key, OF_EVERY_KIND)));
  expect(await getItems(keys)).toEqual(keys.map((key) => ({ ...OF_EVERY_KIND, ...key })));
});

test.each(SIZES)('%i items change within a map', async (count) => {
  const keys = newKeys(count);
  for (const some of splitEvery(keys, 100))
    await transact(some.map((key) => putNew(key, { map: { a: 1, b: 2 } })));
  await transact(keys.map((key) => update(key, { set: { 'map.a': null } })));
  expect(await getItems(keys)).toEqual(keys.map((key) => ({ ...key, map: { a: null, b: 2 } })));
});

test('what replaces an item writes only what differs, and never its key', () => {
  const [key] = newKeys(1);
  if (!key) return;
  const { change } = replace(
    key,
    { ...key, n: 1, deep: { a: [1] }, gone: 1 },
    { n: 2, deep: { a: [1] } },
    { if: equals('n', 1) },
  );
  expect(change).toEqual({ kind: 'update', set: { n: 2 }, add: {}, unset: ['gone'] });
});
