import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { moveByReason, OperationInput } from '#lib/cash/operation/by-reason.ts';
import { cancelOperation, reverse } from '#lib/cash/operation/cancel.ts';
import { expensesReport } from '#lib/reports/expenses/expenses.ts';
import type { Direction } from '#lib/values/money.ts';
import { dayOf, daysAfter } from '#lib/values/time.ts';
import { faultsOf } from '#tests/support/books.ts';
import { directorAs, newEmployee, newFamilyWithBranch } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { newTill, type Till } from '#tests/support/operations.ts';
import { errorsIn, make, NOT_FOUND } from '#tests/support/records.ts';
import { nothing } from '#tests/support/save-response.ts';
import { downloadSheet } from '#tests/support/sheet.ts';

const REPORT = '/company/report/expenses';

const Report = z.looseObject({ data: z.array(z.unknown()), totals: z.array(z.unknown()) });

/** Returns noon of a day of March. */
function march(day: number): number {
  return Date.parse(`2026-03-${String(day).padStart(2, '0')}T12:00:00+05:00`);
}

const MARCH = 'filter[date][0]=2026-03-01&filter[date][1]=2026-03-31';

async function report(token: string, query: string, days = MARCH) {
  const { status, body } = await call(`GET ${REPORT}?${days}&${query}`, { token });
  expect(status).toBe(200);
  return Report.parse(body);
}

/** Makes an income or expense at a desk at a given time. */
async function move(till: Till, type: Direction, amount: number, at: number, given: object = {}) {
  const money = { cashbox_id: till.cashboxId, type, payment_type: 'cash', currency: 'uzs', amount };
  const input = OperationInput.parse({ ...money, reason_id: till[type], ...given });
  return (await moveByReason(directorAs(till.directorId, till.companyId), input, at, nothing)).id;
}

const actorOf = (till: Till) => directorAs(till.directorId, till.companyId);

/** Makes a return or a cancel of an operation. */
const undo = {
  return: (till: Till, id: number, at: number) => reverse(actorOf(till), id, at, nothing),
  cancel: (till: Till, id: number, at: number) =>
    cancelOperation(actorOf(till), { id, cancel_comment: 'Ошибка' }, at, nothing),
};

const row = (key: unknown, label: unknown, [count, income, outcome]: readonly [number, number, number]) => {
  return { key, label, currency: 'uzs', count, income, outcome };
};

/** Creates a till with 1000 in and 300 out on different days, and another item with a rent of 50. */
async function newMonth() {
  const till = await newTill();
  const rent = await make('/company/cashbox/reason', till.token, { type: 'outcome', name: 'Rent' });
  await move(till, 'income', 1000, march(1));
  await move(till, 'outcome', 300.25, march(3));
  await move(till, 'outcome', 50, march(3), { reason_id: rent });
  return { till, rent };
}

test('manual incomes and expenses add up by item, day, month, company and desk (Part 5, 5A.10 (3))', async () => {
  const { till, rent } = await newMonth();
  const all = [3, 1000, 350.25] as const;
  const totals = [row(null, null, all)];
  const byReason = await report(till.token, 'group=reason');
  expect(byReason).toMatchObject({ totals, period: { from: '2026-03-01', to: '2026-03-31' } });
  expect(byReason.data).toEqual([
    row(till.income, expect.any(String), [1, 1000, 0]),
    row(till.outcome, expect.any(String), [1, 0, 300.25]),
    row(rent, 'Rent', [1, 0, 50]),
  ]);
  expect(await report(till.token, '')).toEqual(byReason);
  expect((await report(till.token, 'group=day')).data).toEqual([
    row('2026-03-01', '2026-03-01', [1, 1000, 0]),
    row('2026-03-03', '2026-03-03', [2, 0, 350.25]),
  ]);
  expect((await report(till.token, 'group=month')).data).toEqual([row('2026-03', '2026-03', all)]);
  expect((await report(till.token, 'group=company')).data).toEqual([row(till.companyId, 'Savdo', all)]);
  expect(await report(till.token, 'group=cashbox')).toMatchObject({
    data: [{ key: till.cashboxId, count: 3 }],
    totals,
  });
});

