import { expect, test } from 'vitest';
import { translateLabel } from '#lib/values/labels/label.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsIn, make, NOT_FOUND } from '#tests/support/records.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { newGoods, newShop, type Shop, setRate } from '#tests/support/shop.ts';
import { newWarehouse } from '#tests/support/stock.ts';
import { holdGoods } from '#tests/support/trade.ts';
import { TRANSFERS } from '#tests/support/transfers.ts';

const REPORT = '/company/report/stock';

const NONE = { uzs: 0, usd: 0, eur: 0, rub: 0 };

async function report(token: string, query = '') {
  const { status, body } = await call(`GET ${REPORT}?${query}`, { token });
  expect(status).toBe(200);
  return body;
}

function row(key: number | null, label: string | null, figures: object): object {
  return { key, label, held_quantity: 0, in_transit_quantity: 0, ...figures };
}

/** Sends goods of the shop to another warehouse. */
function send({ director, stockId }: Shop, to: number, product_id: number, quantity: number) {
  const json = { from_stock_id: stockId, to_stock_id: to, products: [{ product_id, quantity }] };
  return make(TRANSFERS, director, json);
}

test('held goods are in stock, goods in transit are the sender’s, and both are worth their cost and price (Part 4, 4.5 (5))', async () => {
  const shop = await newShop();
  const { director: token, stockId } = shop;
  const second = await newWarehouse(token, 'Второй');
  const milk = await newGoods(shop, [{ quantity: 10, cost: 100 }], { sale_price: 150 });
  await holdGoods(shop, { products: [{ product_id: milk, quantity: 3 }] });
  const transfer = await send(shop, second, milk, 4);
  const figures = { quantity: 6, held_quantity: 3, in_transit_quantity: 4 };
  const worth = { costs: { ...NONE, uzs: 1000 }, sale_values: { ...NONE, uzs: 1500 } };
  expect(await report(token, 'group=stock')).toEqual({
    data: [row(stockId, 'Main', { ...figures, ...worth })],
    totals: [row(null, null, { ...figures, ...worth })],
    period: null,
  });
  await call(`PATCH ${TRANSFERS}/${transfer}/complete`, { token });
  const there = { quantity: 4, costs: { ...NONE, uzs: 400 }, sale_values: { ...NONE, uzs: 600 } };
  const here = {
    quantity: 6,
    held_quantity: 3,
    costs: { ...NONE, uzs: 600 },
    sale_values: { ...NONE, uzs: 900 },
  };
  expect(await report(token)).toEqual({
    data: [row(stockId, 'Main', here), row(second, 'Второй', there)],
    totals: [row(null, null, { quantity: 10, held_quantity: 3, ...worth })],
    period: null,
  });
});

test('goods are grouped by the category and brand of their cards of today, and by product', async () => {
  const shop = await newShop();
  const { director: token, catalog } = shop;
  const name = { ru: 'Сыры', uz: 'Пишлоқлар', oz: 'Pishloqlar' };
  const category_id = await make('/company/product/category', token, {
    name,
    parent_id: catalog.category_id,
  });
  const cheese = await newGoods(shop, [{ quantity: 2, cost: 100 }], { name: 'Гауда', category_id });
  const milk = await newGoods(shop, [{ quantity: 3, cost: 10 }], { name: 'Молоко' });
  const glass = { name: 'Стакан', parent_id: milk, brand_id: null };
  const variant = await newGoods(shop, [{ quantity: 5, cost: 1 }], glass);
  const grouped = async (group: string) => {
    const { data } = Object(await report(token, `group=${group}`));
    return data.map((each: Record<string, unknown>) => [each['key'], each['label'], each['quantity']]);
  };
  expect(await grouped('product')).toEqual([
    [cheese, 'Гауда', 2],
    [milk, 'Молоко', 3],
    [variant, 'Молоко Стакан', 5],
  ]);
  expect(await grouped('category')).toEqual([
    [catalog.category_id, expect.any(String), 8],
    [category_id, 'Сыры', 2],
  ]);
  expect(await grouped('brand')).toEqual([
    [catalog.brand_id, expect.any(String), 5],
    [null, null, 5],
  ]);
  const uz = await call(`GET ${REPORT}?group=category`, { token, headers: { 'accept-language': 'uz' } });
  expect(uz.body).toMatchObject({ data: [{}, { label: 'Пишлоқлар' }] });
});

