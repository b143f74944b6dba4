import { expect, test } from 'vitest';
import { say } from '#lib/values/say.ts';
import { dayOf, daysAfter, renderInstant } from '#lib/values/time.ts';
import { addClient } from '#tests/kit/clients.ts';
import { newEmployee } from '#tests/kit/family.ts';
import { call } from '#tests/kit/http.ts';
import { newProgramKey, setKeyEnd } from '#tests/kit/program-keys.ts';
import { errorsOf, idsOf, NOT_FOUND } from '#tests/kit/records.ts';
import { cheque, newGoods, newShop, type Shop } from '#tests/kit/shop.ts';
import { insertUser } from '#tests/kit/users.ts';

const SELL = 'POST /company/trade/sale';
const WATER = [{ quantity: 100, cost: 3000 }];
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Makes the body of a sale of one piece for cash that was sold so long ago. */
function late(shop: Shop, product_id: number, ago: number, given: object = {}) {
  return cheque(shop, {
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
  const json = late(shop, id, 3 * DAY_MS);
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
  const wrong = { sold_at: say('ru', { key: 'sale.sold_at' }) };
  expect((await send(shop, late(shop, id, 31 * DAY_MS - MINUTE_MS))).status).toBe(200);
  expect(await errorsOf(SELL, shop.director, late(shop, id, 31 * DAY_MS + MINUTE_MS))).toEqual(wrong);
  expect((await send(shop, late(shop, id, -4 * MINUTE_MS))).status).toBe(200);
  expect(await errorsOf(SELL, shop.director, late(shop, id, -6 * MINUTE_MS))).toEqual(wrong);
  const malformed = late(shop, id, 0, { sold_at: '2026-02-30 10:00:00' });
  expect(Object.keys(await errorsOf(SELL, shop.director, malformed))).toEqual(['sold_at']);
});

test('sales are found by the day on which they were sold, across pages and with other filters', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  for (const days of [0, 3, 1, 3, 0, 2]) await send(shop, late(shop, id, days * DAY_MS));
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
  expect((await send(shop, late(shop, id, 5 * DAY_MS, due(5)))).status).toBe(200);
  const tooEarly = await errorsOf(SELL, shop.director, late(shop, id, 5 * DAY_MS, due(6)));
  expect(Object.keys(tooEarly)).toEqual(['due_date']);
});

test('a late sale may name who sold it, if the caller has the right to say so', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const { companyId, cashboxId, stockId } = shop;
  const place = { company_id: companyId, family_id: companyId };
  const director = await insertUser({ type: 'director', ...place });
  expect(await send(shop, late(shop, id, DAY_MS, { creator_id: director.id }))).toMatchObject({
    status: 200,
    body: { creator_id: director.id },
  });
  const at = { cashbox_ids: [cashboxId], stock_ids: [stockId] };
  const cashier = await newEmployee(shop, ['company.trade.sale.store'], at);
  const teller = await newEmployee(shop, ['company.trade.sale.store', 'company.trade.sale.creator'], at);
  const named = late(shop, id, DAY_MS, { creator_id: director.id });
  expect(await errorsOf(SELL, cashier, named)).toEqual({
    creator_id: say('ru', { key: 'sale.creator_forbidden' }),
  });
  expect((await send(shop, named, teller)).status).toBe(200);
  expect(await errorsOf(SELL, shop.director, { ...named, sold_at: null })).toEqual({
    creator_id: say('ru', { key: 'sale.creator_not_late' }),
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
    const json = late(shop, id, DAY_MS, { creator_id });
    expect(await errorsOf(SELL, shop.director, json)).toEqual({ creator_id: NOT_FOUND });
  }
  const own = late(shop, id, DAY_MS, { creator_id: shop.directorId });
  expect(await send(shop, own)).toMatchObject({ status: 200, body: { creator_id: shop.directorId } });
});

test('a key whose `expires_at` has passed is no seller, until it is prolonged (Decisions, 9 (106))', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const open = { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] };
  const till = await newProgramKey(shop, ['company.trade.sale.*'], open);
  const named = () => late(shop, id, MINUTE_MS, { creator_id: till.id });
  expect(await send(shop, named())).toMatchObject({ status: 200, body: { creator_id: till.id } });
  await setKeyEnd(shop, till.id, Date.now() - MINUTE_MS);
  expect(await errorsOf(SELL, shop.director, named())).toEqual({ creator_id: NOT_FOUND });
  await setKeyEnd(shop, till.id, Date.now() + DAY_MS);
  expect(await send(shop, named())).toMatchObject({ status: 200 });
});
