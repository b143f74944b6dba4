import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { payablesReport, unpaidOf } from '#lib/reports/payables.ts';
import { adjust, SupplierAdjustmentInput } from '#lib/stock/supplier/adjustment.ts';
import { reverseOperation } from '#lib/stock/supplier/reverse.ts';
import { dayOf, daysAfter, startOfDay } from '#lib/values/time.ts';
import { faultsOf } from '#tests/support/books.ts';
import { directorAs, newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import type { Family } from '#tests/support/provisioning.ts';
import { errorsIn, make, NOT_FOUND } from '#tests/support/records.ts';
import { nothing } from '#tests/support/save-response.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { newDepot, payForGoods, SUPPLIERS } from '#tests/support/write-offs.ts';

const REPORT = '/company/report/payables';

const Report = z.looseObject({ data: z.array(z.looseObject({})), totals: z.array(z.looseObject({})) });

async function report(token: string, query = '') {
  const { status, body } = await call(`GET ${REPORT}?${query}`, { token });
  expect(status).toBe(200);
  return Report.parse(body);
}

/** Returns noon this many days ago. */
function daysAgo(days: number): number {
  return startOfDay(daysAfter(dayOf(Date.now()), -days)) + 12 * 3_600_000;
}

/** Returns the last second of a due date this many days from today. */
function dueIn(days: number): string {
  return `${daysAfter(dayOf(Date.now()), days)} 23:59:59`;
}

/** Changes the balance of a supplier, this many days ago. */
async function change({ companyId, directorId }: Family, supplier_id: number, amount: number, days: number) {
  const form = { type: 'correction', currency: 'uzs', amount, comment: 'Акт' };
  const input = { ...SupplierAdjustmentInput.parse(form), supplier_id };
  return (await adjust(directorAs(directorId, companyId), input, daysAgo(days), nothing)).id;
}

function newSupplier({ director }: Family, name: string, payment_days: number | null = null) {
  return make(SUPPLIERS, director, { name, payment_days });
}

const NONE = { not_due: 0, overdue_1_30: 0, overdue_31_60: 0, overdue_61_90: 0, overdue_over_90: 0 };

function row(key: number | null, label: string | null, figures: object) {
  const zeros = { ...NONE, total: 0, prepaid: 0, oldest_due_date: null };
  return { key, label, currency: 'uzs', ...zeros, ...figures };
}

test('a balance is owed for the newest operations that raised it, by days overdue (Part 5, 5A.10 (2))', async () => {
  const family = await newFamily();
  const id = await newSupplier(family, 'Ферма');
  await change(family, id, 1000.5, 120);
  await change(family, id, 200, 91);
  await change(family, id, 70, 40);
  await change(family, id, -1050.5, 20);
  await change(family, id, 30, 0);
  const figures = { overdue_over_90: 150, overdue_31_60: 70, not_due: 30, total: 250 };
  const owed = { ...figures, oldest_due_date: dueIn(-91) };
  expect(await report(family.director)).toEqual({
    data: [row(id, 'Ферма', owed)],
    totals: [row(null, null, owed)],
    period: null,
  });
});

test('each is due payment_days after its day: 1 to 30 days late from the day after (Part 5, 5A.10 (2))', async () => {
  const family = await newFamily();
  const id = await newSupplier(family, 'Ферма', 10);
  for (const [days, amount] of [
    [10, 1],
    [11, 2],
    [40, 4],
    [41, 8],
    [0, 16],
  ] as const)
    await change(family, id, amount, days);
  const { data } = await report(family.director);
  expect(data).toEqual([
    row(id, 'Ферма', {
      ...{ not_due: 17, overdue_1_30: 6, overdue_31_60: 8, total: 31 },
      oldest_due_date: dueIn(-31),
    }),
  ]);
});

test('what was reversed and its reversal are left out (Part 5, 5A.10 (2))', async () => {
  const family = await newFamily();
  const { companyId, directorId, director } = family;
  const id = await newSupplier(family, 'Ферма');
  await change(family, id, 100, 50);
  const wrong = await change(family, id, 500, 5);
  const spent = await change(family, id, -60, 4);
  const actor = directorAs(directorId, companyId);
  for (const operation of [wrong, spent]) {
    const how = { comment: 'Ошибка', at: daysAgo(1), saveResponse: nothing };
    await reverseOperation(actor, { model: id, operation }, how);
  }
  expect((await report(director)).data).toEqual([
    row(id, 'Ферма', { overdue_31_60: 100, total: 100, oldest_due_date: dueIn(-50) }),
  ]);
});

test('below zero it is prepaid, above zero there; total less prepaid are the balances (Part 5, 5A.10 (2))', async () => {
  const family = await newFamily();
  const [one, other, even] = await Promise.all(['A', 'B', 'C'].map((name) => newSupplier(family, name)));
  await change(family, one ?? 0, 40, 0);
  await change(family, other ?? 0, -70.25, 3);
  await change(family, even ?? 0, 5, 3);
  await change(family, even ?? 0, -5, 2);
  const { data, totals } = await report(family.director);
  expect(data).toHaveLength(2);
  expect(data).toContainEqual(row(other ?? 0, 'B', { prepaid: 70.25 }));
  expect(totals).toEqual([
    row(null, null, { not_due: 40, total: 40, prepaid: 70.25, oldest_due_date: dueIn(0) }),
  ]);
  expect((await report(family.director, `filter[supplier_id][]=${one}`)).data).toMatchObject([{ key: one }]);
});

test('receipts and payments count, as far as the caller reaches them (Part 5, 5A.10)', async () => {
  const depot = await newDepot(2);
  await payForGoods(depot, 10.5);
  const expected = [{ key: depot.supplierId, currency: 'uzs', total: 29.5, prepaid: 0 }];
  expect((await report(depot.token)).data).toMatchObject(expected);
  const rights = ['company.report.payables'];
  const inNoPlace = await newEmployee(depot, rights, { cashbox_ids: [], stock_ids: [] });
  expect((await report(inNoPlace)).data).toEqual([]);
  const without = await newEmployee(depot, ['company.report.debts']);
  expect((await call(`GET ${REPORT}`, { token: without })).status).toBe(403);
});

test('a filter by an unknown supplier is 422, and format=excel has the totals last (Part 5, 5A.10)', async () => {
  const family = await newFamily();
  await change(family, await newSupplier(family, 'Ферма'), 12, 0);
  expect(await errorsIn(`${REPORT}?filter[supplier_id][]=999999`, family.director)).toEqual({
    'filter.supplier_id': [NOT_FOUND],
  });
  const { rows } = await downloadSheet(`${REPORT}?format=excel`, family.director);
  expect(rows).toHaveLength(3);
  expect(rows.at(-1)?.slice(0, 4)).toEqual([null, 'Итого', 'UZS', 12]);
});

test('what is unpaid adds up to the balance, and every newer raise is whole', () => {
  const amounts = fc.array(fc.integer({ min: -100_000, max: 100_000 }), { minLength: 1 });
  fc.assert(
    fc.property(amounts, (list) => {
      const balance = list.reduce((sum, amount) => sum + amount, 0);
      fc.pre(balance > 0);
      const operations = list.map((amount, index) => ({ amount, created_at: index }));
      const unpaid = unpaidOf(operations, BigInt(balance)).map(({ left }) => Number(left));
      expect(unpaid.reduce((sum, left) => sum + left, 0)).toBe(balance);
      const raises = list.filter((amount) => amount > 0).toReversed();
      expect(unpaid.slice(0, -1)).toEqual(raises.slice(0, unpaid.length - 1));
    }),
  );
});

/** A change of the balance of one of two suppliers, some days ago, which may be reversed. */
const Change = fc.record({
  index: fc.integer({ min: 0, max: 1 }),
  cents: fc.integer({ min: -50_000, max: 50_000 }).filter((cents) => cents !== 0),
  days: fc.integer({ min: 0, max: 130 }),
  isReversed: fc.boolean(),
});

test('total less prepaid of totals are the balances of suppliers, and verify agrees (Part 5, 5A.10 (2))', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Change, { minLength: 1, maxLength: 8 }), async (changes) => {
      const family = await newFamily();
      const actor = directorAs(family.directorId, family.companyId);
      const ids = [await newSupplier(family, 'A'), await newSupplier(family, 'B', 30)];
      for (const { index, cents, days, isReversed } of changes.toSorted((a, b) => b.days - a.days)) {
        const id = ids[index] ?? 0;
        const operation = await change(family, id, cents / 100, days);
        const how = { comment: 'Ошибка', at: daysAgo(days), saveResponse: nothing };
        if (isReversed) await reverseOperation(actor, { model: id, operation }, how);
      }
      const { totals } = await payablesReport(actor, { filter: {} }, Date.now());
      const [total] = totals;
      const balance = changes.reduce((sum, { cents, isReversed }) => sum + (isReversed ? 0 : cents), 0);
      expect(Number((total?.total ?? 0n) - (total?.prepaid ?? 0n))).toBe(balance);
      expect(await faultsOf(family)).toEqual([]);
    }),
    { numRuns: 6 },
  );
});
