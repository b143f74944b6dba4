import { expect, test } from 'vitest';
import { DeskMoney, deskMoneyKey } from '#lib/cash/desk/money.ts';
import { edit as editClient } from '#lib/clients/client.ts';
import { ClientInput } from '#lib/clients/client-input.ts';
import { update } from '#lib/table/change/write.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { translate } from '#lib/values/message.ts';
import { dayOf, daysAfter, renderInstant } from '#lib/values/time.ts';
import { addClient } from '#tests/support/clients.ts';
import { directorAs, newEmployee, newFamilyWithBranch } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { newProgramKey, setKeyEnd } from '#tests/support/program-keys.ts';
import { errorsOf, idsOf, make, NOT_FOUND } from '#tests/support/records.ts';
import { enableShifts, tryToOpen } from '#tests/support/shifts.ts';
import { newGoods, newShop, type Shop, saleBody } from '#tests/support/shop.ts';
import { insertUser } from '#tests/support/users.ts';

const SELL = 'POST /company/trade/sale';
const WATER = [{ quantity: 100, cost: 3000 }];
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Builds the body of a sale of one piece for cash, sold at the given age. */
function offline(shop: Shop, product_id: number, ago: number, given: object = {}) {
  return saleBody(shop, {
    sold_at: renderInstant(Date.now() - ago),
    products: [{ product_id, sold_quantity: 1, price: 5000 }],
    transactions: [{ payment_type: 'cash', amount: 5000 }],
    ...given,
  });
}

const send = (shop: Shop, json: object, token = shop.director) => call(SELL, { token, json });

test('a late sale keeps when it was sold; any other was sold when it was made (Part 4, 4.4 (2))', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const json = offline(shop, id, 3 * DAY_MS);
  expect(await send(shop, json)).toMatchObject({
    status: 200,
    body: { sold_at: Object(json).sold_at, created_at: expect.stringContaining(dayOf(Date.now())) },
  });
  const { body } = await send(shop, { ...json, sold_at: null });
  expect(Object(body).sold_at).toBe(Object(body).created_at);
});

test('31 days ago and five minutes ahead are the limits of when it was sold', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const wrong = { sold_at: translate('ru', { key: 'sale.sold_at' }) };
  expect((await send(shop, offline(shop, id, 31 * DAY_MS - MINUTE_MS))).status).toBe(200);
  expect(await errorsOf(SELL, shop.director, offline(shop, id, 31 * DAY_MS + MINUTE_MS))).toEqual(wrong);
  expect((await send(shop, offline(shop, id, -4 * MINUTE_MS))).status).toBe(200);
  expect(await errorsOf(SELL, shop.director, offline(shop, id, -6 * MINUTE_MS))).toEqual(wrong);
  const malformed = offline(shop, id, 0, { sold_at: '2026-02-30 10:00:00' });
  expect(Object.keys(await errorsOf(SELL, shop.director, malformed))).toEqual(['sold_at']);
});

test('sales are found by the day on which they were sold, across pages and with other filters', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  for (const days of [0, 3, 1, 3, 0, 2]) await send(shop, offline(shop, id, days * DAY_MS));
  const today = dayOf(Date.now());
  const on = (from: number, to: number) =>
    `filter[sold_at][0]=${daysAfter(today, -from)}&filter[sold_at][1]=${daysAfter(today, -to)}`;
  const found = (query: string) => idsOf('/company/trade/sale', shop.director, query);
  expect(await found(on(3, 3))).toEqual([2, 4]);
  expect(await found(on(3, 1))).toEqual([2, 3, 4, 6]);
  expect(await found(on(0, 0))).toEqual([1, 5]);
  expect(await found(`filter[sold_at][1]=${daysAfter(today, -2)}`)).toEqual([2, 4, 6]);
  expect(await found(`${on(3, 3)}&filter[cashbox_id]=${shop.cashboxId}`)).toEqual([2, 4]);
  expect(await found(`${on(3, 3)}&filter[created_at][0]=${today}`)).toEqual([2, 4]);
  expect(await found(`${on(3, 3)}&filter[created_at][1]=${daysAfter(today, -1)}`)).toEqual([]);
});

test('its due date is judged by the day on which it was sold', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const client_id = await addClient(shop);
  const owed = { client_id, transactions: [{ payment_type: 'debt', amount: 5000 }] };
  const due = (days: number) => ({ ...owed, due_date: daysAfter(dayOf(Date.now()), -days) });
  expect((await send(shop, offline(shop, id, 5 * DAY_MS, due(5)))).status).toBe(200);
  const tooEarly = await errorsOf(SELL, shop.director, offline(shop, id, 5 * DAY_MS, due(6)));
  expect(Object.keys(tooEarly)).toEqual(['due_date']);
});

