import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { wholePartition } from '#lib/table/read/walk.ts';
import { card, newCatalog } from '#tests/support/catalog.ts';
import { newCompany, newFamily, newFamilyWithBranch } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { idsOf, make } from '#tests/support/records.ts';
import {
  addToDraft,
  cardOf,
  historyOf,
  PRODUCTS,
  REPRICINGS,
  rateOf,
  reprice,
  repricingRow,
  sendBatch,
} from '#tests/support/repricing.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { newGoods, newShop, type Shop } from '#tests/support/shop.ts';

const Made = z.object({ id: z.int() });

let shop: Shop;

beforeEach(async () => {
  shop = await newShop();
});

test('products take the prices that are sent, and the batch tells them', async () => {
  const [water, soda] = [await newGoods(shop, []), await newGoods(shop, [], { min_price: 100 })];
  const made = await sendBatch(
    shop,
    [
      repricingRow(water, { min_price: 5500, min_price_percent: 12.5 }),
      repricingRow(soda, { sale_price: 7000.5, markup_percent: 20 }),
    ],
    { rounding_type: 'smart', currency_rate: 12_800.5 },
  );
  expect(made.status).toBe(200);
  const own = { company_id: shop.companyId, creator_id: shop.directorId, created_at: expect.any(String) };
  const [batch_id, firstLine] = [made.number('id'), made.number('products.0.id')];
  const line = { ...own, batch_id, previous_price: 5000, previous_currency: 'uzs', sale_currency: 'uzs' };
  const unrecorded = { impersonator_id: null, previous_markup_percent: null, price_without_rounding: null };
  expect(made.body).toMatchObject({
    ...own,
    id: batch_id,
    impersonator_id: null,
    type: 'group',
    rounding_type: 'smart',
    currency_rate: 12_800.5,
    products_count: 2,
    skipped_count: 0,
    markup_summary: { min: 20, max: 20, average: 20 },
    skipped_products: [],
    products: [
      {
        ...line,
        ...unrecorded,
        id: firstLine,
        product_id: water,
        product: { id: water, full_text: 'Water' },
        sale_price: 6000,
        markup_percent: null,
        min_price: 5500,
        min_price_percent: 12.5,
      },
      {
        ...line,
        ...unrecorded,
        id: firstLine + 1,
        product_id: soda,
        sale_price: 7000.5,
        markup_percent: 20,
        min_price: 100,
        min_price_percent: null,
      },
    ],
  });
  expect(await cardOf(shop, water)).toMatchObject({
    sale_price: 6000,
    min_price: 5500,
    min_price_percent: 12.5,
  });
  expect(await cardOf(shop, soda)).toMatchObject({
    sale_price: 7000.5,
    min_price: 100,
    min_price_percent: null,
  });
  expect(await rateOf(shop, 'usd')).toBe(12_800.5);
});

test('the answer is the batch as it is read, with who made it and the cards of its lines (Part 2, "Repricing batch")', async () => {
  const parent_id = await newGoods(shop, []);
  const [water, soda] = [await newGoods(shop, [], { parent_id }), await newGoods(shop, [])];
  await addToDraft(shop, soda);
  const headers = { 'idempotency-key': randomUUID() };
  const { body } = await sendBatch(
    shop,
    [repricingRow(water, { min_price: 10 }), repricingRow(soda)],
    {},
    headers,
  );
  const { id } = Made.parse(body);
  expect(body).toMatchObject({
    creator: { id: shop.directorId, profile: { full_name: 'Test' } },
    products: [{ product_id: water, product: { id: water, full_text: 'Water Water' } }],
    skipped_products: [{ product_id: soda }],
  });
  expect(await call(`GET ${REPRICINGS}/${id}`, { token: shop.director })).toMatchObject({ body });
  const [kept] = await wholePartition(`idempotency#user-${shop.directorId}`);
  expect(JSON.stringify(kept)).not.toContain('password');
});

