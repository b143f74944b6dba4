import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { collections } from '#lib/cash/collection/record.ts';
import { deskMoneyKey } from '#lib/cash/desk/money.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { dynamo, type Item, tableName } from '#lib/table/client.ts';
import { familyHome, type Home, type Key, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { call } from '#tests/kit/http.ts';
import {
  cancelOf,
  collectFromTill,
  confirmOf,
  newTill,
  OPERATIONS,
  operate,
  reverseOf,
  type Till,
} from '#tests/kit/operations.ts';

/**
 * Makes a till with one of everything: 1 came in; 2 is returned by 3; 4 is canceled; 5 and 6 are a
 * conversion, 7 and 8 a move; 9 is collected and comes as 10; 11 is collected and canceled; 12 is on hold.
 */
async function newDay(): Promise<Till> {
  const till = await newTill(1000);
  const { token, cashboxId, mainId } = till;
  await operate(till, 'outcome', 100);
  await reverseOf(till, 2);
  await operate(till, 'outcome', 50);
  await cancelOf(till, 4);
  const kinds = { from_currency: 'uzs', from_amount: 120, to_currency: 'usd', to_amount: 0.01 };
  const conversion = { cashbox_id: cashboxId, payment_type: 'cash', ...kinds };
  await call(`POST ${OPERATIONS}/conversion`, { token, json: conversion });
  const desks = { from_cashbox_id: cashboxId, to_cashbox_id: mainId };
  const move = { ...desks, payment_type: 'cash', currency: 'uzs', amount: 30 };
  await call(`POST ${OPERATIONS}/transfer`, { token, json: move });
  await collectFromTill(till, 200);
  await confirmOf(till, 1);
  await collectFromTill(till, 70);
  await cancelOf(till, 11);
  await collectFromTill(till, 40);
  return till;
}

async function set(key: Key, change: Item): Promise<void> {
  const item = await getItem(key);
  await dynamo.send(new PutCommand({ TableName: tableName(), Item: { ...item, ...change, ...key } }));
}

test('operations, reversals, cancellations and collections add up', async () => {
  const { companyId } = await newDay();
  const { counts, violations } = await readBooks(companyId);
  expect(violations).toEqual([]);
  expect(counts.get('postings')).toBe(12);
  expect(counts.get('operations at desks')).toBe(8);
  expect(counts.get('collections')).toBe(3);
});

const posting = (home: Home, id: number) => recordKey(POSTING, home, id);

const DAMAGE: readonly [string, string, (till: Till, home: Home) => Promise<void>][] = [
  [
    'an original without its reversal',
    'operations: says that it is returned, and names no reversal',
    (_, home) => set(posting(home, 2), { reversal_id: null }),
  ],
  [
    'a reversal of another amount',
    'operations: and its reversal are not of each other',
    (_, home) => set(posting(home, 3), { amount: 1 }),
  ],
  [
    'a cancellation that has brought nothing back',
    'desks: no posting goes on from',
    (_, home) =>
      set(posting(home, 4), { balances_after_cancel: { cash: { uzs: '949.00' }, card: {}, bank: {} } }),
  ],
  [
    'a canceled expense that counts again',
    'desks: has 61000 of cash uzs, its postings come to 56000',
    (_, home) => set(posting(home, 4), { status: 'completed' }),
  ],
  [
    'a conversion of one currency',
    'operations: is no conversion of one desk',
    (_, home) => set(posting(home, 6), { currency: 'uzs' }),
  ],
  [
    'a move without its other side',
    'operations: has no other side',
    (_, home) => set(posting(home, 8), { source_data: [] }),
  ],
  [
    'a confirmed collection that is on hold',
    'operations: its outcome is not what its postings say',
    (_, home) => set(recordKey(collections.type, home, 1), { status: 'on_hold' }),
  ],
  [
    'a collection that came as less than it was',
    'operations: its income is not what its postings say',
    (_, home) => set(posting(home, 10), { amount: 1 }),
  ],
  [
    'money on hold that a desk has forgotten',
    'desks: says that 0 of cash uzs is on hold, its postings that 4000 is',
    ({ cashboxId }, home) => set(deskMoneyKey(home, cashboxId), { on_hold: null }),
  ],
];

test.each(DAMAGE)(
  '%s is found',
  async (_, said, damage) => {
    const till = await newDay();
    await damage(till, familyHome(till.companyId));
    const { violations } = await readBooks(till.companyId);
    const told = violations.map(({ book, what }) => `${book}: ${what}`);
    expect(told.filter((each) => each.startsWith(said))).not.toEqual([]);
    for (const { history } of violations) expect((await history()).length).toBeGreaterThan(0);
  },
  30_000,
);