test('a late sale may name who sold it, if the caller has the right to say so', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const { companyId, cashboxId, stockId } = shop;
  const place = { company_id: companyId, family_id: companyId };
  const director = await insertUser({ type: 'director', ...place });
  expect(await send(shop, offline(shop, id, DAY_MS, { creator_id: director.id }))).toMatchObject({
    status: 200,
    body: { creator_id: director.id },
  });
  const at = { cashbox_ids: [cashboxId], stock_ids: [stockId] };
  const cashier = await newEmployee(shop, ['company.trade.sale.store'], at);
  const teller = await newEmployee(shop, ['company.trade.sale.store', 'company.trade.sale.creator'], at);
  const named = offline(shop, id, MINUTE_MS, { creator_id: director.id });
  expect(await errorsOf(SELL, cashier, named)).toEqual({
    creator_id: translate('ru', { key: 'sale.creator_forbidden' }),
  });
  expect((await send(shop, named, teller)).status).toBe(200);
  expect(await errorsOf(SELL, shop.director, { ...named, sold_at: null })).toEqual({
    creator_id: translate('ru', { key: 'sale.creator_not_late' }),
  });
});

test('who is named must be of the family, be there, may sell, and have the desk open', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const { companyId, cashboxId } = shop;
  const place = { company_id: companyId, family_id: companyId };
  const stranger = await newShop();
  const others = [
    stranger.directorId,
    (await insertUser({ type: 'director', ...place, is_deleted: true })).id,
    (await insertUser({ type: 'employee', ...place, cashbox_ids: [cashboxId] })).id,
    (await insertUser({ type: 'employee', ...place, cashbox_ids: [] })).id,
    999_999_999,
  ];
  for (const creator_id of others) {
    const json = offline(shop, id, DAY_MS, { creator_id });
    expect(await errorsOf(SELL, shop.director, json)).toEqual({ creator_id: NOT_FOUND });
  }
  const own = offline(shop, id, DAY_MS, { creator_id: shop.directorId });
  expect(await send(shop, own)).toMatchObject({ status: 200, body: { creator_id: shop.directorId } });
});

test('a key whose `expires_at` has passed is no seller, until it is prolonged (Contract 9.106)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const open = { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] };
  const till = await newProgramKey(shop, ['company.trade.sale.*'], open);
  const named = () => offline(shop, id, MINUTE_MS, { creator_id: till.id });
  expect(await send(shop, named())).toMatchObject({ status: 200, body: { creator_id: till.id } });
  await setKeyEnd(shop, till.id, Date.now() - MINUTE_MS);
  expect(await errorsOf(SELL, shop.director, named())).toEqual({ creator_id: NOT_FOUND });
  await setKeyEnd(shop, till.id, Date.now() + DAY_MS);
  expect(await send(shop, named())).toMatchObject({ status: 200 });
});

/** Creates a cashier of the shop with these rights and that of selling. */
function newTill(shop: Shop, ...rights: readonly string[]): Promise<string> {
  const places = { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] };
  return newEmployee(shop, ['company.trade.sale.store', ...rights], places);
}

test('more than 10 minutes late takes the right company.trade.sale.late (Part 4, 4.4, 2)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const [plain, trusted] = [await newTill(shop), await newTill(shop, 'company.trade.sale.late')];
  const forbidden = { sold_at: translate('ru', { key: 'sale.late_forbidden' }) };
  expect((await send(shop, offline(shop, id, 9 * MINUTE_MS), plain)).status).toBe(200);
  expect(await errorsOf(SELL, plain, offline(shop, id, 11 * MINUTE_MS))).toEqual(forbidden);
  expect((await send(shop, offline(shop, id, DAY_MS), trusted)).status).toBe(200);
});

test('late_sale_days and books_closed_on bound the day of a sale, by its first arrival (Part 4, 4.4, 2)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const today = dayOf(Date.now());
  const set = (sale_settings: object) =>
    call('PUT /company/company/settings', { token: shop.director, json: { sale_settings } });
  const on = (days: number) => ({ sold_at: `${daysAfter(today, -days)} 00:00:01` });
  const sell = (days: number) => offline(shop, id, 0, on(days));
  expect(await set({ late_sale_days: 1 })).toMatchObject({
    status: 200,
    body: { sale_settings: { late_sale_days: 1, books_closed_on: null } },
  });
  expect((await send(shop, sell(1))).status).toBe(200);
  expect(await errorsOf(SELL, shop.director, sell(2))).toEqual({
    sold_at: translate('ru', { key: 'sale.sold_at' }),
  });
  await set({ late_sale_days: 0 });
  expect([(await send(shop, sell(0))).status, (await send(shop, sell(1))).status]).toEqual([200, 422]);
  await set({ late_sale_days: 31, books_closed_on: daysAfter(today, -2) });
  const closed = { sold_at: translate('ru', { key: 'sale.books_closed' }) };
  expect(await errorsOf(SELL, shop.director, sell(2))).toEqual(closed);
  expect((await send(shop, sell(1))).status).toBe(200);
});

