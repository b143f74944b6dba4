import { expect, test } from 'vitest';
import { card } from '#tests/support/catalog.ts';
import { newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { idsOf, make } from '#tests/support/records.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { newGoods, newShop } from '#tests/support/shop.ts';
import { newWarehouse } from '#tests/support/stock.ts';
import {
  count,
  endStocktake,
  INVENTORIES,
  newStoreForStocktake,
  startStocktake,
} from '#tests/support/stocktakes.ts';

test('lines are paged in the order of the plan, filtered by what came of them, and embed their products (Contract 9.9)', async () => {
  const { shop, token, products } = await newStoreForStocktake();
  const [first, second, third] = products;
  const fourth = await newGoods(shop, [{ quantity: 1, cost: 1 }]);
  const id = await startStocktake(shop);
  await count(shop, id, [
    [first, 11],
    [second, 2],
    [third, 30],
  ]);
  const page = async (query: string) => {
    const { body } = await call(`GET ${INVENTORIES}/${id}/products?${query}`, { token });
    return Object(body).data.map(({ product_id }: { product_id: number }) => product_id);
  };
  expect(await page('page-size=3')).toEqual([first, second, third]);
  expect(await page('page-size=3&page=2')).toEqual([fourth]);
  expect(await page('filter[is_checked]=false')).toEqual([fourth]);
  expect(await page('filter[is_checked]=true')).toEqual([first, second, third]);
  expect(await page('filter[difference]=above')).toEqual([first]);
  expect(await page('filter[difference]=below')).toEqual([second]);
  expect(await page('filter[difference]=matched')).toEqual([third]);
  expect((await call(`GET ${INVENTORIES}/${id}/products?filter[difference]=other`, { token })).status).toBe(
    422,
  );
  expect(
    (await call(`GET ${INVENTORIES}/${id}/products?with[]=product&page-size=1`, { token })).body,
  ).toMatchObject({
    data: [{ product_id: first, product: { id: first, full_text: 'Water' } }],
    meta: { total: 4, per_page: 1 },
  });
});

test('the history is filtered by all that the contract names', async () => {
  const { shop, token, products } = await newStoreForStocktake();
  const done = await startStocktake(shop, { responsible_id: shop.directorId });
  await count(
    shop,
    done,
    products.map((product) => [product, 1]),
  );
  await endStocktake(shop, done, 'complete');
  const other = await newWarehouse(token, 'Второй');
  const open = await startStocktake({ director: token, stockId: other }, { comment: 'x' });
  const today = new Date(Date.now() + 5 * 3_600_000).toISOString().slice(0, 10);
  for (const [query, ids] of [
    ['', [done, open]],
    [`filter[id]=${done}`, [done]],
    [`filter[creator_id]=${shop.directorId}`, [done, open]],
    [`filter[updater_id]=${shop.directorId}`, [done, open]],
    [`filter[company_id][]=${shop.companyId}`, [done, open]],
    [`filter[company_id]=${shop.companyId}`, [done, open]],
    [`filter[stock_id]=${other}`, [open]],
    [`filter[responsible_id]=${shop.directorId}`, [done]],
    ['filter[type]=partial', []],
    ['filter[status]=completed', [done]],
    [`filter[created_at][0]=${today}`, [done, open]],
    [`filter[products.product.category_id]=${shop.catalog.category_id}`, [done]],
    [`filter[products.product.category_id]=${shop.catalog.category_id + 1}`, []],
    [`filter[products.product.brand_id]=${shop.catalog.brand_id}`, [done]],
    [`filter[products.product.brand_id]=${shop.catalog.brand_id + 6}`, []],
  ] as const) {
    expect([query, await idsOf(INVENTORIES, token, query)]).toEqual([query, ids]);
  }
  const { body } = await call(`GET ${INVENTORIES}?with[]=company&with[]=creator.profile`, { token });
  expect(body).toMatchObject({
    data: [
      { id: open, company: { id: shop.companyId } },
      { id: done, creator: { id: shop.directorId }, amounts_diff_below: { uzs: 1167.5 } },
    ],
    meta: { per_page: 10 },
  });
  expect((await call(`GET ${INVENTORIES}?page-size=11`, { token })).status).toBe(422);
});

test('a category finds the counts that had a line of it when that was listed or counted', async () => {
  const shop = await newShop();
  const { director: token } = shop;
  const body = card(shop.catalog);
  const product = await newGoods(shop, [{ quantity: 1, cost: 1 }], body);
  const other = await make('/company/product/category', token, {
    name: { ru: 'Хлеб', uz: 'Хлеб', oz: 'Хлеб' },
  });
  const id = await startStocktake(shop);
  const edited = { ...body, category_id: other, images_old_keys: '[]' };
  expect((await call(`PUT /company/product/product/${product}`, { token, json: edited })).status).toBe(200);
  const found = (category: number) =>
    idsOf(INVENTORIES, token, `filter[products.product.category_id]=${category}`);
  const { category_id: listed } = shop.catalog;
  expect([await found(listed), await found(other)]).toEqual([[id], []]);
  await count(shop, id, [[product, 1]]);
  expect([await found(listed), await found(other)]).toEqual([[id], [id]]);
});

test('counts of warehouses that are not open to an employee are not there', async () => {
  const { shop } = await newStoreForStocktake();
  const id = await startStocktake(shop);
  const rights = ['company.trade.inventory.*'];
  const open = await newEmployee(shop, rights, {
    responsibility_ids: [shop.companyId],
    stock_ids: [shop.stockId],
  });
  const shut = await newEmployee(shop, rights, { responsibility_ids: [shop.companyId], stock_ids: [999] });
  const stranger = (await newFamily()).director;
  expect((await call(`GET ${INVENTORIES}/${id}`, { token: open })).status).toBe(200);
  for (const token of [shut, stranger]) {
    for (const request of [
      'GET',
      'GET /products',
      'GET /comparison-sheet',
      'PATCH /complete',
      'PATCH /cancel',
    ]) {
      const [method, path = ''] = request.split(' ');
      expect((await call(`${method} ${INVENTORIES}/${id}${path}`, { token })).status).toBe(404);
    }
    expect(await idsOf(INVENTORIES, token)).toEqual([]);
    expect((await call(`GET ${INVENTORIES}/categories?stock_id=${shop.stockId}`, { token })).status).toBe(
      422,
    );
    expect(
      (await call(`POST ${INVENTORIES}`, { token, json: { stock_id: shop.stockId, type: 'full' } })).status,
    ).toBe(422);
  }
});

test('stats tell of completed counts, and of the difference of the latest (Contract 9.10)', async () => {
  const { shop, token, products } = await newStoreForStocktake();
  const stats = async () => (await call(`GET ${INVENTORIES}/stats`, { token })).body;
  expect(await stats()).toEqual({
    total_count: 0,
    last_completed_at: null,
    accuracy_percent: null,
    last_difference_amounts: { uzs: 0, usd: 0, eur: 0, rub: 0 },
  });
  const first = await startStocktake(shop);
  await count(shop, first, [
    [products[0], 11],
    [products[1], 19],
    [products[2], 30],
  ]);
  await endStocktake(shop, first, 'complete');
  await endStocktake(shop, await startStocktake(shop), 'cancel');
  expect(await stats()).toMatchObject({
    total_count: 1,
    accuracy_percent: 33.33,
    last_difference_amounts: { uzs: 90, usd: 0 },
  });
  const second = await startStocktake(shop, { type: 'partial', product_ids: [products[0]] });
  await count(shop, second, [[products[0], 11]]);
  await endStocktake(shop, second, 'complete');
  const { body } = await call(`GET ${INVENTORIES}/${second}`, { token });
  expect(await stats()).toMatchObject({
    total_count: 2,
    accuracy_percent: 50,
    last_completed_at: Object(body).completed_at,
    last_difference_amounts: { uzs: 0 },
  });
});

test('categories tell what a warehouse has of each, with those under it, at what it had cost', async () => {
  const shop = await newShop();
  const { director: token, catalog } = shop;
  const { category_id: drinks } = catalog;
  const name = { ru: 'Соки', uz: 'Шарбатлар', oz: 'Sharbatlar' };
  const under = await make('/company/product/category', token, { name, parent_id: drinks });
  await newGoods(shop, [{ quantity: 2, cost: 10 }]);
  await newGoods(
    shop,
    [
      { quantity: 1.5, cost: 0.33 },
      { quantity: 4, cost: 2, currency: 'usd' },
    ],
    { category_id: under },
  );
  const { body } = await call(`GET ${INVENTORIES}/categories?stock_id=${shop.stockId}`, {
    token,
    headers: { 'accept-language': 'oz' },
  });
  expect(body).toEqual({
    data: [
      {
        id: drinks,
        name: expect.any(Object),
        text: 'Ichimliklar',
        parent_id: null,
        products_count: 2,
        quantity: 7.5,
        amounts: { uzs: 20.5, usd: 8, eur: 0, rub: 0 },
      },
      {
        id: under,
        name,
        text: 'Sharbatlar',
        parent_id: drinks,
        products_count: 1,
        quantity: 5.5,
        amounts: { uzs: 0.5, usd: 8, eur: 0, rub: 0 },
      },
    ],
    total: { products_count: 2, quantity: 7.5, amounts: { uzs: 20.5, usd: 8, eur: 0, rub: 0 } },
  });
  expect((await call(`GET ${INVENTORIES}/categories?stock_id=99`, { token })).status).toBe(422);
  expect((await call(`GET ${INVENTORIES}/categories`, { token })).status).toBe(422);
});

test('the comparison sheet has the checked lines, while the count goes on and after it', async () => {
  const { shop, token, products } = await newStoreForStocktake();
  const id = await startStocktake(shop);
  await count(shop, id, [
    [products[0], 11],
    [products[1], 4],
  ]);
  const rows = async () =>
    (await downloadSheet(`${INVENTORIES}/${id}/comparison-sheet`, token)).rows.slice(1);
  const wanted = [
    ['Water', expect.any(String), null, 10, 11, 1, 100, 0, 0, 0, 0, 0, 0, 0],
    ['Water', expect.any(String), null, 20, 4, -16, 0, 0, 0, 0, 50, 22, 0, 0],
  ];
  expect(await rows()).toEqual(wanted);
  await count(shop, id, [[products[2], 30]]);
  await endStocktake(shop, id, 'complete');
  expect((await rows()).slice(0, 2)).toEqual(wanted);
  expect((await rows())[2]?.slice(3)).toEqual([30, 30, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
});

test('the history is had as a workbook, with the same filters', async () => {
  const { shop, token, products } = await newStoreForStocktake();
  const id = await startStocktake(shop, { comment: 'Yearly' });
  await count(
    shop,
    id,
    products.map((product) => [product, 11]),
  );
  await endStocktake(shop, id, 'complete');
  await endStocktake(shop, await startStocktake(shop), 'cancel');
  const sheet = await downloadSheet(`${INVENTORIES}?format=excel&filter[status]=completed`, token);
  const [header, ...rows] = sheet.rows;
  expect(header?.slice(0, 4)).toEqual(['Номер', 'Дата', 'Тип', 'Статус']);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ 0: id, 2: 'Полная', 3: 'Завершена', 9: 3, 12: 60, 13: 33, 14: 1, 15: 28 });
  expect(rows[0]?.slice(16)).toEqual([100, 0, 0, 0, 192.5, 8, 0, 0, 'Yearly']);
});

test('categories add up more goods and money than a number counts in hundredths', async () => {
  const shop = await newShop();
  await newGoods(shop, [{ quantity: 60_000_000, cost: 1_500_000 }]);
  await newGoods(shop, [{ quantity: 60_000_000.5, cost: 999_999_999_999.99, currency: 'usd' }]);
  const path = `${INVENTORIES}/categories?stock_id=${shop.stockId}`;
  const sums = {
    products_count: 2,
    quantity: 120_000_000.5,
    amounts: { uzs: 9e13, usd: 6.00000004999994e19 },
  };
  expect(await call(`GET ${path}`, { token: shop.director })).toMatchObject({
    status: 200,
    body: { data: [sums], total: sums },
  });
});
