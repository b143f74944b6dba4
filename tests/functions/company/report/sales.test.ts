import { expect, test } from 'vitest';
import { users } from '#lib/people/user/user.ts';
import { editRecord } from '#lib/records/record-writes.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { dayOf, daysAfter, renderInstant } from '#lib/values/time.ts';
import { creditHeaders, creditRequest, sendCredit } from '#tests/support/credit.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { offlineSaleBody, sendOfflineSales } from '#tests/support/offline.ts';
import { errorsIn, make, NOT_FOUND } from '#tests/support/records.ts';
import {
  lastDays,
  readReport,
  sellApart,
  sellForDollars,
  updateReportRollups,
} from '#tests/support/reports.ts';
import { back, linesOfSale, sellFor, sellOnDebt, sendReturn } from '#tests/support/returns.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { newGoods, newShop, type Shop, sellOne } from '#tests/support/shop.ts';

const DAY_MS = 86_400_000;

const TODAY = dayOf(Date.now());

const NO_WAYS = { cash: 0, card: 0, bank: 0, bonus: 0, debt: 0, exchange: 0, deposit: 0 };

const NOTHING = {
  cost_corrections: 0,
  sales_count: 0,
  returns_count: 0,
  sold_amount: 0,
  returned_amount: 0,
  revenue: 0,
  cost: 0,
  profit: 0,
  margin_percent: null,
  average_cheque: null,
  discount_amount: 0,
  by_payment_type: NO_WAYS,
};

function today(shop: Shop, query = ''): ReturnType<typeof readReport> {
  return readReport(shop.director, `sales?${lastDays(1)}&${query}`);
}

/** Creates goods at 5000 that cost 3000. */
function newTea(shop: Shop, given: object = {}): Promise<number> {
  return newGoods(shop, [{ quantity: 1000, cost: 3000 }], { sale_price: 5000, ...given });
}

test('revenue is what was sold less what was returned, profit is revenue less cost, folded in or not (Part 4, 4.5 (1))', async () => {
  const shop = await newShop();
  const tea = await newTea(shop);
  expect(await today(shop)).toMatchObject({ totals: [] });
  const sale = await sellFor(shop, {
    products: [{ product_id: tea, sold_quantity: 3 }],
    transactions: [
      { payment_type: 'cash', amount: 12_000 },
      { payment_type: 'card', amount: 3000 },
    ],
  });
  await sellOne(shop, tea, 0.5, 5000);
  await sellOnDebt(shop, tea, 1000);
  const [line] = await linesOfSale(shop, sale);
  await sendReturn(shop, sale, back({ [line?.id ?? 0]: 1 }, 5000));
  const row = {
    currency: 'uzs',
    ...{ sales_count: 3, returns_count: 1, sold_amount: 27_500, returned_amount: 5000, revenue: 22_500 },
    cost_corrections: 0,
    ...{ cost: 13_500, profit: 9000, margin_percent: 40, average_cheque: 9166.67, discount_amount: 0 },
    by_payment_type: { ...NO_WAYS, cash: 15_500, card: 3000, debt: 9000 },
  };
  const answer = {
    data: [{ key: TODAY, label: TODAY, ...row }],
    totals: [{ key: null, label: null, ...row }],
  };
  expect(await today(shop)).toEqual(answer);
  await updateReportRollups(shop);
  expect(await today(shop)).toEqual(answer);
  await sellOne(shop, tea, 1, 5000);
  const { data } = await today(shop);
  expect(data).toMatchObject([{ sales_count: 4, sold_amount: 32_500, revenue: 27_500, cost: 16_500 }]);
});

test('rows are of days, months, companies, desks or users, each with its name', async () => {
  const shop = await newShop();
  const tea = await newTea(shop);
  await sellOne(shop, tea, 1, 5000);
  for (const [group, key, label] of [
    ['day', TODAY, TODAY],
    ['month', TODAY.slice(0, 7), TODAY.slice(0, 7)],
    ['company', shop.companyId, expect.any(String)],
    ['cashbox', shop.cashboxId, 'Desk 1'],
    ['creator', shop.directorId, expect.any(String)],
  ]) {
    const { data } = await today(shop, `group=${group}`);
    expect(data, `${group}`).toMatchObject([{ key, label, sold_amount: 5000 }]);
  }
});

