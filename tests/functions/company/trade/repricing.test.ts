import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { say } from '#lib/values/messages/say.ts';
import { LOCALES } from '#lib/values/text.ts';
import { card } from '#tests/kit/catalog.ts';
import { newCompany, newEmployee, newFamily, newFamilyWithBranch } from '#tests/kit/family.ts';
import { call } from '#tests/kit/http.ts';
import { errorsOf, idsOf, make, NOT_FOUND, REQUIRED } from '#tests/kit/records.ts';
import { newGoods, newShop, type Shop, setRate } from '#tests/kit/shop.ts';

const BATCHES = '/company/trade/recalculation-batch';
const PRODUCTS = '/company/product/product';
const DUPLICATE = say('ru', { key: 'validation.duplicate' });

const Rates = z.object({ rows: z.array(z.object({ currency: z.string(), rate: z.number() })) });
const Batch = z.looseObject({ id: z.int(), products: z.array(z.looseObject({ product_id: z.int() })) });

let shop: Shop;

beforeEach(async () => {
  shop = await newShop();
});

function row(product_id: number, given: object = {}) {
  return { product_id, sale_price: 6000, sale_currency: 'uzs', ...given };
}

function reprice(products: readonly object[], given: object = {}, headers = {}) {
  const json = { company_id: shop.companyId, products, ...given };
  return call(`POST ${BATCHES}`, { token: shop.director, json, headers });
}

async function repriced(products: readonly object[], given: object = {}) {
  const { status, body } = await reprice(products, given);
  expect(body).toMatchObject({ id: expect.any(Number) });
  expect(status).toBe(200);
  return Batch.parse(body);
}

async function cardOf(id: number) {
  return (await call(`GET ${PRODUCTS}/${id}`, { token: shop.director })).body;
}

async function rateOf(currency: string) {
  const { body } = await call('GET /company/cashbox/currency-rate/settings', { token: shop.director });
  return Rates.parse(body).rows.find((each) => each.currency === currency)?.rate;
}

async function putInDraft(product_id: number) {
  const json = { stock_id: shop.stockId, products: [{ product_id, quantity: 1 }], bundles: [] };
  const path = `/company/trade/cashbox/${shop.cashboxId}/cheque/1`;
  expect((await call(`PUT ${path}`, { token: shop.director, json })).status).toBe(200);
}

async function batches(query = '') {
  return (await call(`GET ${BATCHES}?${query}`, { token: shop.director })).body;
}

test('products take the prices that are sent, and the batch tells them', async () => {
  const [water, soda] = [await newGoods(shop, []), await newGoods(shop, [], { min_price: 100 })];
  const { status, body } = await reprice(
    [
      row(water, { min_price: 5500, min_price_percent: 12.5 }),
      row(soda, { sale_price: 7000.5, markup_percent: 20 }),
    ],
    { rounding_type: 'smart', currency_rate: 12_800.5 },
  );
  expect(status).toBe(200);
  const own = { company_id: shop.companyId, creator_id: shop.directorId, created_at: expect.any(String) };
  const line = { ...own, batch_id: 1, previous_price: 5000, previous_currency: 'uzs', sale_currency: 'uzs' };
  const unrecorded = { previous_markup_percent: null, price_without_rounding: null };
  expect(body).toEqual({
    ...own,
    id: 1,
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
        id: 1,
        product_id: water,
        sale_price: 6000,
        markup_percent: null,
        min_price: 5500,
        min_price_percent: 12.5,
      },
      {
        ...line,
        ...unrecorded,
        id: 2,
        product_id: soda,
        sale_price: 7000.5,
        markup_percent: 20,
        min_price: 100,
        min_price_percent: null,
      },
    ],
  });
  expect(await cardOf(water)).toMatchObject({ sale_price: 6000, min_price: 5500, min_price_percent: 12.5 });
  expect(await cardOf(soda)).toMatchObject({ sale_price: 7000.5, min_price: 100, min_price_percent: null });
  expect(await rateOf('usd')).toBe(12_800.5);
});

