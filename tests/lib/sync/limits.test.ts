import { expect, test } from 'vitest';
import { SyncQuery, sync } from '#lib/sync/sync.ts';
import { directorAs, newFamilyWithBranch } from '#tests/support/family.ts';

const MINUTE_MS = 60_000;

/** Creates a caller, whose calls are made at a given second of a future minute. */
async function newCaller() {
  const { directorId, companyId } = await newFamilyWithBranch();
  const actor = directorAs(directorId, companyId);
  const minute = (Math.floor(Date.now() / MINUTE_MS) + 1) * MINUTE_MS;
  return (second: number, asked: object) =>
    sync({ actor, query: SyncQuery.parse(asked), at: minute + second * 1000, locale: 'ru' });
}

const REFUSED = { status: 429 };

test('thirty answers with nothing left are given in a minute of the clock, and then 429', async () => {
  const ask = await newCaller();
  const { cursor } = await ask(0, { types: ['product.service'] });
  const empty = (second: number) => ask(second, { cursor });
  for (let each = 0; each < 30; each++) expect((await empty(each)).has_more).toBe(false);
  await expect(empty(59)).rejects.toMatchObject(REFUSED);
  expect(await empty(60)).toMatchObject({ has_more: false });
});

test('three hundred answers are given in a minute of the clock, and then 429', async () => {
  const ask = await newCaller();
  const first = (second: number) => ask(second, { types: ['company.company'], limit: 1 });
  for (let each = 0; each < 300; each++) {
    expect(await first(each / 10)).toMatchObject({ has_more: true, data: [{ type: 'company.company' }] });
  }
  await expect(first(31)).rejects.toMatchObject({ ...REFUSED, retryAfter: 29 });
  expect(await first(60)).toMatchObject({ has_more: true });
});
