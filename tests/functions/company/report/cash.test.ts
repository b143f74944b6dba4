import { expect, test } from 'vitest';
import { CollectionInput, collect } from '#lib/cash/collection/collect.ts';
import { confirm } from '#lib/cash/collection/end.ts';
import { moveByReason, OperationInput } from '#lib/cash/operation/by-reason.ts';
import { cancelOperation, reverse } from '#lib/cash/operation/cancel.ts';
import type { Direction } from '#lib/values/money.ts';
import { dayOf, renderInstant } from '#lib/values/time.ts';
import { faultsOf } from '#tests/support/books.ts';
import { directorAs, newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { newTill, type Till } from '#tests/support/operations.ts';
import { errorsIn, make, NOT_FOUND } from '#tests/support/records.ts';
import { back, linesOfSale, sellFor, sendReturn } from '#tests/support/returns.ts';
import { nothing } from '#tests/support/save-response.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { newGoods } from '#tests/support/shop.ts';

const REPORT = '/company/report/cash';

/** Returns noon of a day of March. */
function march(day: number): number {
  return Date.parse(`2026-03-${String(day).padStart(2, '0')}T12:00:00+05:00`);
}

async function report(token: string, days: readonly [string, string], query = '') {
  const [from, to] = days;
  const filter = `filter[date][0]=${from}&filter[date][1]=${to}`;
  const { status, body } = await call(`GET ${REPORT}?${filter}&${query}`, { token });
  expect(status).toBe(200);
  return body;
}

/** Creates a row of sums in cash, or of another kind of money. */
function row(
  [key, label]: readonly [string | number | null, string | null],
  [opening, income, outcome, closing]: readonly [number, number, number, number],
  { payment_type, currency } = { payment_type: 'cash', currency: 'uzs' },
) {
  return { key, label, payment_type, currency, opening, income, outcome, closing };
}

const of = (key: string) => [key, key] as const;
const TOTAL = [null, null] as const;
const USD = { payment_type: 'bank', currency: 'usd' };

/** Makes an income or expense at a desk at a given time. */
async function move(till: Till, type: Direction, amount: number, at: number, given: object = {}) {
  const money = { cashbox_id: till.cashboxId, type, payment_type: 'cash', currency: 'uzs', amount };
  const input = OperationInput.parse({ ...money, reason_id: till[type], ...given });
  return (await moveByReason(directorAs(till.directorId, till.companyId), input, at, nothing)).id;
}

test('a day opens with what the last one left: opening + income − outcome = closing', async () => {
  const till = await newTill();
  await move(till, 'income', 1000, march(1));
  await move(till, 'income', 50.25, march(1));
  await move(till, 'outcome', 300, march(3));
  await move(till, 'income', 5, march(3), USD);
  expect(await report(till.token, ['2026-03-01', '2026-03-03'])).toEqual({
    data: [
      row(of('2026-03-01'), [0, 1050.25, 0, 1050.25]),
      row(of('2026-03-01'), [0, 0, 0, 0], USD),
      row(of('2026-03-02'), [1050.25, 0, 0, 1050.25]),
      row(of('2026-03-02'), [0, 0, 0, 0], USD),
      row(of('2026-03-03'), [1050.25, 0, 300, 750.25]),
      row(of('2026-03-03'), [0, 5, 0, 5], USD),
    ],
    totals: [row(TOTAL, [0, 1050.25, 300, 750.25]), row(TOTAL, [0, 5, 0, 5], USD)],
    period: { from: '2026-03-01', to: '2026-03-03' },
  });
  expect(await report(till.token, ['2026-03-03', '2026-03-03'])).toMatchObject({
    data: [row(of('2026-03-03'), [1050.25, 0, 300, 750.25]), row(of('2026-03-03'), [0, 5, 0, 5], USD)],
  });
});

test('what moved in other months is the opening, and a time before anything has no rows', async () => {
  const till = await newTill();
  await move(till, 'income', 700, Date.parse('2025-12-31T23:59:59+05:00'));
  await move(till, 'income', 20, Date.parse('2026-01-01T00:00:00+05:00'));
  await move(till, 'outcome', 5, Date.parse('2026-02-28T12:00:00+05:00'));
  await move(till, 'outcome', 1, Date.parse('2026-04-01T00:00:00+05:00'));
  const opened = (from: string, to = from) => report(till.token, [from, to], 'group=cashbox');
  const desk = [till.cashboxId, 'Desk 1'] as const;
  expect(await opened('2026-03-05', '2026-03-31')).toMatchObject({
    data: [row(desk, [715, 0, 0, 715])],
    totals: [row(TOTAL, [715, 0, 0, 715])],
  });
  expect(await opened('2026-03-31', '2026-04-01')).toMatchObject({ data: [row(desk, [715, 0, 1, 714])] });
  expect(await opened('2025-12-31', '2026-02-28')).toMatchObject({ data: [row(desk, [0, 720, 5, 715])] });
  expect(await opened('2024-01-01', '2025-12-30')).toEqual({
    data: [],
    totals: [],
    period: { from: '2024-01-01', to: '2025-12-30' },
  });
});

test('a cancel or reversal counts on the day the money moves back, as a movement the other way (Part 4, 4.5 (6))', async () => {
  const till = await newTill();
  const actor = directorAs(till.directorId, till.companyId);
  const [canceled, reversed] = [
    await move(till, 'income', 100, march(1)),
    await move(till, 'outcome', 40, march(1)),
  ];
  await move(till, 'income', 7, march(1));
  await reverse(actor, reversed, march(2), nothing);
  await cancelOperation(actor, { id: canceled, cancel_comment: 'Ошибка' }, march(3), nothing);
  expect(await report(till.token, ['2026-03-01', '2026-03-04'])).toMatchObject({
    data: [
      row(of('2026-03-01'), [0, 107, 40, 67]),
      row(of('2026-03-02'), [67, 40, 0, 107]),
      row(of('2026-03-03'), [107, 0, 100, 7]),
      row(of('2026-03-04'), [7, 0, 0, 7]),
    ],
    totals: [row(TOTAL, [0, 147, 140, 7])],
  });
  expect(await faultsOf(till)).toEqual([]);
});

test('what is collected leaves its desk at once, and comes into the main one, or back, when it does', async () => {
  const till = await newTill();
  const actor = directorAs(till.directorId, till.companyId);
  const take = async (amount: number) => {
    const items = [{ payment_type: 'cash', currency: 'uzs', amount }];
    const input = CollectionInput.parse({ cashbox_id: till.cashboxId, items });
    return collect(actor, input, march(2), nothing);
  };
  await move(till, 'income', 100, march(1));
  const [kept, returned] = [await take(30), await take(25)];
  await confirm(actor, { id: kept.id, items: [], comment: null }, march(3), nothing);
  const cancel = { id: returned.transactions_data?.[0]?.id ?? 0, cancel_comment: 'Ошибка' };
  await cancelOperation(actor, cancel, march(4), nothing);
  const days = (id: number) => report(till.token, ['2026-03-02', '2026-03-04'], `filter[cashbox_id][]=${id}`);
  expect(await days(till.cashboxId)).toMatchObject({
    data: [
      row(of('2026-03-02'), [100, 0, 55, 45]),
      row(of('2026-03-03'), [45, 0, 0, 45]),
      row(of('2026-03-04'), [45, 25, 0, 70]),
    ],
  });
  expect(await days(till.mainId)).toMatchObject({
    data: [
      row(of('2026-03-02'), [0, 0, 0, 0]),
      row(of('2026-03-03'), [0, 30, 0, 30]),
      row(of('2026-03-04'), [30, 0, 0, 30]),
    ],
  });
  expect(await faultsOf(till)).toEqual([]);
});

test('it goes by arrival: a late sale counts today, as returns do, and closes with what desks have', async () => {
  const till = await newTill(3000);
  const water = await newGoods(till, [{ quantity: 10, cost: 1000 }]);
  const sale = await sellFor(till, {
    sold_at: renderInstant(Date.now() - 2 * 86_400_000),
    products: [{ product_id: water, sold_quantity: 2, price: 5000 }],
    transactions: [
      { payment_type: 'cash', amount: 6000 },
      { payment_type: 'card', amount: 4000 },
    ],
  });
  const [line] = await linesOfSale(till, sale);
  await sendReturn(till, sale, back({ [line?.id ?? 0]: 1 }, 5000));
  const today = dayOf(Date.now());
  const CARD = { payment_type: 'card', currency: 'uzs' };
  expect(await report(till.token, [today, today])).toMatchObject({
    data: [row(of(today), [0, 9000, 5000, 4000]), row(of(today), [0, 4000, 0, 4000], CARD)],
  });
  expect(await faultsOf(till)).toEqual([]);
});

test('only desks open to the caller count, main ones too; a filter by another is 422', async () => {
  const till = await newTill();
  const second = await make('/company/cashbox/cashbox', till.token, { name: 'Desk 2', type: 'sale' });
  await move(till, 'income', 10, march(1));
  await move(till, 'income', 5, march(1), { cashbox_id: second });
  await move(till, 'income', 3, march(1), { cashbox_id: till.mainId });
  const days = ['2026-03-01', '2026-03-01'] as const;
  const byDesk = (token: string, query = '') => report(token, days, `group=cashbox&${query}`);
  expect(await byDesk(till.token)).toMatchObject({
    data: [
      { key: till.mainId, income: 3 },
      { key: till.cashboxId, label: 'Desk 1', income: 10 },
      { key: second, label: 'Desk 2', income: 5 },
    ],
    totals: [row(TOTAL, [0, 18, 0, 18])],
  });
  expect(await byDesk(till.token, `filter[cashbox_id]=${second}`)).toMatchObject({
    data: [{ key: second }],
    totals: [{ income: 5 }],
  });
  expect(await byDesk(till.token, `filter[company_id]=${till.companyId}`)).toMatchObject({
    totals: [{ income: 18 }],
  });
  const employee = await newEmployee(till, ['company.report.cash'], { cashbox_ids: [second] });
  expect(await byDesk(employee)).toMatchObject({ data: [{ key: second }], totals: [{ income: 5 }] });
  const path = `${REPORT}?filter[date][0]=2026-03-01&filter[date][1]=2026-03-01`;
  const others = `filter[cashbox_id][]=${till.cashboxId}&filter[company_id][]=1000000`;
  expect(await errorsIn(`${path}&${others}`, employee)).toEqual({
    'filter.cashbox_id': [NOT_FOUND],
    'filter.company_id': [NOT_FOUND],
  });
  const without = await newEmployee(till, ['company.report.sales']);
  expect((await call(`GET ${path}`, { token: without })).status).toBe(403);
});

test('days are required, in order, and 731 at most', async () => {
  const { token } = await newTill();
  const fields = async (query: string) => {
    const { status, body } = await call(`GET ${REPORT}?${query}`, { token });
    expect(status).toBe(422);
    return Object.keys(Object(body).errors);
  };
  expect(await fields('')).toEqual(['filter.date']);
  expect(await fields('filter[date][0]=2026-03-01')).toEqual(['filter.date.1']);
  expect(await fields('filter[date][0]=2026-03-02&filter[date][1]=2026-03-01&group=company')).toEqual(
    expect.arrayContaining(['filter.date', 'group']),
  );
  expect(await fields('filter[date][0]=2024-01-01&filter[date][1]=2026-01-01')).toEqual(['filter.date']);
});

test('with format=excel the report is a workbook with the same columns, totals last', async () => {
  const till = await newTill();
  await move(till, 'income', 1000, march(1));
  const query = 'filter[date][0]=2026-03-01&filter[date][1]=2026-03-01&group=cashbox&format=excel';
  const { rows } = await downloadSheet(`${REPORT}?${query}`, till.token);
  expect(rows.map((cells) => cells.length)).toEqual([8, 8, 8]);
  expect(rows.slice(1).map((cells) => cells.slice(0, 2))).toEqual([
    [till.cashboxId, 'Desk 1'],
    [null, 'Итого'],
  ]);
  for (const cells of rows.slice(1)) expect(cells.slice(3)).toEqual(['UZS', 0, 1000, 0, 1000]);
});