test.each(['return', 'cancel'] as const)(
  'a %s counts on its own day the other way, beside the operation (Part 5, 5A.10 (3))',
  async (way) => {
    const { till, rent } = await newMonth();
    const late = await move(till, 'outcome', 70, march(30), { reason_id: rent });
    await undo[way](till, late, Date.parse('2026-04-02T12:00:00+05:00'));
    const only = `group=day&filter[reason_id][]=${rent}`;
    expect((await report(till.token, only)).data).toEqual([
      row('2026-03-03', '2026-03-03', [1, 0, 50]),
      row('2026-03-30', '2026-03-30', [1, 0, 70]),
    ]);
    const april = 'filter[date][0]=2026-04-01&filter[date][1]=2026-04-30';
    const back = [row('2026-04-02', '2026-04-02', [1, 70, 0])];
    expect((await report(till.token, 'group=day', april)).data).toEqual(back);
    expect((await report(till.token, 'group=day&filter[type]=outcome', april)).data).toEqual(back);
    expect((await report(till.token, 'group=day&filter[type]=income', april)).data).toEqual([]);
  },
);

test('an expense of a shift is one; sales, moves and conversions are none (Part 5, 5A.10 (3))', async () => {
  const till = await newTill(5000);
  const to_cashbox_id = await make('/company/cashbox/cashbox', till.token, { name: 'Desk 2', type: 'sale' });
  const move = { from_cashbox_id: till.cashboxId, to_cashbox_id, payment_type: 'cash', currency: 'uzs' };
  await call('POST /company/cashbox/operation/transfer', {
    token: till.token,
    json: { ...move, amount: 10 },
  });
  await call('PUT /company/company/settings', {
    token: till.token,
    json: { cashbox_shift_settings: { is_enabled: true } },
  });
  const shift = await make('/company/trade/cashbox-shift', till.token, {
    ...{ cashbox_id: till.cashboxId, stock_id: till.stockId },
    opening_balances: [{ payment_type: 'cash', currency: 'uzs', amount: 100 }],
  });
  const money = { reason_id: till.outcome, payment_type: 'cash', currency: 'uzs', amount: 55.5 };
  const paid = { token: till.token, json: money };
  expect((await call(`POST /company/trade/cashbox-shift/${shift}/expense`, paid)).status).toBe(200);
  const today = dayOf(Date.now());
  const days = `filter[date][0]=${today}&filter[date][1]=${daysAfter(today, 1)}`;
  const { data } = await report(till.token, `filter[reason_id]=${till.outcome}`, days);
  expect(data).toEqual([row(till.outcome, expect.any(String), [1, 0, 55.5])]);
  expect((await report(till.token, 'group=cashbox', days)).data).toMatchObject([{ key: till.cashboxId }]);
});

test('filters by item, desk and company, 422 on those out of reach, all at once (Part 5, 5A.10)', async () => {
  const { till, rent } = await newMonth();
  const second = await make('/company/cashbox/cashbox', till.token, { name: 'Desk 2', type: 'sale' });
  await move(till, 'income', 7, march(5), { cashbox_id: second });
  const count = async (query: string, token = till.token) => (await report(token, query)).totals;
  expect(await count(`filter[cashbox_id][]=${second}`)).toMatchObject([{ count: 1, income: 7 }]);
  expect(await count(`filter[company_id][]=${till.companyId}`)).toMatchObject([{ count: 4 }]);
  expect(await count(`filter[reason_id][]=${rent}&filter[reason_id][]=${till.income}`)).toMatchObject([
    { count: 3 },
  ]);
  expect(await count('filter[type]=income')).toMatchObject([{ count: 2, income: 1007, outcome: 0 }]);
  const atSecond = await newEmployee(till, ['company.report.expenses'], { cashbox_ids: [second] });
  expect(await count('', atSecond)).toMatchObject([{ count: 1, income: 7 }]);
  const other = await newFamilyWithBranch();
  const foreign = `filter[company_id][]=${other.companyId}&filter[reason_id][]=999999&filter[cashbox_id][]=${till.cashboxId}`;
  expect(await errorsIn(`${REPORT}?${MARCH}&${foreign}`, atSecond)).toEqual({
    'filter.company_id': [NOT_FOUND],
    'filter.reason_id': [NOT_FOUND],
    'filter.cashbox_id': [NOT_FOUND],
  });
});

