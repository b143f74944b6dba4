import { describe, expect, test } from 'vitest';
import type { Reply } from '#bin/cli/person.ts';
import { discoverRoutes } from '#infra/routes.ts';
import { translate } from '#lib/values/message.ts';
import { dayOf, daysAfter } from '#lib/values/time.ts';
import { faultsOf } from '#tests/support/books.ts';
import { CLOSED, OPEN, type PastOperation, runInClosedBooks } from '#tests/support/closed-books.ts';
import { newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorWith } from '#tests/support/records.ts';

const SETTINGS = '/company/company/settings';
const TODAY = dayOf(Date.now());

function closeBooks(token: string, books_closed_on: string | null): Promise<Reply> {
  return call(`PUT ${SETTINGS}`, { token, json: { sale_settings: { books_closed_on } } });
}

test('closing needs close-books, opening reopen-books, staying neither (Part 5, 5A.9)', async () => {
  const family = await newFamily();
  const holder = (rights: string[]) => newEmployee(family, ['company.company.settings', ...rights]);
  const plain = await holder([]);
  const closer = await holder(['company.company.close-books']);
  const opener = await holder(['company.company.reopen-books']);
  const [older, newer] = [daysAfter(TODAY, -9), daysAfter(TODAY, -2)];
  const refused = (verb: 'close' | 'reopen') => {
    const key = `company.${verb}_forbidden` as const;
    const field = 'sale_settings.books_closed_on';
    return {
      status: 422,
      body: {
        errors: { [field]: [translate('ru', { key })] },
        params: { [field]: [{ right: `company.company.${verb}-books` }] },
      },
    };
  };
  const done = (books_closed_on: string | null) => ({
    status: 200,
    body: { sale_settings: { books_closed_on } },
  });
  for (const token of [plain, opener]) expect(await closeBooks(token, older)).toMatchObject(refused('close'));
  expect(await closeBooks(plain, null)).toMatchObject(done(null));
  expect(await closeBooks(closer, older)).toMatchObject(done(older));
  expect(await closeBooks(closer, newer)).toMatchObject(done(newer));
  expect(await closeBooks(plain, newer)).toMatchObject(done(newer));
  for (const token of [plain, closer])
    for (const day of [older, null]) expect(await closeBooks(token, day)).toMatchObject(refused('reopen'));
  expect(await closeBooks(opener, older)).toMatchObject(done(older));
  for (const token of [plain, opener]) expect(await closeBooks(token, newer)).toMatchObject(refused('close'));
  expect(await closeBooks(opener, null)).toMatchObject(done(null));
});

const named = (cases: readonly PastOperation[]) =>
  cases.map((each) => [[each.request, each.of].filter(Boolean).join(' '), each] as const);

describe('nothing of a closed day is canceled (Part 5, 5A.9, 1)', () => {
  test.each(named(CLOSED))('%s', async (_, each) => {
    const { reply, ...scene } = await runInClosedBooks(each);
    expect(reply).toMatchObject(errorWith('books.closed'));
    expect(await faultsOf(scene)).toEqual([]);
  });
});

describe('drafts, and what counts today, stay open (Part 5, 5A.9, 1 and 2)', () => {
  test.each(named(OPEN))('%s', async (_, each) => {
    const { reply } = await runInClosedBooks(each);
    expect({ status: reply.status, body: reply.body }).toMatchObject({ status: 200 });
  });
});

/** Operations on something that moved goods or money before. */
const OF_THE_PAST =
  /^\/company\/(trade\/(?!recalculation-batch)|cashbox\/operation\/|client\/(debt|deposit|client\/\{model\}\/)|stock\/supplier\/\{model\}\/)/;

test('every operation on something of the past is either refused or open (Part 5, 5A.9)', async () => {
  const operations = (await discoverRoutes()).flatMap(({ path, endpoints }) =>
    Object.keys(endpoints).map((method) => ({ method, path })),
  );
  const changing = operations.filter(
    ({ method, path }) =>
      method !== 'GET' && OF_THE_PAST.test(path) && path.includes('{') && !path.endsWith('/preview'),
  );
  const judged = new Set([...CLOSED, ...OPEN].map(({ request }) => request));
  expect(changing.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...judged].sort());
});