test('one batch shows who made it, its lines with their cards, and what was skipped', async () => {
  const [water, soda] = [await newGoods(shop, []), await newGoods(shop, [])];
  await addToDraft(shop, soda);
  const { id } = await reprice(shop, [repricingRow(water), repricingRow(soda)]);
  const { status, body } = await call(
    `GET ${REPRICINGS}/${id}?with[]=creator.profile&with[]=products.product`,
    {
      token: shop.director,
    },
  );
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id,
    creator: { id: shop.directorId, profile: { full_name: 'Test' } },
    products: [{ product_id: water, product: { id: water, full_text: 'Water', images_list: [] } }],
    skipped_products: [{ product_id: soda }],
  });
  expect(await call(`GET ${REPRICINGS}/${id}`, { token: shop.director })).toMatchObject({ body });
  const page = await call(`GET ${REPRICINGS}/${id}/products`, { token: shop.director });
  expect(page.body).toMatchObject({
    data: [{ product_id: water, product: { id: water } }],
    meta: { total: 1, per_page: 20 },
  });
  expect((await call(`GET ${REPRICINGS}/${id}?with[]=company`, { token: shop.director })).status).toBe(422);
});

test('the history is filtered by id, company, creator and day, and embeds what is asked for', async () => {
  const [water, soda] = [await newGoods(shop, []), await newGoods(shop, [])];
  const { id: first } = await reprice(shop, [repricingRow(water)]);
  const { id: second } = await reprice(shop, [repricingRow(soda)]);
  const both = [first, second];
  expect(await idsOf(REPRICINGS, shop.director)).toEqual(both);
  expect(await historyOf(shop)).toMatchObject({
    data: [{ id: second }, { id: first }],
    meta: { per_page: 20, total: 2 },
  });
  const found = async (query: string) => idsOf(REPRICINGS, shop.director, query);
  const { companyId, directorId } = shop;
  expect(await found(`filter[id]=${second}`)).toEqual([second]);
  expect(await found(`filter[id][]=${first}&filter[id][]=${second}`)).toEqual(both);
  expect(await found(`filter[company_id]=${companyId}`)).toEqual(both);
  expect(await found(`filter[company_id][]=${companyId}&filter[company_id][]=${companyId + 1}`)).toEqual(
    both,
  );
  expect(await found(`filter[company_id]=${companyId + 1}`)).toEqual([]);
  expect(await found(`filter[creator_id]=${directorId}`)).toEqual(both);
  expect(await found(`filter[creator_id]=${directorId + 1}`)).toEqual([]);
  expect(await found('filter[created_at][0]=2000-01-01&filter[created_at][1]=2099-01-01')).toEqual(both);
  expect(await found('filter[created_at][1]=2000-01-01')).toEqual([]);
  const bare = z.object({ data: z.array(z.looseObject({})) }).parse(await historyOf(shop)).data;
  expect(bare.map((batch) => 'products' in batch || 'creator' in batch)).toEqual([false, false]);
  expect(await historyOf(shop, 'with[]=creator.profile&with[]=products.product&sort[]=id')).toMatchObject({
    data: [
      { creator: { profile: {} }, products: [{ product_id: water, product: { id: water } }] },
      { creator: { profile: {} }, products: [{ product_id: soda, product: { id: soda } }] },
    ],
  });
  const { body, status } = await call(`GET ${REPRICINGS}?page-size=21&sort[]=type`, { token: shop.director });
  expect(status).toBe(422);
  expect(body).toMatchObject({
    errors: { 'page-size': [expect.any(String)], 'sort.0': [expect.any(String)] },
  });
});

test('a batch of another family, or of a company that is not open to the caller, is 404 and in no list', async () => {
  const family = await newFamilyWithBranch();
  const product = await make(PRODUCTS, family.director, card(await newCatalog(family)));
  const id = await make(REPRICINGS, family.director, {
    company_id: family.companyId,
    products: [repricingRow(product)],
  });
  const stranger = await newFamily();
  for (const token of [stranger.director, family.branchDirector]) {
    expect((await call(`GET ${REPRICINGS}/${id}`, { token })).status).toBe(404);
    expect((await call(`GET ${REPRICINGS}/${id}/products`, { token })).status).toBe(404);
    expect(await idsOf(REPRICINGS, token)).toEqual([]);
  }
});