test('one batch shows who made it, its lines with their cards, and what was skipped', async () => {
  const [water, soda] = [await newGoods(shop, []), await newGoods(shop, [])];
  await putInDraft(soda);
  const { id } = await repriced([row(water), row(soda)]);
  const { status, body } = await call(`GET ${BATCHES}/${id}?with[]=creator.profile&with[]=products.product`, {
    token: shop.director,
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id,
    creator: { id: shop.directorId, profile: { full_name: 'Test' } },
    products: [{ product_id: water, product: { id: water, full_text: 'Water', images_list: [] } }],
    skipped_products: [{ product_id: soda }],
  });
  expect(await call(`GET ${BATCHES}/${id}`, { token: shop.director })).toMatchObject({ body });
  const page = await call(`GET ${BATCHES}/${id}/products`, { token: shop.director });
  expect(page.body).toMatchObject({
    data: [{ product_id: water, product: { id: water } }],
    meta: { total: 1, per_page: 100 },
  });
  expect((await call(`GET ${BATCHES}/${id}?with[]=company`, { token: shop.director })).status).toBe(422);
});

test('the history is filtered by id, company, creator and day, and embeds what is asked for', async () => {
  const [water, soda] = [await newGoods(shop, []), await newGoods(shop, [])];
  await repriced([row(water)]);
  await repriced([row(soda)]);
  expect(await idsOf(BATCHES, shop.director)).toEqual([1, 2]);
  expect(await batches()).toMatchObject({ data: [{ id: 2 }, { id: 1 }], meta: { per_page: 20, total: 2 } });
  const found = async (query: string) => idsOf(BATCHES, shop.director, query);
  const { companyId, directorId } = shop;
  expect(await found('filter[id]=2')).toEqual([2]);
  expect(await found('filter[id][]=1&filter[id][]=2')).toEqual([1, 2]);
  expect(await found(`filter[company_id]=${companyId}`)).toEqual([1, 2]);
  expect(await found(`filter[company_id][]=${companyId}&filter[company_id][]=1`)).toEqual([1, 2]);
  expect(await found(`filter[company_id]=${companyId + 1}`)).toEqual([]);
  expect(await found(`filter[creator_id]=${directorId}`)).toEqual([1, 2]);
  expect(await found(`filter[creator_id]=${directorId + 1}`)).toEqual([]);
  expect(await found('filter[created_at][0]=2000-01-01&filter[created_at][1]=2099-01-01')).toEqual([1, 2]);
  expect(await found('filter[created_at][1]=2000-01-01')).toEqual([]);
  const bare = z.object({ data: z.array(z.looseObject({})) }).parse(await batches()).data;
  expect(bare.map((batch) => 'products' in batch || 'creator' in batch)).toEqual([false, false]);
  expect(await batches('with[]=creator.profile&with[]=products.product&sort[]=id')).toMatchObject({
    data: [
      { creator: { profile: {} }, products: [{ product_id: water, product: { id: water } }] },
      { creator: { profile: {} }, products: [{ product_id: soda, product: { id: soda } }] },
    ],
  });
  const { body, status } = await call(`GET ${BATCHES}?page-size=21&sort[]=type`, { token: shop.director });
  expect(status).toBe(422);
  expect(body).toMatchObject({
    errors: { 'page-size': [expect.any(String)], 'sort.0': [expect.any(String)] },
  });
});

test('a batch of another family, or of a company that is not open to the caller, is 404 and in no list', async () => {
  const family = await newFamilyWithBranch();
  shop = { ...(await newShop()), ...family };
  const id = await makeCard(family.director);
  const made = await call(`POST ${BATCHES}`, {
    token: family.director,
    json: { company_id: family.companyId, products: [row(id)] },
  });
  expect(made.status).toBe(200);
  const stranger = await newFamily();
  for (const token of [stranger.director, family.branchDirector]) {
    expect((await call(`GET ${BATCHES}/1`, { token })).status).toBe(404);
    expect((await call(`GET ${BATCHES}/1/products`, { token })).status).toBe(404);
    expect(await idsOf(BATCHES, token)).toEqual([]);
  }
});

