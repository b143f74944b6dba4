import { expect, test } from 'vitest';
import { dayOf, renderInstant } from '#lib/values/time.ts';
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
import { back, linesOfSale, sellFor, sendReturn } from '#tests/support/returns.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { newGoods, newShop, type Shop, sellOne } from '#tests/support/shop.ts';
import { newWarehouse, receiveGoods } from '#tests/support/stock.ts';

const DAY_MS = 86_400_000;

const RIGHT = 'company.report.products';

function pathOf(query = '', days = 1): string {
  return `products?${lastDays(days)}&${query}`;
}

function today({ director }: Shop, query = ''): ReturnType<typeof readReport> {
  return readReport(director, pathOf(query));
}

/** Creates goods that cost 3000, at 5000 unless overridden. */
function newTea(shop: Shop, given: object = {}): Promise<number> {
  return newGoods(shop, [{ quantity: 1000, cost: 3000 }], { sale_price: 5000, ...given });
}

function newCategory(token: string, name: string, parent_id: number | null = null): Promise<number> {
  const names = { ru: name, uz: name, oz: name };
  return make('/company/product/category', token, { name: names, parent_id });
}

function cash(amount: number) {
  return [{ payment_type: 'cash', amount }];
}

/** Sells a piece each of new products, for these amounts. */
async function earn(shop: Shop, amounts: readonly number[]): Promise<number[]> {
  const ids: number[] = [];
  for (const amount of amounts) {
    const id = await newTea(shop, { sale_price: amount });
    await sellOne(shop, id, 1, amount);
    ids.push(id);
  }
  return ids;
}

test('goods come to what was sold less what was returned, a row for each product, folded in or not', async () => {
  const shop = await newShop();
  expect(await today(shop)).toMatchObject({ data: [], totals: [] });
  const tea = await newTea(shop, { name: 'Tea' });
  const cake = await newTea(shop, { name: 'Cake', sale_price: 8000 });
  const sale = await sellFor(shop, {
    products: [
      { product_id: tea, sold_quantity: 3, discount: 1000 },
      { product_id: cake, sold_quantity: 0.5 },
    ],
    transactions: cash(18_000),
  });
  await sellOne(shop, cake, 2, 8000);
  const [line] = await linesOfSale(shop, sale);
  await sendReturn(shop, sale, back({ [line?.id ?? 0]: 1 }, 4666.67));
  const ofTea = {
    ...{ currency: 'uzs', quantity: 3, returned_quantity: 1, revenue: 9333.33, cost: 6000 },
    cost_corrections: 0,
    ...{ profit: 3333.33, margin_percent: 35.71, share_percent: 31.82, abc: 'A' },
  };
  const ofCake = {
    ...{ currency: 'uzs', quantity: 2.5, returned_quantity: 0, revenue: 20_000, cost: 7500 },
    cost_corrections: 0,
    ...{ profit: 12_500, margin_percent: 62.5, share_percent: 68.18, abc: 'A' },
  };
  const total = {
    ...{ currency: 'uzs', quantity: 5.5, returned_quantity: 1, revenue: 29_333.33, cost: 13_500 },
    cost_corrections: 0,
    ...{ profit: 15_833.33, margin_percent: 53.98, share_percent: 100, abc: null },
  };
  for (const _ of ['not folded in', 'folded in']) {
    const { data, totals } = await today(shop);
    expect(data[0]).toEqual({ key: cake, label: 'Cake', ...ofCake });
    expect(data[1]).toEqual({ key: tea, label: 'Tea', ...ofTea });
    expect(totals).toEqual([{ key: null, label: null, ...total }]);
    await updateReportRollups(shop);
  }
  await sellOne(shop, tea, 1, 5000);
  expect((await today(shop)).totals).toMatchObject([{ quantity: 6.5, revenue: 34_333.33, cost: 16_500 }]);
});

test('the answer names its period and its page, and totals are over all pages', async () => {
  const shop = await newShop();
  const [first, second, third] = await earn(shop, [300, 200, 100]);
  const { body } = await call(`GET /company/report/${pathOf('page=2&page-size=2')}`, {
    token: shop.director,
  });
  const day = dayOf(Date.now());
  expect(body).toMatchObject({
    data: [{ key: third, label: 'Water' }],
    totals: [{ revenue: 600 }],
    period: { from: day, to: day },
    meta: { total: 3, current_page: 2, last_page: 2, per_page: 2 },
  });
  expect((await today(shop, 'page-size=2')).data).toMatchObject([{ key: first }, { key: second }]);
  expect(
    Object.keys(Object(await errorsIn(`/company/report/${pathOf('page-size=201')}`, shop.director))),
  ).toEqual(['page-size']);
});