test('a period is required, and at most 366 days (Part 5, 5A.10 (3))', async () => {
  const { token } = await newTill();
  const days = (from: string, to: string) => `filter[date][0]=${from}&filter[date][1]=${to}`;
  expect(await report(token, '', days('2025-03-01', '2026-03-01'))).toMatchObject({ data: [], totals: [] });
  for (const query of ['', days('2025-03-01', '2026-03-02'), days('2026-03-02', '2026-03-01')]) {
    const errors = await errorsIn(`${REPORT}?${query}`, token);
    expect(Object.keys(Object(errors))[0]).toMatch(/^filter\.date/);
  }
});

test('without the right it is 403, and format=excel has the totals last (Part 5, 5A.10)', async () => {
  const { till } = await newMonth();
  const token = await newEmployee(till, ['company.report.cash']);
  expect((await call(`GET ${REPORT}?${MARCH}`, { token })).status).toBe(403);
  const { rows } = await downloadSheet(`${REPORT}?${MARCH}&format=excel`, till.token);
  expect(rows).toHaveLength(5);
  expect(rows.at(-1)).toEqual([null, 'Итого', 'UZS', 3, 1000, 350.25]);
});

/** A move on a day of March, and how it is undone how many days later, if at all. */
const Move = fc.record({
  type: fc.constantFrom<Direction>('income', 'outcome'),
  cents: fc.integer({ min: 1, max: 100_000 }),
  currency: fc.constantFrom('uzs', 'usd'),
  day: fc.integer({ min: 1, max: 20 }),
  end: fc.option(
    fc.record({ way: fc.constantFrom('return', 'cancel'), days: fc.integer({ min: 0, max: 9 }) }),
  ),
});

type Move = typeof Move extends fc.Arbitrary<infer M> ? M : never;

/** Computes income and outcome of moves: one that is undone moves the same both ways. */
function sumsOf(moves: readonly Move[]): number[] {
  return ['income', 'outcome'].map((type) =>
    moves.reduce((sum, each) => sum + (each.end || each.type === type ? each.cents : 0), 0),
  );
}

/** Makes moves at a till that has enough for them. */
async function play(till: Till, moves: readonly Move[]): Promise<void> {
  for (const { type, cents, currency, day, end } of moves) {
    const id = await move(till, type, cents / 100, march(day), { currency });
    if (end) await undo[end.way](till, id, march(day + end.days));
  }
}

test('by any grouping the sums are those of the movements, and verify agrees (Part 5, 5A.10 (3))', async () => {
  const float = { type: 'income', cents: 100_000_000, day: 1, end: null } as const;
  const date = { from: '2026-03-01', to: '2026-03-31' };
  await fc.assert(
    fc.asyncProperty(fc.array(Move, { minLength: 1, maxLength: 8 }), async (some) => {
      const till = await newTill();
      const moves: Move[] = [{ ...float, currency: 'uzs' }, { ...float, currency: 'usd' }, ...some];
      await play(till, moves);
      for (const group of ['reason', 'day', 'month', 'company', 'cashbox'] as const) {
        const { data, totals } = await expensesReport(actorOf(till), { group, filter: { date } });
        for (const currency of ['uzs', 'usd']) {
          const expected = sumsOf(moves.filter((each) => each.currency === currency));
          for (const rows of [data, totals]) expect(addUp(rows, currency)).toEqual(expected);
        }
      }
      expect(await faultsOf(till)).toEqual([]);
    }),
    { numRuns: 7, examples: [[CLOCK_BACK], [CLOCK_BACK_AFTER_CANCEL]] },
  );
});

const COIN = { type: 'income', cents: 1, currency: 'uzs', end: null } as const;

/** Clocks that go back to a day that they left: the desk has begun its day again. */
const CLOCK_BACK: Move[] = [19, 1, 19].map((day) => ({ ...COIN, day }));
const CLOCK_BACK_AFTER_CANCEL: Move[] = [
  { ...COIN, day: 10 },
  { ...COIN, day: 10, end: { way: 'cancel', days: 4 } },
  { ...COIN, day: 10 },
];

type Rows = Awaited<ReturnType<typeof expensesReport>>['data'];

function addUp(rows: Rows, currency: string): number[] {
  const own = rows.filter((each) => each.currency === currency);
  return [own.map(({ income }) => income), own.map(({ outcome }) => outcome)].map((amounts) =>
    Number(amounts.reduce((a, b) => a + b, 0n)),
  );
}
