import { expect, test } from 'vitest';
import { dayOf, daysAfter, hourOf, renderInstant, startOfDay } from '#lib/values/time.ts';
import { correct, newSuppliedShop } from '#tests/support/cost-corrections.ts';
import { call } from '#tests/support/http.ts';
import { offlineSaleBody, sendOfflineSales } from '#tests/support/offline.ts';
import { errorsIn } from '#tests/support/records.ts';
import { lastDays, readReport, sellApart, updateReportRollups } from '#tests/support/reports.ts';
import { back, linesOfSale, sellFor, sendReturn } from '#tests/support/returns.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { newGoods, newShop, type Shop, sellOne } from '#tests/support/shop.ts';

const HOUR_MS = 3_600_000;

function byHour(shop: Pick<Shop, 'director'>, days = 1, query = ''): ReturnType<typeof readReport> {
  return readReport(shop.director, `sales?group=hour&${lastDays(days)}&${query}`);
}

/** Creates goods at 5000 that cost 3000. */
function newTea(shop: Shop): Promise<number> {
  return newGoods(shop, [{ quantity: 1000, cost: 3000 }], { sale_price: 5000 });
}

test('by hour, a row is of an hour of the clock, and hours without anything have zeros (Part 5, 5B.12 (2))', async () => {
  const shop = await newShop();
  const tea = await newTea(shop);
  const noon = startOfDay(daysAfter(dayOf(Date.now()), -1)) + 12 * HOUR_MS;
  for (const [key, at] of [
    ['late-1', noon],
    ['late-2', noon + HOUR_MS - 1000],
    ['late-3', noon + HOUR_MS],
  ] as const) {
    const [row] = await sendOfflineSales(shop, [
      offlineSaleBody(shop, tea, key, { sold_at: renderInstant(at) }),
    ]);
    expect(row?.status).toBe(200);
  }
  const { data, totals } = await byHour(shop, 2);
  expect(data).toHaveLength(48);
  expect(data.map(({ key }) => key)).toEqual(
    Array.from({ length: 48 }, (_, hour) => hourOf(noon + (hour - 12) * HOUR_MS)),
  );
  const hour = hourOf(noon);
  expect(data[12]).toMatchObject({
    key: hour,
    label: hour,
    sales_count: 2,
    sold_amount: 10_000,
    profit: 4000,
  });
  expect(data[13]).toMatchObject({ key: hourOf(noon + HOUR_MS), sales_count: 1, sold_amount: 5000 });
  expect(data[14]).toMatchObject({ currency: 'uzs', sales_count: 0, sold_amount: 0, margin_percent: null });
  expect(totals).toMatchObject([{ key: null, sales_count: 3, sold_amount: 15_000 }]);
});

test('without any sale, hours have rows of zeros in the sale currency', async () => {
  const { data, totals } = await byHour(await newShop());
  expect(data).toHaveLength(24);
  expect(new Set(data.map((row) => row['currency']))).toEqual(new Set(['uzs']));
  expect(totals).toEqual([]);
});

test('the hours of a day add up to the day, returns and corrections of costs too (Part 5, 5B.12 (2))', async () => {
  const shop = await newSuppliedShop(1);
  const [tea = 0] = shop.goods;
  const sale = await sellFor(shop, {
    products: [{ product_id: tea, sold_quantity: 3, price: 5000 }],
    transactions: [{ payment_type: 'cash', amount: 15_000 }],
  });
  const [line] = await linesOfSale(shop, sale);
  await sendReturn(shop, sale, back({ [line?.id ?? 0]: 1 }, 5000));
  await correct(shop, [4]);
  for (const _ of ['not folded in', 'folded in']) {
    const [hours, days] = await Promise.all([
      byHour(shop),
      readReport(shop.director, `sales?${lastDays(1)}`),
    ]);
    expect(days.totals).toMatchObject([{ returns_count: 1, revenue: 10_000, cost_corrections: 4 }]);
    expect(hours.totals).toEqual(days.totals);
    await updateReportRollups(shop);
  }
  const ofDesk = await byHour(shop, 1, `filter[cashbox_id]=${shop.cashboxId}`);
  expect(ofDesk.totals).toMatchObject([{ revenue: 10_000, cost_corrections: 0 }]);
});

test('by hour, only what the caller reaches counts', async () => {
  const shop = await newShop();
  const { atDesk, inBranch, branch } = await sellApart(shop, await newTea(shop), 'company.report.sales');
  expect((await byHour(shop)).totals).toMatchObject([{ sold_amount: 15_000 }]);
  expect((await byHour({ director: atDesk })).totals).toMatchObject([{ sold_amount: 10_000 }]);
  expect((await byHour({ director: inBranch })).totals).toEqual([]);
  expect((await byHour(shop, 1, `filter[company_id]=${branch}`)).totals).toEqual([]);
});

test('by hour, a period is 7 days at most (Part 5, 5B.12 (2))', async () => {
  const { director: token } = await newShop();
  const path = (days: number) => `/company/report/sales?group=hour&${lastDays(days)}`;
  expect(await errorsIn(path(8), token)).toEqual({ 'filter.date': [expect.stringContaining('7')] });
  expect((await call(`GET ${path(7)}`, { token })).status).toBe(200);
});

test('format=excel has a row for each hour', async () => {
  const shop = await newShop();
  await sellOne(shop, await newTea(shop), 1, 5000);
  const { rows } = await downloadSheet(
    `/company/report/sales?group=hour&${lastDays(1)}&format=excel`,
    shop.director,
  );
  expect(rows).toHaveLength(26);
  expect(rows.slice(1).map(([key]) => key)).toContain(hourOf(Date.now()));
});
