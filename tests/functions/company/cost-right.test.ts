import { expect, test } from 'vitest';
import * as z from 'zod';
import { COST_RIGHT } from '#lib/values/cost.ts';
import { costsIn, newClerk } from '#tests/support/costs.ts';
import { newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { newGoods, newShop, type Shop, saleBody } from '#tests/support/shop.ts';
import { PURCHASES, receiveGoods } from '#tests/support/stock.ts';
import { insertUser } from '#tests/support/users.ts';

const ROLES = '/company/user/role';
const SALES = '/company/trade/sale';

const role = { type: 'employee', name: 'Кассир', new_routes: ['company.trade.sale.*', 'company.product.*'] };
const withCosts = { ...role, new_routes: [...role.new_routes, COST_RIGHT] };

/** Creates an employee of a shop's places with a role made by the API. */
async function newHolder(shop: Shop, role_id: number): Promise<string> {
  const { companyId, cashboxId, stockId } = shop;
  const place = { company_id: companyId, family_id: companyId, are_all_companies_available: false };
  const open = { cashbox_ids: [cashboxId], stock_ids: [stockId] };
  return (await insertUser({ type: 'employee', role_id, ...place, ...open })).token;
}

function clerkOf(shop: Shop): Promise<string> {
  return newClerk(shop, { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] });
}

/** Receives goods of a product. */
function receive({ director, stockId: stock_id }: Shop, product_id: number): Promise<number> {
  return receiveGoods(director, { stock_id, products: [{ product_id, quantity: 10, cost: 3000 }] });
}

async function rightsOf(token: string): Promise<string[]> {
  const { body } = await call('GET /common/user/profile', { token });
  return z.object({ rights: z.array(z.string()) }).parse(body).rights;
}

test('roles that existed before the right have it, later ones if they are given it (Part 5, 5A.13)', async () => {
  const family = await newFamily();
  const older = await newEmployee(family, ['company.trade.sale.index']);
  expect(await rightsOf(older)).toEqual([COST_RIGHT, 'company.trade.sale.index']);
  const id = await make(ROLES, family.director, role);
  const read = await call(`GET ${ROLES}/${id}`, { token: family.director });
  expect(read.body).toMatchObject({ new_routes: role.new_routes });
  const given = await call(`PUT ${ROLES}/${id}`, { token: family.director, json: withCosts });
  expect(given.body).toMatchObject({ new_routes: withCosts.new_routes });
  const taken = await call(`PUT ${ROLES}/${id}`, { token: family.director, json: role });
  expect(taken.body).toMatchObject({ new_routes: role.new_routes });
});

test('an older role shows the right, and loses it when it is edited without it (Part 5, 5A.13)', async () => {
  const family = await newFamily();
  await newEmployee(family, ['company.trade.sale.index']);
  const { body } = await call(`GET ${ROLES}?sort[]=-id`, { token: family.director });
  const Roles = z.object({ data: z.array(z.looseObject({ id: z.int(), new_routes: z.array(z.string()) })) });
  const [older] = Roles.parse(body).data;
  expect(older?.new_routes).toEqual(['company.trade.sale.index', COST_RIGHT]);
  const json = { ...role, new_routes: ['company.trade.sale.index'] };
  const edited = await call(`PUT ${ROLES}/${older?.id}`, { token: family.director, json });
  expect(edited.body).toMatchObject({ new_routes: json.new_routes });
  const again = await call(`GET ${ROLES}/${older?.id}`, { token: family.director });
  expect(again.body).toMatchObject({ new_routes: json.new_routes });
});

test('the right is listed among those of roles, as no operation’s own (Part 5, 5A.13)', async () => {
  const { director: token } = await newFamily();
  const { body } = await call(`GET ${ROLES}/rights`, { token });
  const Listed = z.object({ data: z.array(z.looseObject({ key: z.string() })) });
  const listed = Listed.parse(body).data.find(({ key }) => key === COST_RIGHT);
  expect(listed).toMatchObject({ group: 'company.cost', group_label: { ru: 'Себестоимость' } });
  expect(listed).toMatchObject({ is_operation: false, label: { ru: 'Просмотр' } });
});