test('a branch’s rate changes, and nobody else’s', async () => {
  const branch = await newCompany(shop.companyId);
  await reprice(shop, [repricingRow(await newGoods(shop, []))], {
    company_id: branch,
    currency_rate: 13_000,
  });
  expect(await rateOf(shop, 'usd')).toBe(12_650);
  const { body } = await call(`GET /company/cashbox/currency-rate?filter[company_id]=${branch}`, {
    token: shop.director,
  });
  expect(body).toMatchObject({ data: expect.arrayContaining([expect.objectContaining({ rate: 13_000 })]) });
});

test('the sale price is final; what was sent of rounding and markup is recorded, and what the price really was (Contract 9.31)', async () => {
  const water = await newGoods(shop, []);
  const sent = { markup_percent: 33.33, price_without_rounding: 6123.45, previous_price: 1 };
  const batch = await reprice(shop, [repricingRow(water, { sale_price: 6123.4, ...sent })], {
    rounding_type: '1000',
  });
  expect(batch).toMatchObject({
    rounding_type: '1000',
    products: [
      {
        sale_price: 6123.4,
        previous_price: 5000,
        markup_percent: 33.33,
        previous_markup_percent: null,
        price_without_rounding: 6123.45,
      },
    ],
  });
  expect(await cardOf(shop, water)).toMatchObject({ sale_price: 6123.4 });
  expect(await reprice(shop, [repricingRow(water, { sale_price: 1, sale_currency: 'usd' })])).toMatchObject({
    rounding_type: null,
    currency_rate: null,
    products: [
      {
        previous_price: 6123.4,
        previous_currency: 'uzs',
        sale_price: 1,
        sale_currency: 'usd',
        markup_percent: null,
        previous_markup_percent: 33.33,
        price_without_rounding: null,
      },
    ],
  });
  expect(await reprice(shop, [repricingRow(water)])).toMatchObject({
    products: [{ previous_price: 1, previous_currency: 'usd', previous_markup_percent: null }],
  });
});

test('a markup counts no more once the price has been changed on the card', async () => {
  const water = await newGoods(shop, []);
  await reprice(shop, [repricingRow(water, { markup_percent: 10 })]);
  const json = card(shop.catalog, { sale_price: 6500 });
  expect((await call(`PUT ${PRODUCTS}/${water}`, { token: shop.director, json })).status).toBe(200);
  expect(await reprice(shop, [repricingRow(water)])).toMatchObject({
    products: [{ previous_price: 6500, previous_markup_percent: null }],
  });
});

test('the markup summary is of the repriced rows that had one, or null (Contract 9.35)', async () => {
  const [water, soda, cola] = [await newGoods(shop, []), await newGoods(shop, []), await newGoods(shop, [])];
  await addToDraft(shop, cola);
  const rows = [
    repricingRow(water, { markup_percent: 10 }),
    repricingRow(soda),
    repricingRow(cola, { markup_percent: 90 }),
  ];
  expect(await reprice(shop, rows)).toMatchObject({
    products_count: 2,
    markup_summary: { min: 10, max: 10, average: 10 },
  });
  expect(await reprice(shop, [repricingRow(water)])).toMatchObject({
    products_count: 1,
    markup_summary: null,
  });
});

test('the average markup is unweighted, with two decimals (Contract 9.74)', async () => {
  const ids = [await newGoods(shop, []), await newGoods(shop, []), await newGoods(shop, [])];
  const prices = [1, 1_000_000, 5];
  const markups = [10, 20, 20.01];
  const rows = ids.map((id, index) =>
    repricingRow(id, { sale_price: prices[index], markup_percent: markups[index] }),
  );
  expect(await reprice(shop, rows)).toMatchObject({
    markup_summary: { min: 10, max: 20.01, average: 16.67 },
  });
});

test('the history is had as a workbook with format=excel', async () => {
  const [water, soda] = [await newGoods(shop, []), await newGoods(shop, [])];
  await addToDraft(shop, soda);
  const { id } = await reprice(shop, [repricingRow(water, { markup_percent: 12.5 }), repricingRow(soda)], {
    currency_rate: 12_700.5,
  });
  const { rows } = await downloadSheet(`${REPRICINGS}?format=excel`, shop.director);
  expect(rows.slice(1)).toEqual([[id, expect.any(Date), 'Групповая', 'Savdo', 'Test', 1, 1, 12_700.5, 12.5]]);
});