test('books are closed on a day that is over; a branch shows its main company’s settings and sets none (Contract 9.97)', async () => {
  const { director, branchDirector } = await newFamilyWithBranch();
  const put = (token: string, sale_settings: object) =>
    errorsOf('PUT /company/company/settings', token, { sale_settings });
  const today = dayOf(Date.now());
  const path = 'sale_settings.books_closed_on';
  expect(await put(director, { books_closed_on: today })).toEqual({
    [path]: translate('ru', { key: 'company.books_not_over' }),
  });
  expect(Object.keys(await put(director, { late_sale_days: 32 }))).toEqual(['sale_settings.late_sale_days']);
  expect(Object.keys(await put(branchDirector, { late_sale_days: 3 }))).toEqual(['sale_settings']);
  const yesterday = daysAfter(today, -1);
  const json = { sale_settings: { books_closed_on: yesterday } };
  await call('PUT /company/company/settings', { token: director, json });
  for (const given of [{}, { sale_settings: { late_sale_days: 5 } }]) {
    await call('PUT /company/company/settings', { token: director, json: given });
  }
  const shown = await call('GET /company/company/settings', { token: branchDirector });
  expect(shown.body).toMatchObject({ sale_settings: { late_sale_days: 5, books_closed_on: yesterday } });
});

test('filter[is_late] finds what was made more than 10 minutes after it was sold (Part 4, 4.4, 2)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  for (const ago of [DAY_MS, 0, 11 * MINUTE_MS, 9 * MINUTE_MS]) await send(shop, offline(shop, id, ago));
  await send(shop, offline(shop, id, 0, { sold_at: null }));
  const found = (is: boolean) => idsOf('/company/trade/sale', shop.director, `filter[is_late]=${is}`);
  expect([await found(true), await found(false)]).toEqual([
    [1, 3],
    [2, 4, 5],
  ]);
});

test('a shift that blocks takes what was sold up to its end, after it, too (trade.md, F2)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  await enableShifts(shop);
  await tryToOpen(shop);
  const closes_at = Date.now() - 60 * MINUTE_MS;
  const key = deskMoneyKey(familyTenant(shop.companyId), shop.cashboxId);
  const { shift } = DeskMoney.parse(await getItem(key));
  await transact([update(key, { set: { shift: { ...shift, overdue_action: 'block', closes_at } } })]);
  expect((await send(shop, offline(shop, id, 61 * MINUTE_MS))).status).toBe(200);
  expect(await send(shop, offline(shop, id, 59 * MINUTE_MS))).toMatchObject({
    status: 400,
    body: { code: 'shift.overdue' },
  });
  expect((await send(shop, offline(shop, id, 0, { sold_at: null }))).status).toBe(400);
});

test('a late sale on debt goes by the limit of its moment or of now, whichever is higher (Part 4, 4.6, 2)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER, {}, Date.now() - 40 * DAY_MS);
  const person = { full_name: 'Aziz', main_phone: '998901112233' };
  const client_id = await make('/company/client/client', shop.director, {
    ...person,
    debt_limits: { uzs: 12_000 },
  });
  const director = directorAs(shop.directorId, shop.companyId);
  const limitWas = (uzs: number | null, ago: number) => {
    const input = ClientInput.parse({ ...person, debt_limits: { uzs } });
    return editClient(director, client_id, input, Date.now() - ago);
  };
  await limitWas(5000, 3 * DAY_MS);
  await limitWas(1000, DAY_MS);
  const transactions = [{ payment_type: 'debt', amount: 5000 }];
  const owe = (ago: number) =>
    send(shop, offline(shop, id, ago, { client_id, transactions, due_date: '2099-01-01' }));
  expect((await owe(2 * DAY_MS)).status).toBe(200);
  expect((await owe(4 * DAY_MS)).status).toBe(200);
  expect(await owe(2 * DAY_MS)).toMatchObject({
    status: 422,
    body: { codes: { 'transactions.0.amount': ['sale.debt_limit'] } },
  });
  expect((await owe(60 * MINUTE_MS)).status).toBe(422);
  await limitWas(null, 0);
  expect((await owe(60 * MINUTE_MS)).status).toBe(200);
});