test('reports of costs are 403 without the right, which the answer names (Part 5, 5A.13)', async () => {
  const shop = await newShop();
  const token = await clerkOf(shop);
  for (const report of ['sales', 'products', 'stock']) {
    const { status, body } = await call(`GET /company/report/${report}`, { token });
    expect({ status, body }).toMatchObject({ status: 403, body: { right: COST_RIGHT } });
  }
});

test('given or taken, the right ends cursors (Part 5, 5A.13)', async () => {
  const shop = await newShop();
  const role_id = await make(ROLES, shop.director, withCosts);
  const token = await newHolder(shop, role_id);
  const Page = z.object({ cursor: z.string() });
  const begin = async () => {
    const { body } = await call('GET /company/sync?types[]=trade.sale', { token });
    return Page.parse(body).cursor;
  };
  const goOn = (cursor: string) => call(`GET /company/sync?cursor=${encodeURIComponent(cursor)}`, { token });
  const edit = (json: object) => call(`PUT ${ROLES}/${role_id}`, { token: shop.director, json });
  for (const json of [role, withCosts]) {
    const cursor = await begin();
    expect((await goOn(cursor)).status).toBe(200);
    expect((await edit(json)).status).toBe(200);
    const ended = await goOn(cursor);
    expect(ended).toMatchObject({ status: 410, body: { code: 'sync.reach_changed' } });
  }
});

test('a saved answer shows no costs once the right is taken (Part 5, 5A.13)', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, [{ quantity: 10, cost: 3000 }], { sale_price: 5000 });
  const role_id = await make(ROLES, shop.director, withCosts);
  const token = await newHolder(shop, role_id);
  const products = [{ product_id: product, sold_quantity: 1 }];
  const json = saleBody(shop, { products, transactions: [{ payment_type: 'cash', amount: 5000 }] });
  const sell = () => call(`POST ${SALES}`, { token, json, headers: { 'idempotency-key': 'once' } });
  const first = await sell();
  expect(first).toMatchObject({ status: 200, body: { purchased_amount: 3000 } });
  await call(`PUT ${ROLES}/${role_id}`, { token: shop.director, json: role });
  const again = await sell();
  const { purchased_amount: _, ...rest } = z.looseObject({}).parse(first.body);
  expect(again.status).toBe(200);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body).toEqual({ ...rest, purchased_amount: null });
});

test('what a caller without the right writes comes back without costs, in previews too (Part 5, 5A.13)', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, [{ quantity: 10, cost: 3000 }], { sale_price: 5000 });
  const token = await clerkOf(shop);
  const products = [{ product_id: product, sold_quantity: 1 }];
  const json = saleBody(shop, { products, transactions: [{ payment_type: 'cash', amount: 5000 }] });
  const preview = await call(`POST ${SALES}/preview`, { token, json });
  expect(preview).toMatchObject({ status: 200, body: { purchased_amount: null, sold_amount: 5000 } });
  const sale = await call(`POST ${SALES}`, { token, json });
  expect(sale).toMatchObject({ status: 200, body: { purchased_amount: null, sold_amount: 5000 } });
  const hour = { name: { ru: 'Час', uz: 'Соат', oz: 'Soat' } };
  const service_unit_id = await make('/company/product/service-unit', shop.director, hour);
  const service = { name: 'Yetkazish', price: 100, cost: 40, service_unit_id };
  const made = await call('POST /company/product/service', { token, json: service });
  expect(made).toMatchObject({ status: 200, body: { price: 100, cost: null } });
  const seen = await call(`GET /company/product/service/${made.number('id')}`, { token: shop.director });
  expect(seen.body).toMatchObject({ cost: 40 });
});

const Lines = z.object({ products: z.array(z.looseObject({ id: z.int(), cost: z.number().nullable() })) });