test('by creator, a sale on credit is its company’s director’s, and each creator shown has a name (Contract 9.120)', async () => {
  const shop = await newShop();
  const tea = await newTea(shop);
  const headers = await creditHeaders(shop.companyId);
  expect((await sendCredit(headers, creditRequest(shop, tea))).status).toBe(200);
  await sellOne(shop, tea, 1, 5000);
  const row = { key: shop.directorId, label: 'Test', sales_count: 2, sold_amount: 17_000 };
  expect((await today(shop, 'group=creator')).data).toMatchObject([row]);
  const { rows } = await downloadSheet(
    `/company/report/sales?group=creator&${lastDays(1)}&format=excel`,
    shop.director,
  );
  expect(rows[1]?.slice(0, 2)).toEqual([shop.directorId, 'Test']);
  const listed = await call(`GET /company/trade/sale?filter[creator_id]=${shop.directorId}`, {
    token: shop.director,
  });
  expect(listed.body).toMatchObject({ meta: { total: 2 } });
});

test('by creator, who works for another family by now has a name', async () => {
  const shop = await newShop();
  const tea = await newTea(shop);
  await sellOne(shop, tea, 1, 5000);
  const { companyId } = await newShop();
  await editRecord({ type: users, tenant: PLATFORM, id: shop.directorId }, Date.now(), (before) => {
    return { ...before, company_id: companyId, family_id: companyId };
  });
  const token = await newEmployee(shop, ['company.report.sales'], { cashbox_ids: [shop.cashboxId] });
  const { data } = await readReport(token, `sales?${lastDays(1)}&group=creator`);
  expect(data).toMatchObject([{ key: shop.directorId, label: 'Test' }]);
});

test('the day of a late sale is that on which it was sold, and it is added to days that are folded in (Part 4, 4.5 (3))', async () => {
  const shop = await newShop();
  const tea = await newTea(shop);
  await sellOne(shop, tea, 1, 5000);
  await updateReportRollups(shop);
  const sold_at = renderInstant(Date.now() - 2 * DAY_MS);
  await sendOfflineSales(shop, [offlineSaleBody(shop, tea, 'late-1', { sold_at })]);
  const days = [daysAfter(TODAY, -2), daysAfter(TODAY, -1), TODAY];
  const query = `sales?${lastDays(3)}`;
  const expected = [
    { key: days[0], sales_count: 1, sold_amount: 5000 },
    { key: days[1], label: days[1], currency: 'uzs', ...NOTHING },
    { key: days[2], sales_count: 1, sold_amount: 5000 },
  ];
  expect((await readReport(shop.director, query)).data).toMatchObject(expected);
  await updateReportRollups(shop);
  expect((await readReport(shop.director, query)).data).toMatchObject(expected);
  expect((await today(shop)).totals).toMatchObject([{ sold_amount: 5000 }]);
});

test('days without anything have a row of zeros in each currency of the period, else in the sale currency', async () => {
  const shop = await newShop();
  const yesterday = daysAfter(TODAY, -1);
  expect((await readReport(shop.director, `sales?${lastDays(2)}`)).data).toEqual([
    { key: yesterday, label: yesterday, currency: 'uzs', ...NOTHING },
    { key: TODAY, label: TODAY, currency: 'uzs', ...NOTHING },
  ]);
  const [tea, imported] = await Promise.all([
    newTea(shop),
    newTea(shop, { sale_price: 2, sale_currency: 'usd' }),
  ]);
  await sellOne(shop, tea, 1, 5000);
  await sellForDollars(shop, imported);
  const { data, totals } = await readReport(shop.director, `sales?${lastDays(2)}`);
  expect(data).toMatchObject([
    { key: yesterday, currency: 'uzs', ...NOTHING },
    { key: yesterday, currency: 'usd', ...NOTHING },
    { key: TODAY, currency: 'uzs', sold_amount: 5000 },
    { key: TODAY, currency: 'usd', sold_amount: 2 },
  ]);
  expect(totals).toMatchObject([
    { currency: 'uzs', sold_amount: 5000 },
    { currency: 'usd', sold_amount: 2 },
  ]);
});

test('by day, each day has a row in each currency of the period (Part 4, 4.5 (3))', async () => {
  const shop = await newShop();
  const imported = await newTea(shop, { sale_price: 2, sale_currency: 'usd' });
  const before = renderInstant(Date.now() - 24 * 3_600_000);
  const tea = await newTea(shop);
  await sellFor(shop, {
    sold_at: before,
    products: [{ product_id: tea, sold_quantity: 1, price: 5000 }],
    transactions: [{ payment_type: 'cash', amount: 5000 }],
  });
  await sellForDollars(shop, imported);
  const { data } = await readReport(shop.director, `sales?${lastDays(2)}`);
  const days = [daysAfter(TODAY, -1), TODAY];
  expect(data).toMatchObject([
    { key: days[0], currency: 'uzs', sold_amount: 5000 },
    { key: days[0], currency: 'usd', label: days[0], ...NOTHING },
    { key: days[1], currency: 'uzs', label: days[1], ...NOTHING },
    { key: days[1], currency: 'usd', sold_amount: 2 },
  ]);
});