test('rows are sorted by any figure, by falling revenue if none is named, and then by id', async () => {
  const shop = await newShop();
  const [a, b, c] = await earn(shop, [100, 500, 100]);
  await sellOne(shop, Number(c), 3, 100);
  const sortedBy = async (sort: string) => (await today(shop, `sort[]=${sort}`)).data.map(({ key }) => key);
  expect((await today(shop)).data.map(({ key }) => key)).toEqual([b, c, a]);
  expect(await sortedBy('revenue')).toEqual([a, c, b]);
  expect(await sortedBy('-quantity')).toEqual([c, a, b]);
  expect(await sortedBy('returned_quantity')).toEqual([a, b, c]);
  expect(await sortedBy('cost')).toEqual([a, b, c]);
  expect(await sortedBy('profit')).toEqual([c, a, b]);
  expect(await sortedBy('-margin_percent')).toEqual([b, a, c]);
  expect(await sortedBy('share_percent')).toEqual([a, c, b]);
  expect(await errorsIn(`/company/report/${pathOf('sort[]=label')}`, shop.director)).toMatchObject({
    'sort.0': [expect.any(String)],
  });
});

test('rows are of the category and brand of the card of today, null without a brand', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const category = await newCategory(token, 'Чай');
  const tea = await newTea(shop, { category_id: category });
  const cake = await newTea(shop, { brand_id: null, parent_id: tea, category_id: shop.catalog.category_id });
  await sellOne(shop, tea, 1, 5000);
  await sellOne(shop, cake, 2, 5000);
  await updateReportRollups(shop);
  const [byCategory, byBrand] = await Promise.all([
    today(shop, 'group=category'),
    today(shop, 'group=brand'),
  ]);
  expect(byCategory.data).toMatchObject([
    { key: shop.catalog.category_id, revenue: 10_000, abc: null, share_percent: 66.67 },
    { key: category, label: 'Чай', revenue: 5000, abc: null, share_percent: 33.33 },
  ]);
  expect(byBrand.data).toMatchObject([
    { key: null, label: null, revenue: 10_000, abc: null },
    { key: shop.catalog.brand_id, label: expect.any(String), revenue: 5000, abc: null },
  ]);
  expect(byCategory.totals).toEqual(byBrand.totals);
});

test('a category has its subcategories with it, and shares are within the filtered products', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const above = await newCategory(token, 'Еда');
  const below = await newCategory(token, 'Чай', above);
  const lowest = await newCategory(token, 'Зелёный', below);
  const [tea, green, other] = [
    await newTea(shop, { category_id: above }),
    await newTea(shop, { category_id: lowest }),
    await newTea(shop),
  ];
  await sellOne(shop, tea, 3, 5000);
  await sellOne(shop, green, 1, 5000);
  await sellOne(shop, other, 6, 5000);
  expect((await today(shop, `filter[category_id][]=${above}`)).data).toMatchObject([
    { key: tea, share_percent: 75, abc: 'A' },
    { key: green, share_percent: 25, abc: 'A' },
  ]);
  expect((await today(shop, `filter[category_id][]=${below}`)).data).toMatchObject([
    { key: green, share_percent: 100 },
  ]);
  expect((await today(shop)).data).toMatchObject([
    { share_percent: 60 },
    { share_percent: 30 },
    { key: green },
  ]);
});

test('A are the products before which less than 80 percent lies, then B by 95, the rest is C (Part 4, 4.5 (4))', async () => {
  const shop = await newShop();
  const ids = await earn(shop, [700, 100, 100, 50, 50]);
  const abcOf = async () => (await today(shop)).data.map(({ key, abc }) => [key, abc]);
  const segments = (letters: string) => ids.map((id, index) => [id, letters[index]]);
  expect(await abcOf()).toEqual(segments('AABBC'));
  await call('PUT /company/company/settings', {
    token: shop.director,
    json: { report_settings: { abc_segment_a: 70, abc_segment_b: 90.01 } },
  });
  expect(await abcOf()).toEqual(segments('ABBBC'));
});