test('a receipt is written without the right, and an edit keeps the cost of a line with its id (Part 5, 5A.13)', async () => {
  const shop = await newShop();
  const [a, b] = [await newGoods(shop, []), await newGoods(shop, [])];
  const token = await clerkOf(shop);
  const line = { product_id: a, quantity: 2, cost: 150.5 };
  const draft = { stock_id: shop.stockId, currency: 'uzs', products: [line] };
  const made = await call(`POST ${PURCHASES}`, { token, json: draft });
  expect(made).toMatchObject({ status: 200, body: { amount: null } });
  const path = `${PURCHASES}/${made.number('id')}`;
  const linesAs = async (caller: string) => Lines.parse((await call(`GET ${path}`, { token: caller })).body);
  const { products: read } = await linesAs(token);
  expect(read).toMatchObject([{ cost: null, amount: null }]);
  const kept = { id: read[0]?.id, product_id: a, quantity: 3 };
  const edit = (products: object[], given: object = {}) =>
    call(`PUT ${path}`, { token, json: { ...draft, ...given, products } });
  expect((await edit([kept, { product_id: b, quantity: 1, cost: 7 }])).status).toBe(200);
  const { products } = await linesAs(shop.director);
  expect(products).toMatchObject([
    { cost: 150.5, amount: 451.5 },
    { cost: 7, amount: 7 },
  ]);
  const [first] = products;
  const needed = { 'products.0.cost': ['validation.required'] };
  for (const [lines, given] of [
    [[{ product_id: a, quantity: 3 }], {}],
    [[{ id: first?.id, product_id: b, quantity: 3 }], {}],
    [[{ id: 999_999, product_id: a, quantity: 3 }], {}],
    [[{ id: first?.id, product_id: a, quantity: 3 }], { currency: 'usd' }],
  ] as const) {
    expect(await edit([...lines], given)).toMatchObject({ status: 422, body: { codes: needed } });
  }
  const several = await edit([{ product_id: a, quantity: 3 }], { stock_id: 999_999 });
  expect(several.body).toMatchObject({ codes: { ...needed, stock_id: ['validation.not_found'] } });
  const created = await call(`POST ${PURCHASES}`, { token, json: { ...draft, products: [kept] } });
  expect(created).toMatchObject({ status: 422 });
});

test('columns of costs in workbooks are empty without the right (Part 5, 5A.13)', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, [{ quantity: 10, cost: 3000 }], { sale_price: 5000 });
  const products = [{ product_id: product, sold_quantity: 1 }];
  const json = saleBody(shop, { products, transactions: [{ payment_type: 'cash', amount: 5000 }] });
  await call(`POST ${SALES}`, { token: shop.director, json });
  await receive(shop, product);
  const token = await clerkOf(shop);
  for (const [path, heading] of [
    [SALES, 'Себестоимость'],
    [PURCHASES, 'Сумма'],
  ] as const) {
    const cellAs = async (caller: string) => {
      const { rows } = await downloadSheet(`${path}?format=excel`, caller);
      const [headings = [], row = []] = rows;
      return row[headings.indexOf(heading)] ?? null;
    };
    expect(await cellAs(shop.director)).toBeGreaterThan(0);
    expect({ path, cell: await cellAs(token) }).toEqual({ path, cell: null });
  }
});

test('a key has the rights of its role: its copies show no costs without this one (Part 5, 5A.13)', async () => {
  const shop = await newShop();
  await receive(shop, await newGoods(shop, []));
  const token = await clerkOf(shop);
  const types = ['stock.product', 'trade.purchase'].map((type) => `types[]=${type}`).join('&');
  const { status, body } = await call(`GET /company/sync?${types}`, { token });
  expect(status).toBe(200);
  expect(z.object({ data: z.array(z.unknown()).min(2) }).parse(body).data.length).toBeGreaterThan(1);
  expect(costsIn(body)).toEqual([]);
  const seen = await call(`GET /company/sync?${types}`, { token: shop.director });
  expect(costsIn(seen.body).length).toBeGreaterThan(0);
});
