import { expect, test } from 'vitest';
import * as z from 'zod';
import { dayOf, daysAfter, renderInstant } from '#lib/values/time.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { offlineSaleBody, refuseOne, sendOfflineSales } from '#tests/support/offline.ts';
import { errorsIn, NOT_FOUND } from '#tests/support/records.ts';
import { lastDays, readReport, sellApart } from '#tests/support/reports.ts';
import { beginShift, enableShifts } from '#tests/support/shifts.ts';
import { newGoods, newShop, type Shop, sellOne } from '#tests/support/shop.ts';

const DAY_MS = 86_400_000;

const Rows = z.array(z.looseObject({}));

const Today = z.strictObject({
  now: z.string(),
  sales: z.strictObject({ today: Rows, yesterday: Rows, week_ago: Rows }).nullable(),
  hours: Rows.nullable(),
  products: Rows.nullable(),
  cash: Rows.nullable(),
  open_shifts: z.int().nullable(),
  refused_sales: z.int().nullable(),
  below_minimum: z.int().nullable(),
});

async function today(token: string, query = '') {
  const { status, body } = await call(`GET /company/report/today?${query}`, { token });
  expect(status).toBe(200);
  return Today.parse(body);
}

/** Creates goods at 5000 that cost 3000. */
function newTea(shop: Shop, name = 'Чай'): Promise<number> {
  return newGoods(shop, [{ quantity: 1000, cost: 3000 }], { name, sale_price: 5000 });
}

function dayQuery(day: string): string {
  return `filter[date][0]=${day}&filter[date][1]=${day}`;
}

test('today has the rows of the reports of sales, products and cash, and counts (Part 5, 5B.12 (3))', async () => {
  const shop = await newShop();
  const tea = await newTea(shop);
  for (const days of [1, 7]) {
    const sold_at = renderInstant(Date.now() - days * DAY_MS);
    await sendOfflineSales(shop, [offlineSaleBody(shop, tea, `ago-${days}`, { sold_at })]);
  }
  await sellOne(shop, tea, 3, 5000);
  await refuseOne(shop, tea, 'refused');
  await enableShifts(shop);
  await beginShift(shop);
  const { director: token } = shop;
  const day = dayOf(Date.now());
  const found = await today(token);
  const [now, before, weekAgo] = await Promise.all(
    [day, daysAfter(day, -1), daysAfter(day, -7)].map((each) => readReport(token, `sales?${dayQuery(each)}`)),
  );
  expect(found.sales).toEqual({ today: now?.data, yesterday: before?.data, week_ago: weekAgo?.data });
  expect(found.sales?.today).toMatchObject([{ key: day, sold_amount: 15_000 }]);
  expect(found.sales?.week_ago).toMatchObject([{ key: daysAfter(day, -7), sold_amount: 5000 }]);
  expect(found.hours).toEqual((await readReport(token, `sales?group=hour&${lastDays(1)}`)).data);
  expect(found.products).toEqual((await readReport(token, `products?${lastDays(1)}`)).data);
  expect(found.cash).toEqual((await readReport(token, `cash?group=cashbox&${lastDays(1)}`)).data);
  expect(found).toMatchObject({ open_shifts: 1, refused_sales: 1, below_minimum: 0 });
});

test('products of today are the first ten by revenue', async () => {
  const shop = await newShop();
  const goods = [];
  for (let index = 0; index < 11; index++) goods.push(await newTea(shop, `Чай ${index}`));
  for (const [index, tea] of goods.entries()) await sellOne(shop, tea, index + 1, 5000);
  const { products } = await today(shop.director);
  expect(products?.map(({ key }) => key)).toEqual(goods.toReversed().slice(0, 10));
});

test('a part whose right the caller lacks is null (Part 5, 5B.12 (3))', async () => {
  const shop = await newShop();
  await sellOne(shop, await newTea(shop), 1, 5000);
  const nothing = { sales: null, hours: null, products: null, cash: null };
  const uncounted = { open_shifts: null, refused_sales: null, below_minimum: null };
  const bare = await newEmployee(shop, ['company.report.today']);
  expect(await today(bare)).toMatchObject({ ...nothing, ...uncounted });
  for (const [right, field] of [
    ['company.report.sales', 'sales'],
    ['company.report.sales', 'hours'],
    ['company.report.products', 'products'],
    ['company.report.cash', 'cash'],
    ['company.trade.cashbox-shift.index', 'open_shifts'],
    ['company.trade.sale.refused.index', 'refused_sales'],
    ['company.report.reorder', 'below_minimum'],
  ] as const) {
    const token = await newEmployee(shop, ['company.report.today', 'company.cost.show', right]);
    expect((await today(token))[field], field).not.toBeNull();
  }
  const without = await newEmployee(shop, ['company.report.sales']);
  expect((await call('GET /company/report/today', { token: without })).status).toBe(403);
});

test('today counts what the caller reaches, in the companies asked', async () => {
  const shop = await newShop();
  const tea = await newTea(shop);
  const { branch, atDesk, inBranch } = await sellApart(shop, tea, 'company.report.*');
  await refuseOne(shop, tea, 'refused');
  expect((await today(shop.director)).sales?.today).toMatchObject([{ sold_amount: 15_000 }]);
  expect((await today(atDesk)).sales?.today).toMatchObject([{ sold_amount: 10_000 }]);
  expect((await today(inBranch)).sales?.today).toMatchObject([{ sales_count: 0 }]);
  const ofBranch = await today(shop.director, `filter[company_id][]=${branch}`);
  expect(ofBranch).toMatchObject({ products: [], cash: [], refused_sales: 0, open_shifts: 0 });
  const path = `/company/report/today?filter[company_id][]=${branch}`;
  for (const right of ['company.report.today', 'company.report.*']) {
    expect(await errorsIn(path, await newEmployee(shop, [right]))).toEqual({
      'filter.company_id': [NOT_FOUND],
    });
  }
});
