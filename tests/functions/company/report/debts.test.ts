import { expect, test } from 'vitest';
import { addClient } from '#tests/support/clients.ts';
import { lend, newWater, payDebt } from '#tests/support/debts.ts';
import { newCompany, newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsIn, NOT_FOUND } from '#tests/support/records.ts';
import { sendReturn } from '#tests/support/returns.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { newShop } from '#tests/support/shop.ts';

const REPORT = '/company/report/debts';

const NOT_OVERDUE = { overdue_1_30: 0, overdue_31_60: 0, overdue_61_90: 0, overdue_over_90: 0 };

async function report(token: string, query = '') {
  const { status, body } = await call(`GET ${REPORT}?${query}`, { token });
  expect(status).toBe(200);
  return body;
}

/** Builds the row of a debt that is not yet due. */
function owed(key: number | null, label: string | null, total: number, due: string): object {
  const sums = { not_due: total, total, ...NOT_OVERDUE };
  return { key, label, currency: 'uzs', ...sums, oldest_due_date: `${due} 23:59:59` };
}

test('what clients owe is what is left of their debts, for each client and in all; oldest_due_date is as due_date (Part 4, 4.5)', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const [water, client] = await Promise.all([newWater(shop), addClient(shop)]);
  const other = await addClient(shop, '998901112244');
  expect(await report(token)).toEqual({ data: [], totals: [], period: null });
  await lend(shop, { client, water, amount: 500, due: '2099-03-31' });
  await lend(shop, { client, water, amount: 300, due: '2099-02-28' });
  const sale = await lend(shop, { client: other, water, amount: 70 });
  await payDebt(shop, client, { cash: 100 });
  await sendReturn(shop, sale, {});
  expect(await report(token)).toEqual({
    data: [owed(client, 'Aziz', 700, '2099-02-28')],
    totals: [owed(null, null, 700, '2099-02-28')],
    period: null,
  });
  await lend(shop, { client: other, water, amount: 7 });
  expect(await report(token, 'group=client')).toMatchObject({
    data: [
      { key: client, total: 700 },
      { key: other, total: 7 },
    ],
    totals: [{ total: 707, oldest_due_date: '2099-01-31 23:59:59' }],
  });
  expect(await report(token, 'group=company')).toMatchObject({
    data: [{ key: shop.companyId, label: expect.any(String), total: 707 }],
    totals: [{ key: null, total: 707 }],
  });
});

test('only companies open to the caller count, and a filter by another is 422', async () => {
  const shop = await newShop();
  const branch = await newCompany(shop.companyId);
  const [water, client] = await Promise.all([newWater(shop), addClient(shop)]);
  await lend(shop, { client, water, amount: 500 });
  const ofCompany = (id: number) => `filter[company_id][]=${id}`;
  expect(await report(shop.director, ofCompany(shop.companyId))).toMatchObject({ totals: [{ total: 500 }] });
  expect(await report(shop.director, ofCompany(branch))).toEqual({ data: [], totals: [], period: null });
  const token = await newEmployee(shop, ['company.report.debts'], { company_id: branch });
  expect(await report(token)).toEqual({ data: [], totals: [], period: null });
  for (const id of [shop.companyId, 999_999_999]) {
    const refused = await errorsIn(`${REPORT}?${ofCompany(id)}`, token);
    expect(refused).toEqual({ 'filter.company_id': [NOT_FOUND] });
  }
});

test('format=excel has the same columns, and the totals last', async () => {
  const shop = await newShop();
  const [water, client] = await Promise.all([newWater(shop), addClient(shop)]);
  await lend(shop, { client, water, amount: 500 });
  const { rows } = await downloadSheet(`${REPORT}?format=excel`, shop.director);
  const figures = ['UZS', 500, 0, 0, 0, 0, 500, new Date('2099-01-31')];
  expect(rows.slice(1)).toEqual([
    [client, 'Aziz', ...figures],
    [null, 'Итого', ...figures],
  ]);
  expect(rows[0]?.slice(3, 8)).toEqual([
    'Срок не наступил',
    'Просрочено 1–30 дней',
    'Просрочено 31–60 дней',
    'Просрочено 61–90 дней',
    'Просрочено больше 90 дней',
  ]);
});