async function makeCard(token: string) {
  const name = { ru: 'Напитки', uz: 'Ичимликлар', oz: 'Ichimliklar' };
  await make('/company/product/category', token, { name });
  await make('/company/product/unit', token, { name, accuracy: 0 });
  await make('/company/product/brand', token, { name: 'Nestlé', image_old_keys: '[]' });
  return make(PRODUCTS, token, card());
}

test('the company must be open to the caller, and each product be there: all failing fields at once', async () => {
  const [water, gone] = [await newGoods(shop, []), await newGoods(shop, [])];
  await call(`DELETE ${PRODUCTS}/${gone}`, { token: shop.director });
  const other = await newCompany(null);
  const json = { company_id: other, products: [row(water), row(gone), row(99)] };
  expect(await errorsOf(`POST ${BATCHES}`, shop.director, json)).toEqual({
    company_id: NOT_FOUND,
    'products.1.product_id': NOT_FOUND,
    'products.2.product_id': NOT_FOUND,
  });
  expect(await cardOf(water)).toMatchObject({ sale_price: 5000 });
  const employee = await newEmployee(shop, ['company.trade.recalculation-batch.store'], {
    company_id: await newCompany(shop.companyId),
    family_id: shop.companyId,
  });
  const ours = { company_id: shop.companyId, products: [row(water)] };
  expect(await errorsOf(`POST ${BATCHES}`, employee, ours)).toEqual({ company_id: NOT_FOUND });
});

test('a branch’s rate changes, and nobody else’s', async () => {
  const branch = await newCompany(shop.companyId);
  await repriced([row(await newGoods(shop, []))], { company_id: branch, currency_rate: 13_000 });
  expect(await rateOf('usd')).toBe(12_650);
  const { body } = await call(`GET /company/cashbox/currency-rate?filter[company_id]=${branch}`, {
    token: shop.director,
  });
  expect(body).toMatchObject({ data: expect.arrayContaining([expect.objectContaining({ rate: 13_000 })]) });
});

test('what a body must be', async () => {
  const water = await newGoods(shop, []);
  const company_id = shop.companyId;
  const errors = (json: object) => errorsOf(`POST ${BATCHES}`, shop.director, json);
  expect(await errors({})).toEqual({ company_id: REQUIRED, products: REQUIRED });
  expect(await errors({ company_id, products: [] })).toEqual({
    products: say('ru', { key: 'validation.min_items', with: { min: 1 } }),
  });
  expect(await errors({ company_id, products: [{}] })).toEqual({
    'products.0.product_id': REQUIRED,
    'products.0.sale_price': REQUIRED,
    'products.0.sale_currency': REQUIRED,
  });
  const wrong = {
    sale_price: 0,
    sale_currency: 'gbp',
    markup_percent: 0,
    price_without_rounding: 0.001,
    previous_price: 1_000_000_000_000,
    min_price: -1,
    min_price_percent: 10_001,
  };
  expect(
    Object.keys(
      await errors({
        company_id,
        rounding_type: '500',
        currency_rate: 0.5,
        products: [row(water, wrong)],
      }),
    ).sort(),
  ).toEqual(
    ['currency_rate', ...Object.keys(wrong).map((field) => `products.0.${field}`), 'rounding_type'].sort(),
  );
});

test('a duplicate product is 422 on its product_id, and so are more than 10 000 rows on products (Decisions, 9 (34))', async () => {
  const company_id = shop.companyId;
  const twice = { company_id, products: [row(1), row(2), row(1)] };
  expect(await errorsOf(`POST ${BATCHES}`, shop.director, twice)).toEqual({
    'products.2.product_id': DUPLICATE,
  });
  const many = { company_id, products: Array.from({ length: 10_001 }, (_, index) => row(index + 1)) };
  expect(await errorsOf(`POST ${BATCHES}`, shop.director, many)).toEqual({
    products: say('ru', { key: 'validation.max_items', with: { max: 10_000 } }),
  });
});