test('what brought less than nothing is C, and shares are 0 if all of them are 0', async () => {
  const shop = await newShop();
  const id = await newTea(shop);
  const yesterday = renderInstant(Date.now() - DAY_MS);
  await sendOfflineSales(shop, [offlineSaleBody(shop, id, 'late-1', { sold_at: yesterday })]);
  const { body } = await call('GET /company/trade/sale', { token: shop.director });
  const [sale] = Object(body).data;
  const [line] = await linesOfSale(shop, sale.id);
  await sendReturn(shop, sale.id, back({ [line?.id ?? 0]: 1 }, 5000));
  expect((await today(shop)).data).toMatchObject([
    { key: id, quantity: 0, returned_quantity: 1, revenue: -5000, cost: -3000, profit: -2000, abc: 'C' },
  ]);
  const both = await readReport(shop.director, pathOf('', 2));
  expect(both.data).toMatchObject([
    { quantity: 1, returned_quantity: 1, revenue: 0, margin_percent: null, share_percent: 0 },
  ]);
  expect(both.totals).toMatchObject([{ revenue: 0, share_percent: 0 }]);
});

test('the day of a late sale is that on which it was sold, and it is added to days that are folded in', async () => {
  const shop = await newShop();
  const tea = await newTea(shop);
  await sellOne(shop, tea, 1, 5000);
  await updateReportRollups(shop);
  await sendOfflineSales(shop, [
    offlineSaleBody(shop, tea, 'late-1', { sold_at: renderInstant(Date.now() - 2 * DAY_MS) }),
  ]);
  for (const _ of ['not folded in', 'folded in']) {
    expect((await today(shop)).totals).toMatchObject([{ quantity: 1 }]);
    expect((await readReport(shop.director, pathOf('', 3))).totals).toMatchObject([{ quantity: 2 }]);
    await updateReportRollups(shop);
  }
});

test('an exchange is a return and a sale, of the desk and warehouse of its new sale', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const [tea, cake] = [await newTea(shop), await newTea(shop, { sale_price: 8000 })];
  const second = await make('/company/cashbox/cashbox', token, { name: 'Desk 2', type: 'sale' });
  const sale = await sellFor(shop, {
    products: [{ product_id: tea, sold_quantity: 1 }],
    transactions: cash(5000),
  });
  const [line] = await linesOfSale(shop, sale);
  const { status } = await call(`POST /company/trade/sale/${sale}/exchange`, {
    token,
    json: {
      company_id: shop.companyId,
      cashbox_id: second,
      stock_id: shop.stockId,
      currency: 'uzs',
      returned_products: [{ id: line?.id, returned_quantity: 1, reason_type: 'not_match' }],
      products: [{ product_id: cake, sold_quantity: 1 }],
      transactions: cash(3000),
    },
  });
  expect(status).toBe(200);
  for (const _ of ['not folded in', 'folded in']) {
    const rows = await today(shop, `filter[cashbox_id][]=${second}`);
    expect(rows.data).toMatchObject([
      { key: cake, quantity: 1, returned_quantity: 0, revenue: 8000 },
      { key: tea, quantity: 0, returned_quantity: 1, revenue: -5000 },
    ]);
    expect((await today(shop)).totals).toMatchObject([{ quantity: 2, returned_quantity: 1, revenue: 8000 }]);
    await updateReportRollups(shop);
  }
});

test('a bundle counts as its parts, at their shares of its price', async () => {
  const shop = await newShop();
  const [tea, cake] = [await newTea(shop), await newTea(shop, { sale_price: 15_000 })];
  const bundle_id = await make('/company/product/bundle', shop.director, {
    name: 'Set',
    price: 16_000,
    products: [tea, cake].map((product_id) => ({ product_id, quantity: 1 })),
  });
  await sellFor(shop, { bundles: [{ bundle_id, quantity: 2 }], products: [], transactions: cash(32_000) });
  expect((await today(shop)).data).toMatchObject([
    { key: cake, quantity: 2, revenue: 24_000, cost: 6000 },
    { key: tea, quantity: 2, revenue: 8000, cost: 6000 },
  ]);
});

test('amounts are in the sale’s currency: a row and a total for each', async () => {
  const shop = await newShop();
  const [tea, imported] = [await newTea(shop), await newTea(shop, { sale_price: 2, sale_currency: 'usd' })];
  await sellOne(shop, tea, 1, 5000);
  await sellForDollars(shop, imported);
  const { data, totals } = await today(shop);
  expect(data).toMatchObject([
    { key: tea, currency: 'uzs', revenue: 5000, share_percent: 100, abc: 'A' },
    { key: imported, currency: 'usd', revenue: 2, share_percent: 100, abc: 'A' },
  ]);
  expect(totals).toMatchObject([
    { currency: 'uzs', revenue: 5000 },
    { currency: 'usd', revenue: 2 },
  ]);
});