test('an exchange is a return and a sale, and its payments are listed apart', async () => {
  const shop = await newShop();
  const [tea, cake] = await Promise.all([newTea(shop), newTea(shop, { sale_price: 8000 })]);
  const sale = await sellFor(shop, {
    products: [{ product_id: tea, sold_quantity: 1 }],
    transactions: [{ payment_type: 'cash', amount: 5000 }],
  });
  const [line] = await linesOfSale(shop, sale);
  const { status } = await call(`POST /company/trade/sale/${sale}/exchange`, {
    token: shop.director,
    json: {
      company_id: shop.companyId,
      cashbox_id: shop.cashboxId,
      stock_id: shop.stockId,
      currency: 'uzs',
      returned_products: [{ id: line?.id, returned_quantity: 1, reason_type: 'not_match' }],
      products: [{ product_id: cake, sold_quantity: 1 }],
      transactions: [{ payment_type: 'cash', amount: 3000 }],
    },
  });
  expect(status).toBe(200);
  for (const _ of ['not folded in', 'folded in']) {
    expect((await today(shop)).totals).toMatchObject([
      {
        ...{ sales_count: 2, returns_count: 1, sold_amount: 13_000, returned_amount: 5000, revenue: 8000 },
        ...{ cost: 3000, by_payment_type: { ...NO_WAYS, cash: 8000, exchange: 5000 } },
      },
    ]);
    await updateReportRollups(shop);
  }
});

test('only what the caller reaches counts, and a filter by what they don’t reach is 422', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const apart = await sellApart(shop, await newTea(shop), 'company.report.sales');
  const { branch, second, atDesk, inBranch } = apart;
  for (const _ of ['not folded in', 'folded in']) {
    const query = `sales?${lastDays(1)}&group=cashbox`;
    const [whole, narrow, none] = await Promise.all(
      [token, atDesk, inBranch].map((each) => readReport(each, query)),
    );
    expect(whole?.data).toMatchObject([{ key: shop.cashboxId }, { key: second, sold_amount: 10_000 }]);
    expect(narrow?.data).toMatchObject([{ key: second, sold_amount: 10_000 }]);
    expect(none).toEqual({ data: [], totals: [] });
    const one = await readReport(token, `${query}&filter[cashbox_id][]=${shop.cashboxId}`);
    expect(one.totals).toMatchObject([{ sold_amount: 5000 }]);
    const elsewhere = await readReport(token, `${query}&filter[company_id][]=${branch}`);
    expect(elsewhere.totals).toEqual([]);
    await updateReportRollups(shop);
  }
  const path = `/company/report/sales?${lastDays(1)}`;
  expect(
    await errorsIn(`${path}&filter[cashbox_id][]=${shop.cashboxId}&filter[company_id][]=${branch}`, atDesk),
  ).toEqual({
    'filter.cashbox_id': [NOT_FOUND],
    'filter.company_id': [NOT_FOUND],
  });
});

test('by day more than ten desks have 92 days at most', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  for (let desk = 2; desk <= 11; desk++) {
    await make('/company/cashbox/cashbox', token, { name: `Desk ${desk}`, type: 'sale' });
  }
  const days = (count: number) => `/company/report/sales?${lastDays(count)}`;
  expect(await errorsIn(days(93), token)).toEqual({ 'filter.date': [expect.stringContaining('92')] });
  expect((await call(`GET ${days(92)}`, { token })).status).toBe(200);
  expect((await call(`GET ${days(731)}&group=month`, { token })).status).toBe(200);
  const one = `filter[cashbox_id][]=${shop.cashboxId}`;
  expect((await call(`GET ${days(93)}&${one}`, { token })).status).toBe(200);
});

test('format=excel has the same columns, and the totals last', async () => {
  const shop = await newShop();
  await sellOne(shop, await newTea(shop), 1, 5000);
  const { rows } = await downloadSheet(`/company/report/sales?${lastDays(1)}&format=excel`, shop.director);
  const figures = ['UZS', 1, 0, 5000, 0, 5000, 3000, 0, 2000, 40, 5000, 0, 5000, 0, 0, 0, 0, 0, 0];
  expect(rows.slice(1)).toEqual([
    [TODAY, TODAY, ...figures],
    [null, 'Итого', ...figures],
  ]);
});