test('costs and prices count in their currencies, and all goods of one cost are rounded once', async () => {
  const shop = await newShop();
  await setRate(shop, 'usd', 12_000);
  const goods = await newGoods(
    shop,
    [
      { quantity: 1.5, cost: 0.33 },
      { quantity: 2, cost: 4.5, currency: 'usd' },
    ],
    { sale_price: 7.77, sale_currency: 'usd' },
  );
  // 0.5 and 1 piece at 0.33 would be 0.17 and 0.33: apart they would come to more than together.
  await holdGoods(shop, { products: [{ product_id: goods, quantity: 0.5 }] });
  const costs = { ...NONE, uzs: 0.5, usd: 9 };
  const sale_values = { ...NONE, usd: 27.2 };
  expect(await report(shop.director, 'group=product')).toMatchObject({
    data: [{ key: goods, quantity: 3.5, held_quantity: 0.5, costs, sale_values }],
    totals: [{ costs, sale_values }],
  });
});

test('only warehouses open to the caller count, and a filter by another is 422', async () => {
  const shop = await newShop();
  const second = await newWarehouse(shop.director, 'Второй');
  const goods = await newGoods(shop, [{ quantity: 10, cost: 100 }]);
  await call(`PATCH ${TRANSFERS}/${await send(shop, second, goods, 4)}/complete`, { token: shop.director });
  const token = await newEmployee(shop, ['company.report.stock'], { stock_ids: [second] });
  expect(await report(token)).toMatchObject({
    data: [{ key: second, quantity: 4 }],
    totals: [{ quantity: 4 }],
  });
  const refused = (id: number) => errorsIn(`${REPORT}?filter[stock_id][]=${id}`, token);
  expect(await refused(shop.stockId)).toEqual({ 'filter.stock_id': [NOT_FOUND] });
  expect(await refused(999)).toEqual({ 'filter.stock_id': [NOT_FOUND] });
  const both = `filter[stock_id][]=${second}&filter[stock_id][]=${shop.stockId}`;
  expect(await report(shop.director, both)).toMatchObject({ data: [{}, {}], totals: [{ quantity: 10 }] });
  expect(await report(shop.director, `filter[stock_id]=${second}`)).toMatchObject({
    totals: [{ quantity: 4 }],
  });
  const stranger = await newEmployee(shop, ['company.report.debts'], { stock_ids: [second] });
  expect((await call(`GET ${REPORT}`, { token: stranger })).status).toBe(403);
});

test('of nothing there are no rows and no totals, and what is sold out has no row', async () => {
  const shop = await newShop();
  const nothing = { data: [], totals: [], period: null };
  expect(await report(shop.director)).toEqual(nothing);
  await newGoods(shop, []);
  expect(await report(shop.director, 'group=product')).toEqual(nothing);
});

test('format=excel has the same columns, and the totals last', async () => {
  const shop = await newShop();
  const goods = await newGoods(shop, [{ quantity: 2.5, cost: 100 }], { name: '=Сыр', sale_price: 120 });
  const { rows, filename } = await downloadSheet(`${REPORT}?group=product&format=excel`, shop.director);
  expect(filename).toContain(translateLabel('ru', { key: 'report.stock' }));
  const [headings, ...cells] = rows;
  expect(headings).toEqual([
    ...['Ключ', 'Название', 'Количество', 'В отложке', 'В пути'],
    ...['UZS', 'USD', 'EUR', 'RUB'].map((currency) => `По себестоимости, ${currency}`),
    ...['UZS', 'USD', 'EUR', 'RUB'].map((currency) => `По ценам продажи, ${currency}`),
  ]);
  const figures = [2.5, 0, 0, 250, 0, 0, 0, 300, 0, 0, 0];
  expect(cells).toEqual([
    [goods, '=Сыр', ...figures],
    [null, 'Итого', ...figures],
  ]);
});

test('an unknown group, filter or order is 422 on it', async () => {
  const { director } = await newShop();
  const refused = (query: string) => errorsIn(`${REPORT}?${query}`, director);
  expect(await refused('group=shelf&filter[stock_id][]=x&filter[colour]=1&sort[]=key')).toEqual({
    group: expect.anything(),
    'filter.stock_id': expect.anything(),
    'filter.colour': expect.anything(),
    sort: expect.anything(),
  });
});