test('a filter by warehouse has what was sold of it', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const tea = await newTea(shop);
  const second = await newWarehouse(token, 'Второй');
  await receiveGoods(token, {
    stock_id: second,
    products: [{ product_id: tea, quantity: 10, cost: 3000 }],
  });
  await sellOne(shop, tea, 1, 5000);
  await sellOne({ ...shop, stockId: second }, tea, 2, 5000);
  for (const _ of ['not folded in', 'folded in']) {
    const of = async (id: number) => (await today(shop, `filter[stock_id][]=${id}`)).totals;
    expect(await of(shop.stockId)).toMatchObject([{ quantity: 1 }]);
    expect(await of(second)).toMatchObject([{ quantity: 2 }]);
    expect((await today(shop)).totals).toMatchObject([{ quantity: 3 }]);
    await updateReportRollups(shop);
  }
});

test('only what the caller reaches counts, and a filter by what they don’t reach is 422', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const { branch, atDesk, inBranch } = await sellApart(shop, await newTea(shop), RIGHT);
  for (const _ of ['not folded in', 'folded in']) {
    const [whole, narrow, none] = await Promise.all(
      [token, atDesk, inBranch].map((each) => readReport(each, pathOf())),
    );
    expect(whole?.totals).toMatchObject([{ quantity: 3 }]);
    expect(narrow?.totals).toMatchObject([{ quantity: 2 }]);
    expect(none).toMatchObject({ data: [], totals: [] });
    const one = await today(shop, `filter[cashbox_id][]=${shop.cashboxId}`);
    expect(one.totals).toMatchObject([{ quantity: 1 }]);
    expect((await today(shop, `filter[company_id][]=${branch}`)).totals).toEqual([]);
    await updateReportRollups(shop);
  }
  const filters = [
    `filter[cashbox_id][]=${shop.cashboxId}&filter[company_id][]=${branch}`,
    `filter[stock_id][]=${shop.stockId}&filter[category_id][]=999`,
  ];
  expect(await errorsIn(`/company/report/${pathOf(filters.join('&'))}`, atDesk)).toEqual({
    'filter.cashbox_id': [NOT_FOUND],
    'filter.company_id': [NOT_FOUND],
    'filter.stock_id': [NOT_FOUND],
    'filter.category_id': [NOT_FOUND],
  });
});

test('more than five desks have 31 days at most, five and whole companies up to 731', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const ids = [shop.cashboxId];
  for (let desk = 2; desk <= 6; desk++) {
    ids.push(await make('/company/cashbox/cashbox', token, { name: `Desk ${desk}`, type: 'sale' }));
  }
  const of = (desks: readonly number[], days: number) =>
    `/company/report/${pathOf(desks.map((id) => `filter[cashbox_id][]=${id}`).join('&'), days)}`;
  expect(await errorsIn(of(ids, 32), token)).toEqual({ 'filter.date': [expect.stringContaining('31')] });
  const narrow = await newEmployee(shop, [RIGHT], { cashbox_ids: ids });
  expect(await errorsIn(of([], 32), narrow)).toEqual({ 'filter.date': [expect.stringContaining('31')] });
  for (const good of [of(ids, 31), of(ids.slice(1), 731), of([], 731)]) {
    expect((await call(`GET ${good}`, { token })).status).toBe(200);
  }
  expect(await errorsIn(of([], 732), token)).toEqual({ 'filter.date': [expect.stringContaining('731')] });
});

test('format=excel has all rows with the same columns, and the totals last', async () => {
  const shop = await newShop();
  const [first, second] = await earn(shop, [6000, 4000]);
  const path = `/company/report/${pathOf('format=excel&page-size=1')}`;
  const { rows } = await downloadSheet(path, shop.director);
  expect(rows.slice(1)).toEqual([
    [first, 'Water', 'UZS', 1, 0, 6000, 3000, 0, 3000, 50, 60, 'A'],
    [second, 'Water', 'UZS', 1, 0, 4000, 3000, 0, 1000, 25, 40, 'A'],
    [null, 'Итого', 'UZS', 2, 0, 10_000, 6000, 0, 4000, 40, 100, null],
  ]);
});
