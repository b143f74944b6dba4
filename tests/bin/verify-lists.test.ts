import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { Books } from '#bin/verify/frame/books.ts';
import { checkLists } from '#bin/verify/lists.ts';
import { put } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { recordKey, type Source } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import type { ListRequest } from '#lib/table/read/request.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { newFamily } from '#tests/support/family.ts';
import { addRows, INDEXES, NOW, plain, row, rowsFrom } from '#tests/support/indexed.ts';
import { updateAllIndexes } from '#tests/support/lists.ts';
import { newSource } from '#tests/support/rows.ts';

/** A list's parameters as a filter of its rows. */
const Query = z
  .object({ page: z.int(), filter: z.record(z.string(), z.number()).default({}) })
  .transform(({ page, filter }) => {
    const where = Object.entries(filter).map(([field, value]) => equals(field, value));
    return { ...plain, page, where, embeds: [] };
  });

/** Verifies a list of a family's own source, and returns violations and the tried filters. */
async function check(books: Books, source: Source) {
  const asked: ListRequest[] = [];
  const page = async (_: unknown, query: ListRequest) => {
    asked.push(query);
    const { rows, ...rest } = await listItems(source, query);
    return { ...rest, rows: rows.map(({ id }) => ({ id: Number(id) })) };
  };
  await checkLists(books, [{ type: source.type, query: Query, page, fields: ['company_id'] }]);
  return {
    tried: asked.flatMap(({ where }) => where.flatMap(({ values = [] }) => [...values])).toSorted(),
    violations: books.violations.map(({ subject, what }) => `${subject} ${what}`),
  };
}

async function newList() {
  const books = new Books((await newFamily()).companyId);
  return { books, source: { ...newSource(INDEXES), tenant: books.tenant } };
}

test('a record that an index does not tell of is found by the filter', async () => {
  vi.spyOn(process, 'emitWarning').mockReturnValue();
  const { books, source } = await newList();
  await addRows(source, rowsFrom(1, 200));
  await updateAllIndexes(source, NOW);
  expect(await check(books, source)).toEqual({ tried: [0, 1, 2], violations: [] });
  await transact([put(recordKey(source.type, source.tenant, 90), { ...row(90), company_id: 2 })]);
  const { violations } = await check(books, source);
  expect(violations).toEqual([`list of ${source.type} by {"company_id":2} does not show 90`]);
});

test('no filter of a list without indexes is tried, as rows are looked at themselves', async () => {
  const { books, source } = await newList();
  await addRows(source, rowsFrom(1, 9));
  expect(await check(books, source)).toEqual({ tried: [], violations: [] });
});