test('the sale price is final; what was sent of rounding and markup is recorded, and what the price really was (Decisions, 9 (31))', async () => {
  const water = await newGoods(shop, []);
  const sent = { markup_percent: 33.33, price_without_rounding: 6123.45, previous_price: 1 };
  const batch = await repriced([row(water, { sale_price: 6123.4, ...sent })], { rounding_type: '1000' });
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
  expect(await cardOf(water)).toMatchObject({ sale_price: 6123.4 });
  expect(await repriced([row(water, { sale_price: 1, sale_currency: 'usd' })])).toMatchObject({
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
  expect(await repriced([row(water)])).toMatchObject({
    products: [{ previous_price: 1, previous_currency: 'usd', previous_markup_percent: null }],
  });
});

test('a markup counts no more once the price has been changed on the card', async () => {
  const water = await newGoods(shop, []);
  await repriced([row(water, { markup_percent: 10 })]);
  const json = card({ sale_price: 6500 });
  expect((await call(`PUT ${PRODUCTS}/${water}`, { token: shop.director, json })).status).toBe(200);
  expect(await repriced([row(water)])).toMatchObject({
    products: [{ previous_price: 6500, previous_markup_percent: null }],
  });
});

test('a product in an active sale is skipped and told, and the others are repriced', async () => {
  const [water, soda] = [await newGoods(shop, []), await newGoods(shop, [])];
  await putInDraft(soda);
  const batch = await repriced([row(soda), row(water)], { currency_rate: 12_700 });
  expect(batch).toMatchObject({
    products_count: 1,
    skipped_count: 1,
    products: [{ product_id: water }],
    skipped_products: [
      { product_id: soda, reason: 'in_active_sale', text: say('ru', { key: 'repricing.in_active_sale' }) },
    ],
  });
  expect(await cardOf(soda)).toMatchObject({ sale_price: 5000 });
  expect(await cardOf(water)).toMatchObject({ sale_price: 6000 });
  const texts = await Promise.all(
    LOCALES.map(async (locale) => {
      const headers = { 'accept-language': locale };
      return (await call(`GET ${BATCHES}`, { token: shop.director, headers })).body;
    }),
  );
  for (const [index, locale] of LOCALES.entries()) {
    const text = say(locale, { key: 'repricing.in_active_sale' });
    expect(texts[index]).toMatchObject({ data: [{ skipped_products: [{ product_id: soda, text }] }] });
  }
});

test('a minimum price below the latest cost, converted at the batch’s rates, is skipped (Decisions, 9 (33))', async () => {
  const dollars = [{ quantity: 1, cost: 1, currency: 'usd' }] as const;
  const [below, above] = [await newGoods(shop, dollars), await newGoods(shop, dollars)];
  const rows = [
    row(below, { sale_price: 20_000, min_price: 12_999.99 }),
    row(above, { sale_price: 20_000, min_price: 13_000 }),
  ];
  const reason = 'min_price_below_cost';
  const text = say('ru', {
    key: `repricing.${reason}`,
    with: { cost: 13_000, currency: 'uzs' },
  });
  const batch = await repriced(rows, { currency_rate: 13_000 });
  expect(batch.products.map(({ product_id }) => product_id)).toEqual([above]);
  expect(batch).toMatchObject({
    skipped_products: [{ product_id: below, reason, cost: 13_000, cost_currency: 'uzs', text }],
  });
  // By the rate there was, both would have passed.
  expect(await repriced(rows, { currency_rate: 12_650 })).toMatchObject({ products_count: 2 });
});

test('the minimum price that the card has counts if the row gives none; without one nothing is below cost', async () => {
  const [low, none] = [
    await newGoods(shop, [{ quantity: 1, cost: 3000 }], { min_price: 2000 }),
    await newGoods(shop, [{ quantity: 1, cost: 3000 }]),
  ];
  expect(await repriced([row(low), row(none, { sale_price: 2500 })])).toMatchObject({
    products: [{ product_id: none }],
    skipped_products: [{ product_id: low, reason: 'min_price_below_cost', cost: 3000 }],
  });
  expect(await repriced([row(low, { min_price: 3000 })])).toMatchObject({ products_count: 1 });
});

test('a card whose currency changes keeps its minimum price, converted', async () => {
  const water = await newGoods(shop, [], { min_price: 12_650 });
  const usd = { sale_price: 3, sale_currency: 'usd' };
  expect(await repriced([row(water, usd)])).toMatchObject({ products: [{ min_price: 1 }] });
  expect(await cardOf(water)).toMatchObject({ sale_price: 3, sale_currency: 'usd', min_price: 1 });
});

test('a currency without a rate is 422 on the row, and a cost in one skips the row', async () => {
  const water = await newGoods(shop, [{ quantity: 1, cost: 1, currency: 'rub' }], { min_price: 1000 });
  const soda = await newGoods(shop, []);
  await setRate(shop, 'rub', 0);
  const json = { company_id: shop.companyId, products: [row(soda, { sale_currency: 'rub' })] };
  expect(await errorsOf(`POST ${BATCHES}`, shop.director, json)).toEqual({
    'products.0.sale_currency': say('ru', { key: 'rate.none_of', with: { currency: 'rub' } }),
  });
  expect(await repriced([row(water), row(soda)])).toMatchObject({
    skipped_products: [{ product_id: water, reason: 'cost_without_rate', cost: 1, cost_currency: 'rub' }],
  });
});

test('if no row passes it is 422 on products, and nothing is changed (Decisions, 9 (34))', async () => {
  const water = await newGoods(shop, [{ quantity: 1, cost: 3000 }]);
  const soda = await newGoods(shop, []);
  await putInDraft(soda);
  const json = {
    company_id: shop.companyId,
    currency_rate: 13_000,
    products: [row(water, { min_price: 1 }), row(soda)],
  };
  expect(await errorsOf(`POST ${BATCHES}`, shop.director, json)).toEqual({
    products: say('ru', {
      key: 'repricing.none_left',
      with: { in_sale: 1, below_cost: 1, without_rate: 0 },
    }),
  });
  expect(await rateOf('usd')).toBe(12_650);
  expect(await batches()).toMatchObject({ data: [] });
  expect(await cardOf(water)).toMatchObject({ sale_price: 5000, min_price: null });
});

test('the markup summary is of the repriced rows that had one, or null (Decisions, 9 (35))', async () => {
  const [water, soda, cola] = [await newGoods(shop, []), await newGoods(shop, []), await newGoods(shop, [])];
  await putInDraft(cola);
  const rows = [row(water, { markup_percent: 10 }), row(soda), row(cola, { markup_percent: 90 })];
  expect(await repriced(rows)).toMatchObject({
    products_count: 2,
    markup_summary: { min: 10, max: 10, average: 10 },
  });
  expect(await repriced([row(water)])).toMatchObject({ products_count: 1, markup_summary: null });
});

test('the average markup is unweighted, with two decimals (Decisions, 9 (74))', async () => {
  const ids = [await newGoods(shop, []), await newGoods(shop, []), await newGoods(shop, [])];
  const prices = [1, 1_000_000, 5];
  const markups = [10, 20, 20.01];
  const rows = ids.map((id, index) => row(id, { sale_price: prices[index], markup_percent: markups[index] }));
  expect(await repriced(rows)).toMatchObject({ markup_summary: { min: 10, max: 20.01, average: 16.67 } });
});

test('a price changed on the card leaves a batch of type single; another change of it leaves none (Decisions, 9 (32))', async () => {
  const water = await newGoods(shop, [], { barcode: '4780' });
  const edit = (given: object) =>
    call(`PUT ${PRODUCTS}/${water}`, { token: shop.director, json: card({ barcode: '4780', ...given }) });
  expect((await edit({ name: 'Soda' })).status).toBe(200);
  expect(await batches()).toMatchObject({ data: [] });
  expect((await edit({ sale_price: 7000, min_price: 10 })).status).toBe(200);
  expect((await edit({ sale_price: 7000, sale_currency: 'rub' })).status).toBe(200);
  const own = { company_id: shop.companyId, creator_id: shop.directorId };
  const single = { ...own, type: 'single', products_count: 1, skipped_products: [], markup_summary: null };
  expect(await batches('with[]=products.product')).toMatchObject({
    data: [
      {
        ...single,
        products: [
          { previous_price: 7000, previous_currency: 'uzs', sale_price: 7000, sale_currency: 'rub' },
        ],
      },
      {
        ...single,
        rounding_type: null,
        currency_rate: null,
        products: [
          { ...own, product_id: water, previous_price: 5000, sale_price: 7000, min_price: 10, product: {} },
        ],
      },
    ],
  });
});

test('a completed receipt that changes prices leaves one batch of type single (Decisions, 9 (32))', async () => {
  const ids = [await newGoods(shop, []), await newGoods(shop, []), await newGoods(shop, [])];
  const receive = async (prices: readonly (number | null)[]) => {
    const products = ids.map((product_id, index) => ({
      product_id,
      quantity: 1,
      cost: 1,
      sale_price: prices[index],
    }));
    const json = { stock_id: shop.stockId, currency: 'uzs', products };
    const id = await make('/company/trade/purchase', shop.director, json);
    const done = await call(`PATCH /company/trade/purchase/${id}/complete`, { token: shop.director });
    expect(done.status).toBe(200);
  };
  await receive([null, 5000, null]);
  expect(await batches()).toMatchObject({ data: [] });
  await receive([6000, 5000, 7000]);
  expect(await batches('with[]=products.product')).toMatchObject({
    data: [
      {
        type: 'single',
        products_count: 2,
        products: [
          { product_id: ids[0], previous_price: 5000, sale_price: 6000 },
          { product_id: ids[2], previous_price: 5000, sale_price: 7000 },
        ],
      },
    ],
  });
});

test('the same batch sent again with its key is made once and answered alike', async () => {
  const water = await newGoods(shop, []);
  const headers = { 'idempotency-key': randomUUID() };
  const first = await reprice([row(water)], {}, headers);
  const second = await reprice([row(water)], {}, headers);
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect((await reprice([row(water, { sale_price: 1 })], {}, headers)).status).toBe(409);
  expect(await idsOf(BATCHES, shop.director)).toEqual([1]);
});

test('two batches of one product at once both count: the second tells the price of the first', async () => {
  const water = await newGoods(shop, []);
  const [one, two] = await Promise.all([
    repriced([row(water, { sale_price: 6000 })]),
    repriced([row(water, { sale_price: 7000 })]),
  ]);
  const lines = [...one.products, ...two.products];
  const previous = lines.map(({ previous_price }) => previous_price).toSorted();
  const last = lines.find(({ previous_price }) => previous_price !== 5000);
  expect(previous[0]).toBe(5000);
  expect([6000, 7000]).toContain(previous[1]);
  expect(await cardOf(water)).toMatchObject({ sale_price: last?.['sale_price'] });
});

test('a batch and an edit of the card at the same moment are both kept', async () => {
  const water = await newGoods(shop, [], { barcode: '4780' });
  const json = card({ barcode: '4780', name: 'Soda', sale_price: 5500 });
  const [batch, edited] = await Promise.all([
    reprice([row(water, { min_price: 10 })]),
    call(`PUT ${PRODUCTS}/${water}`, { token: shop.director, json }),
  ]);
  expect([batch.status, edited.status]).toEqual([200, 200]);
  expect(await cardOf(water)).toMatchObject({ name: 'Soda' });
  const Told = z.object({
    data: z.array(
      z.object({ products: z.array(z.object({ previous_price: z.number(), sale_price: z.number() })) }),
    ),
  });
  const history = Told.parse(await batches('with[]=products.product')).data.flatMap(
    ({ products }) => products,
  );
  const [first, second] = history.toSorted((a) => (a.previous_price === 5000 ? -1 : 1));
  expect(first?.previous_price).toBe(5000);
  expect(second?.previous_price).toBe(first?.sale_price);
  expect(await cardOf(water)).toMatchObject({ sale_price: second?.sale_price });
});
