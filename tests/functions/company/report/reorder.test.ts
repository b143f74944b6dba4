import { expect, test } from 'vitest';
import * as z from 'zod';
import { reorderReport } from '#lib/reports/reorder/reorder.ts';
import { translateLabel } from '#lib/values/labels/label.ts';
import { dayOf, renderInstant, startOfDay } from '#lib/values/time.ts';
import { faultsOf } from '#tests/support/books.ts';
import { directorAs, newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { offlineSaleBody, sendOfflineSales } from '#tests/support/offline.ts';
import { errorsIn, make, NOT_FOUND } from '#tests/support/records.ts';
import { updateReportRollups } from '#tests/support/reports.ts';
import { back, linesOfSale, sellFor, sendReturn } from '#tests/support/returns.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { newGoods, newShop, type Shop, sellOne } from '#tests/support/shop.ts';
import { newWarehouse, PURCHASES, receiveGoods } from '#tests/support/stock.ts';
import { holdGoods, newTeaSet } from '#tests/support/trade.ts';
import { TRANSFERS } from '#tests/support/transfers.ts';
import { SUPPLIERS } from '#tests/support/write-offs.ts';

const REPORT = '/company/report/reorder';
const DAY_MS = 86_400_000;

const Report = z.looseObject({
  data: z.array(z.looseObject({ key: z.int() })),
  totals: z.array(z.unknown()),
});

async function report(token: string, query = '') {
  const { status, body } = await call(`GET ${REPORT}?${query}`, { token });
  expect(status).toBe(200);
  return Report.parse(body);
}

/** Sends goods of the shop to another warehouse. */
function send({ director, stockId }: Shop, to: number, product_id: number, quantity: number) {
  const json = { from_stock_id: stockId, to_stock_id: to, products: [{ product_id, quantity }] };
  return make(TRANSFERS, director, json);
}

/** Sells a product at noon, some days ago. */
async function sellAgo(shop: Shop, product_id: number, days: number, given: object = {}) {
  const sold_at = renderInstant(startOfDay(dayOf(Date.now() - days * DAY_MS)) + DAY_MS / 2);
  const [row] = await sendOfflineSales(shop, [
    offlineSaleBody(shop, product_id, `ago-${days}-${product_id}`, { sold_at, ...given }),
  ]);
  expect(row?.status).toBe(200);
}

function cheque(product_id: number, sold_quantity: number) {
  const products = [{ product_id, sold_quantity, price: 5000 }];
  return { products, transactions: [{ payment_type: 'cash', amount: 5000 * sold_quantity }] };
}

const NOTHING = {
  ...{ free_quantity: 0, held_quantity: 0, coming_quantity: 0, min_quantity: null, sold_quantity: 0 },
  ...{ days_left: null, order_quantity: 0, last_cost: null, last_currency: null, last_supplier_id: null },
};

test('a row has what is free, held and on its way to the warehouses, the newest cost, and what to order (Part 5, 5A.10 (1))', async () => {
  const shop = await newShop();
  const { director: token, stockId } = shop;
  const second = await newWarehouse(token, 'Второй');
  const milk = await newGoods(shop, [{ quantity: 20, cost: 100 }], { name: 'Молоко', min_quantity: 30 });
  await holdGoods(shop, { products: [{ product_id: milk, quantity: 3 }] });
  await send(shop, second, milk, 4);
  const cost = { last_cost: 100, last_currency: 'uzs' };
  const goods = { free_quantity: 13, held_quantity: 3, min_quantity: 30, ...cost };
  const milkRow = { key: milk, label: 'Молоко', ...NOTHING, ...goods };
  expect(await report(token, `filter[stock_id]=${stockId}`)).toMatchObject({
    data: [{ ...milkRow, order_quantity: 17 }],
    totals: [],
    period: null,
    meta: { total: 1 },
  });
  expect((await report(token)).data).toEqual([{ ...milkRow, coming_quantity: 4, order_quantity: 13 }]);
  // The second has never had any, and is sent some.
  const there = { coming_quantity: 4, min_quantity: 30, order_quantity: 26 };
  expect((await report(token, `filter[stock_id][]=${second}`)).data).toEqual([
    { ...milkRow, ...NOTHING, ...there },
  ]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('sold is of the last whole days, less returned, bundles by their parts (Part 5, 5A.10 (1))', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const tea = await newGoods(shop, [{ quantity: 100, cost: 3 }], { sale_price: 5000 });
  await sellAgo(shop, tea, 1, cheque(tea, 6));
  await sellAgo(shop, tea, 3, cheque(tea, 5));
  await sellAgo(shop, tea, 5, cheque(tea, 40));
  await sellOne(shop, tea, 1, 5000);
  const seen = async (query: string) => (await report(token, `all=true&${query}`)).data;
  for (const isFolded of [false, true]) {
    if (isFolded) await updateReportRollups(shop);
    expect(await seen('days=1&cover_days=92')).toMatchObject([
      { key: tea, free_quantity: 48, sold_quantity: 6, days_left: 8, order_quantity: 504 },
    ]);
    expect(await seen('days=3')).toMatchObject([{ sold_quantity: 11, days_left: 13.1, order_quantity: 4 }]);
    expect(await seen('')).toMatchObject([{ sold_quantity: 51 }]);
  }
  const { bundle_id, tea: green, sugar } = await newTeaSet(shop);
  const sets = { products: [], bundles: [{ bundle_id, quantity: 2, price: 2000 }] };
  await sellAgo(shop, green, 2, { ...sets, transactions: [{ payment_type: 'cash', amount: 4000 }] });
  expect((await seen('')).filter(({ key }) => key !== tea)).toMatchObject([
    { key: green, sold_quantity: 4 },
    { key: sugar, sold_quantity: 1 },
  ]);
});

test('rows without an order are shown with all=true only, in pages (Part 5, 5A.10 (1))', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const full = await newGoods(shop, [{ quantity: 5, cost: 1 }], { min_quantity: 5 });
  const empty = await newGoods(shop, [], { min_quantity: 1.5 });
  const gone = await newGoods(shop, [], { min_quantity: 9 });
  await call(`DELETE /company/product/product/${gone}`, { token });
  const keys = async (query: string) => (await report(token, query)).data.map(({ key }) => key);
  expect(await keys('')).toEqual([empty]);
  expect(await keys('all=true')).toEqual([full, empty]);
  expect(await report(token, 'all=true&page=2&page-size=1')).toMatchObject({
    data: [{ key: empty, ...NOTHING, min_quantity: 1.5 }].map(({ order_quantity: _, ...row }) => row),
    meta: { total: 2, current_page: 2 },
  });
});

test('the newest supplier is that of receipts that stand; none is known of goods before (Part 5, 5A.10 (1))', async () => {
  const shop = await newShop();
  const { director: token, stockId: stock_id } = shop;
  const milk = await newGoods(shop, [{ quantity: 1, cost: 100 }]);
  const [one, other] = [
    await make(SUPPLIERS, token, { name: 'A' }),
    await make(SUPPLIERS, token, { name: 'B' }),
  ];
  const receive = (supplier_id: number, cost: number) =>
    receiveGoods(token, { stock_id, supplier_id, products: [{ product_id: milk, quantity: 1, cost }] });
  const last = async () => {
    const [row] = (await report(token, 'all=true')).data;
    return [row?.['last_cost'], row?.['last_currency'], row?.['last_supplier_id']];
  };
  expect(await last()).toEqual([100, 'uzs', null]);
  await receive(one, 110);
  const wrong = await receive(other, 120);
  expect(await last()).toEqual([120, 'uzs', other]);
  expect((await call(`PATCH ${PURCHASES}/${wrong}/cancel`, { token })).status).toBe(200);
  expect(await last()).toEqual([110, 'uzs', one]);
});

test('a category brings its subcategories; all failing parameters are told at once (Part 5, 5A.10 (1))', async () => {
  const shop = await newShop();
  const { director: token, catalog } = shop;
  const name = { ru: 'Сыры', uz: 'Пишлоқлар', oz: 'Pishloqlar' };
  const category_id = await make('/company/product/category', token, {
    name,
    parent_id: catalog.category_id,
  });
  const cheese = await newGoods(shop, [], { category_id, min_quantity: 1 });
  const milk = await newGoods(shop, [], { min_quantity: 1 });
  const keys = async (id: number) =>
    (await report(token, `filter[category_id]=${id}`)).data.map(({ key }) => key);
  expect(await keys(category_id)).toEqual([cheese]);
  expect(await keys(catalog.category_id)).toEqual([cheese, milk]);
  const out = 'filter[category_id]=999&filter[stock_id]=999';
  expect(await errorsIn(`${REPORT}?${out}`, token)).toEqual({
    'filter.category_id': [NOT_FOUND],
    'filter.stock_id': [NOT_FOUND],
  });
  expect(
    Object.keys(Object(await errorsIn(`${REPORT}?days=93&cover_days=0&all=maybe`, token))).sort(),
  ).toEqual(['all', 'cover_days', 'days']);
});

test('only warehouses open to the caller count, and it takes the right (Part 5, 5A.10 (1))', async () => {
  const shop = await newShop();
  const second = await newWarehouse(shop.director, 'Второй');
  const milk = await newGoods(shop, [{ quantity: 10, cost: 100 }], { min_quantity: 7 });
  await call(`PATCH ${TRANSFERS}/${await send(shop, second, milk, 4)}/complete`, { token: shop.director });
  const token = await newEmployee(shop, ['company.report.reorder'], { stock_ids: [second] });
  expect((await report(token)).data).toMatchObject([{ key: milk, free_quantity: 4, order_quantity: 3 }]);
  expect(await errorsIn(`${REPORT}?filter[stock_id][]=${shop.stockId}`, token)).toEqual({
    'filter.stock_id': [NOT_FOUND],
  });
  const stranger = await newEmployee(shop, ['company.report.stock'], { stock_ids: [second] });
  expect((await call(`GET ${REPORT}`, { token: stranger })).status).toBe(403);
  const other = await newShop();
  expect((await report(other.director, 'all=true')).data).toEqual([]);
});

test('the workbook has the rows of all pages (Part 5, 5A.10 (1))', async () => {
  const shop = await newShop();
  await newGoods(shop, [], { name: 'Молоко', min_quantity: 1.5 });
  await newGoods(shop, [], { name: 'Сыр', min_quantity: 2 });
  const { rows } = await downloadSheet(`${REPORT}?format=excel&page-size=1`, shop.director);
  const heading = (key: 'order_quantity' | 'last_supplier_id') =>
    translateLabel('ru', { key: `report.column.${key}` });
  expect(rows[0]).toEqual(expect.arrayContaining([heading('order_quantity'), heading('last_supplier_id')]));
  expect(rows.slice(1).map((row) => [row[1], row[5]])).toEqual([
    ['Молоко', 1.5],
    ['Сыр', 2],
  ]);
});

test('returned goods and goods of other warehouses are not sold, once the day is over (Part 5, 5A.10 (1))', async () => {
  const shop = await newShop();
  const { companyId, directorId, stockId } = shop;
  const tea = await newGoods(shop, [{ quantity: 100, cost: 3 }], { sale_price: 5000 });
  const sale = await sellFor(shop, cheque(tea, 6));
  const [line] = await linesOfSale(shop, sale);
  await sendReturn(shop, sale, back({ [line?.id ?? 0]: 2 }, 10_000));
  const second = await newWarehouse(shop.director, 'Второй');
  const soldAt = async (stock: number, at: number) => {
    const page = { format: undefined, page: 1, 'page-size': 20 };
    const query = { filter: { stock_id: [stock] }, days: 1, cover_days: 1, all: true, ...page };
    const { data } = await reorderReport(directorAs(directorId, companyId), query, at);
    return data.map(({ sold_quantity }) => sold_quantity);
  };
  expect(await soldAt(stockId, Date.now())).toEqual([0n]);
  expect(await soldAt(stockId, Date.now() + DAY_MS)).toEqual([400_000_000n]);
  expect(await soldAt(second, Date.now() + DAY_MS)).toEqual([0n]);
});

test('goods that arrive during the read count once (Part 5, 5A.10 (1))', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const second = await newWarehouse(token, 'Второй');
  const milk = await newGoods(shop, [{ quantity: 30, cost: 100 }]);
  const ids: number[] = [];
  for (let count = 0; count < 10; count++) ids.push(await send(shop, second, milk, 1));
  const arriving = (async () => {
    for (const id of ids) await call(`PATCH ${TRANSFERS}/${id}/complete`, { token });
  })();
  for (let count = 0; count < 12; count++) {
    const { data } = await report(token, `all=true&filter[stock_id]=${second}`);
    expect(data.map((row) => Number(row['free_quantity']) + Number(row['coming_quantity']))).toEqual([10]);
  }
  await arriving;
  const there = { key: milk, free_quantity: 10, coming_quantity: 0 };
  expect((await report(token, `all=true&filter[stock_id]=${second}`)).data).toMatchObject([there]);
});
