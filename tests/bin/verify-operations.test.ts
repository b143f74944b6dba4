import { expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { collections } from '#lib/cash/collection/record.ts';
import { deskMoneyKey } from '#lib/cash/desk/money.ts';
import { POSTING_CANCELLATION } from '#lib/cash/posting/cancellation.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { familyTenant, recordKey, type Tenant } from '#lib/table/keys.ts';
import { plantInTest } from '#tests/support/books.ts';
import { call } from '#tests/support/http.ts';
import {
  COLLECTIONS,
  cancelOf,
  collectFromTill,
  confirmOf,
  newIdOf,
  newIdsOf,
  newTill,
  OPERATIONS,
  operate,
  postingsAt,
  reverseOf,
} from '#tests/support/operations.ts';

/**
 * Creates a till with one of everything: goods receipts; an expense that was returned, and one that was
 * canceled; a conversion and a move; a collection that was confirmed, one that was canceled, and one that is
 * on hold.
 */
async function newDay() {
  const till = await newTill(1000);
  const { token, cashboxId, mainId } = till;
  const returned = newIdOf(await operate(till, 'outcome', 100));
  const reversal = newIdOf(await reverseOf(till, returned));
  const canceled = newIdOf(await operate(till, 'outcome', 50));
  await cancelOf(till, canceled);
  const kinds = { from_currency: 'uzs', from_amount: 120, to_currency: 'usd', to_amount: 0.01 };
  const conversion = { cashbox_id: cashboxId, payment_type: 'cash', ...kinds };
  const [, converted = 0] = newIdsOf(
    await call(`POST ${OPERATIONS}/conversion`, { token, json: conversion }),
  );
  const desks = { from_cashbox_id: cashboxId, to_cashbox_id: mainId };
  const move = { ...desks, payment_type: 'cash', currency: 'uzs', amount: 30 };
  const [, moved = 0] = newIdsOf(await call(`POST ${OPERATIONS}/transfer`, { token, json: move }));
  const collection = newIdOf(await collectFromTill(till, 200));
  await confirmOf(till, collection);
  const collected = (await postingsAt(till, mainId)).at(-1)?.id ?? 0;
  const short = newIdOf(await collectFromTill(till, 10));
  const counted = { items: [{ payment_type: 'cash', currency: 'uzs', amount: 9 }], comment: 'Недостача' };
  const confirming = `PATCH ${COLLECTIONS}/${short}/confirm` as const;
  expect((await call(confirming, { token: till.token, json: counted })).status).toBe(200);
  await cancelOf(till, (await collectFromTill(till, 70)).number('transactions_data.0.id'));
  await collectFromTill(till, 40);
  return { ...till, returned, reversal, canceled, converted, moved, collection, short, collected };
}

const day = await newDay();
const { companyId } = day;

test('operations, reversals, cancellations and collections add up', async () => {
  const { counts, violations } = await readBooks(companyId);
  expect(violations).toEqual([]);
  expect(counts.get('postings')).toBe(15);
  expect(counts.get('operations at desks')).toBe(8);
  expect(counts.get('collections')).toBe(4);
  expect(counts.get('cancellations')).toBe(2);
});

const posting = (tenant: Tenant, id: number) => recordKey(POSTING, tenant, id);

type Day = Awaited<ReturnType<typeof newDay>>;

const DAMAGE: readonly [string, string, (day: Day, tenant: Tenant) => Promise<void>][] = [
  [
    'an original without its reversal',
    'operations: says that it is returned, and names no reversal',
    ({ returned }, tenant) => plantInTest(posting(tenant, returned), { reversal_id: null }),
  ],
  [
    'a reversal of another amount',
    'operations: and its reversal are not of each other',
    ({ reversal }, tenant) => plantInTest(posting(tenant, reversal), { amount: 1 }),
  ],
  [
    'a cancellation that has brought nothing back',
    'desks: no posting goes on from',
    ({ canceled }, tenant) =>
      plantInTest(posting(tenant, canceled), {
        balances_after_cancel: { cash: { uzs: '949.00' }, card: {}, bank: {} },
      }),
  ],
  [
    'a canceled expense that counts again',
    'desks: has 60000 of cash uzs, its postings come to 55000',
    ({ canceled }, tenant) => plantInTest(posting(tenant, canceled), { status: 'completed' }),
  ],
  [
    'a cancellation that says another moment',
    'cancellations: is not how posting',
    (_, tenant) => plantInTest(recordKey(POSTING_CANCELLATION, tenant, 1), { created_at: 1 }),
  ],
  [
    'a cancellation that is not told',
    'cancellations: is canceled, and no cancellation tells of it',
    (_, tenant) => plantInTest(recordKey(POSTING_CANCELLATION, tenant, 1), { posting_id: 1 }),
  ],
  [
    'a conversion of one currency',
    'operations: is no conversion of one desk',
    ({ converted }, tenant) => plantInTest(posting(tenant, converted), { currency: 'uzs' }),
  ],
  [
    'a move without its other side',
    'operations: has no other side',
    ({ moved }, tenant) => plantInTest(posting(tenant, moved), { source_data: [] }),
  ],
  [
    'a confirmed collection that is on hold',
    'operations: its outcome is not what its postings say',
    ({ collection }, tenant) =>
      plantInTest(recordKey(collections.type, tenant, collection), { status: 'on_hold' }),
  ],
  [
    'a collection that tells of another difference than was posted',
    'operations: its differences are not what its postings say',
    ({ short }, tenant) => plantInTest(recordKey(collections.type, tenant, short), { differences: [] }),
  ],
  [
    'a collection that came as less than it was',
    'operations: its income is not what its postings say',
    ({ collected }, tenant) => plantInTest(posting(tenant, collected), { amount: 1 }),
  ],
  [
    'money on hold that a desk has forgotten',
    'desks: says that 0 of cash uzs is on hold, its postings that 4000 is',
    ({ cashboxId }, tenant) => plantInTest(deskMoneyKey(tenant, cashboxId), { on_hold: null }),
  ],
];

test.each(DAMAGE)('%s is found', async (_, said, damage) => {
  await damage(day, familyTenant(companyId));
  const { violations } = await readBooks(companyId);
  const told = violations.map(({ book, what }) => `${book}: ${what}`);
  expect(told.filter((each) => each.startsWith(said))).not.toEqual([]);
  for (const { history } of violations) expect((await history()).length).toBeGreaterThan(0);
});
