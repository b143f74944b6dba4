import { expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { translate } from '#lib/values/message.ts';
import { addClient, addToClient } from '#tests/support/clients.ts';
import { lend, newWater, payDebt, refundDebt } from '#tests/support/debts.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { offlineSaleBody, REFUSED, readRefused, sendOfflineSales } from '#tests/support/offline.ts';
import { errorsOf, make } from '#tests/support/records.ts';
import { linesOfSale } from '#tests/support/returns.ts';
import { newShop, type Shop, saleBody } from '#tests/support/shop.ts';

const SELL = 'POST /company/trade/sale';
const CLIENTS = '/company/client/client';
const NONE = { uzs: null, usd: null, eur: null, rub: null };
const ON_DEBT = 'transactions.0.amount';
const FORM = { full_name: 'Aziz', main_phone: '998901112233' };

/** Creates a shop with water at 1 a piece, and a client with a debt limit in sums. */
async function newScene(uzs: number | null) {
  const shop = await newShop();
  const [client, water] = await Promise.all([addClient(shop), newWater(shop)]);
  if (uzs !== null) await limit(shop, client, { uzs });
  return { shop, client, water };
}

type Scene = Awaited<ReturnType<typeof newScene>>;

function limit({ director: token }: Pick<Shop, 'director'>, client: number, debt_limits: object) {
  return call(`PUT ${CLIENTS}/${client}`, { token, json: { ...FORM, debt_limits } });
}

async function card({ director: token }: Shop, client: number) {
  return (await call(`GET ${CLIENTS}/${client}`, { token })).body;
}

/** Builds the body of a sale of water on debt. */
function borrow({ shop, client, water }: Scene, amount: number, given: object = {}): object {
  return saleBody(shop, {
    ...{ client_id: client, due_date: '2099-01-31' },
    products: [{ product_id: water, sold_quantity: amount }],
    transactions: [{ payment_type: 'debt', amount }],
    ...given,
  });
}

function tooMuch(left: number): string {
  return translate('ru', { key: 'sale.debt_limit', with: { left } });
}

/** Creates an employee at the shop's desk. */
function atDesk(shop: Shop, rights: string[]): Promise<string> {
  return newEmployee(shop, rights, { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] });
}

test('a limit is an amount or null, none unless it is set, and stays as it was if a PUT leaves it out, whole or in part', async () => {
  const { shop, client } = await newScene(null);
  expect(await card(shop, client)).toMatchObject({ debt_limits: NONE, debt_left: NONE });
  await limit(shop, client, { uzs: 100.5, usd: 0 });
  const limited = { ...NONE, uzs: 100.5, usd: 0 };
  expect(await card(shop, client)).toMatchObject({ debt_limits: limited, debt_left: limited });
  await call(`PUT ${CLIENTS}/${client}`, { token: shop.director, json: FORM });
  await limit(shop, client, { eur: 7 });
  expect(await card(shop, client)).toMatchObject({ debt_limits: { ...limited, eur: 7 } });
  await limit(shop, client, { uzs: null });
  expect(await card(shop, client)).toMatchObject({ debt_left: { ...NONE, usd: 0, eur: 7 } });
  const json = { ...FORM, debt_limits: { uzs: -1, usd: 'x', eur: 0.001 } };
  expect(Object.keys(await errorsOf(`PUT ${CLIENTS}/${client}`, shop.director, json))).toEqual([
    'debt_limits.uzs',
    'debt_limits.usd',
    'debt_limits.eur',
  ]);
});

test('a new client may have limits from the start', async () => {
  const { shop, water } = await newScene(null);
  const json = { ...FORM, main_phone: '998901112299', debt_limits: { uzs: 3 } };
  const client = await make(CLIENTS, shop.director, json);
  const scene = { shop, client, water };
  expect(await errorsOf(SELL, shop.director, borrow(scene, 4))).toEqual({ [ON_DEBT]: tooMuch(3) });
  expect((await call(SELL, { token: shop.director, json: borrow(scene, 3) })).status).toBe(200);
});

test('changing limits needs the right: 422 on debt_limits without it', async () => {
  const { shop, client } = await newScene(5);
  const clerk = await newEmployee(shop, [`company.client.client.update`, 'company.client.client.store']);
  const forbidden = { debt_limits: translate('ru', { key: 'client.limits_forbidden' }) };
  const set = (debt_limits: object) => ({ ...FORM, debt_limits });
  expect(await errorsOf(`PUT ${CLIENTS}/${client}`, clerk, set({ uzs: 6 }))).toEqual(forbidden);
  expect(await errorsOf(`PUT ${CLIENTS}/${client}`, clerk, set({ usd: 0 }))).toEqual(forbidden);
  expect((await limit({ director: clerk }, client, { uzs: 5, usd: null })).status).toBe(200);
  const another = { ...set({ uzs: 1 }), main_phone: '998901112234' };
  expect(await errorsOf(`POST ${CLIENTS}`, clerk, another)).toEqual(forbidden);
  const may = await newEmployee(shop, ['company.client.client.update', 'company.client.client.exceed-limit']);
  expect((await limit({ director: may }, client, { uzs: 6 })).status).toBe(200);
  expect(await card(shop, client)).toMatchObject({ debt_limits: { ...NONE, uzs: 6 } });
});

test('a sale that takes the debt above the limit is 422 on the debt payment, with what is left (Part 4, 4.6 (2))', async () => {
  const scene = await newScene(100);
  const { shop, client } = scene;
  expect((await call(SELL, { token: shop.director, json: borrow(scene, 60) })).status).toBe(200);
  expect(await card(shop, client)).toMatchObject({ debt_left: { ...NONE, uzs: 40 } });
  const paidInPart = borrow(scene, 50, {
    transactions: [
      { payment_type: 'cash', amount: 9 },
      { payment_type: 'debt', amount: 41 },
    ],
  });
  expect(await errorsOf(SELL, shop.director, paidInPart)).toEqual({ 'transactions.1.amount': tooMuch(40) });
  expect((await call(SELL, { token: shop.director, json: borrow(scene, 40) })).status).toBe(200);
  expect(await errorsOf(SELL, shop.director, borrow(scene, 1))).toEqual({ [ON_DEBT]: tooMuch(0) });
});

test('0: may not owe; without a limit: as much as they like; each currency by itself', async () => {
  const scene = await newScene(0);
  const { shop, client } = scene;
  expect(await errorsOf(SELL, shop.director, borrow(scene, 1))).toEqual({ [ON_DEBT]: tooMuch(0) });
  await limit(shop, client, { uzs: null, usd: 0 });
  expect((await call(SELL, { token: shop.director, json: borrow(scene, 1000) })).status).toBe(200);
});

test('what is left is never below 0: a debt above a limit that was lowered stays, and grows no more', async () => {
  const scene = await newScene(100);
  const { shop, client } = scene;
  await call(SELL, { token: shop.director, json: borrow(scene, 80) });
  await limit(shop, client, { uzs: 50 });
  expect(await card(shop, client)).toMatchObject({ debt_left: { ...NONE, uzs: 0 } });
  expect(await errorsOf(SELL, shop.director, borrow(scene, 1))).toEqual({ [ON_DEBT]: tooMuch(0) });
  await payDebt(shop, client, { cash: 70 });
  expect(await card(shop, client)).toMatchObject({ debt_left: { ...NONE, uzs: 40 } });
  const { body } = await call(`GET ${CLIENTS}`, { token: shop.director });
  expect(body).toMatchObject({ data: [{ debt_left: { ...NONE, uzs: 40 } }] });
});

test('exceed_limit passes it for a caller with the right, and is 422 on exceed_limit without', async () => {
  const scene = await newScene(10);
  const { shop, client } = scene;
  const sellers = ['company.trade.sale.store'];
  const [seller, manager] = await Promise.all([
    atDesk(shop, sellers),
    atDesk(shop, [...sellers, 'company.client.client.exceed-limit']),
  ]);
  const above = borrow(scene, 11, { exceed_limit: true });
  expect(await errorsOf(SELL, seller, above)).toEqual({
    exceed_limit: translate('ru', { key: 'sale.exceed_forbidden' }),
  });
  expect(await errorsOf(SELL, manager, borrow(scene, 11))).toEqual({ [ON_DEBT]: tooMuch(10) });
  expect((await call(SELL, { token: seller, json: borrow(scene, 4, { exceed_limit: true }) })).status).toBe(
    200,
  );
  expect((await call(SELL, { token: manager, json: above })).status).toBe(200);
  expect(await card(shop, client)).toMatchObject({ debt_left: { ...NONE, uzs: 0 } });
});

test("the debt is the family's: what a branch lends counts", async () => {
  const { shop, client } = await newScene(10);
  await addToClient(shop, client, { debt_uzs: 800 });
  expect(await card(shop, client)).toMatchObject({ debt_left: { ...NONE, uzs: 2 } });
});

test("an exchange's surcharge is limited as a sale is", async () => {
  const { shop, client, water } = await newScene(10);
  const id = await lend(shop, { client, water, amount: 6 });
  const [line] = await linesOfSale(shop, id);
  const swap = (taken: number, debt: number, given: object = {}) => ({
    ...{ cashbox_id: shop.cashboxId, stock_id: shop.stockId, company_id: shop.companyId, currency: 'uzs' },
    ...{ client_id: client, due_date: '2099-01-31' },
    returned_products: [{ id: line?.id, reason_type: 'not_match', returned_quantity: 2 }],
    products: [{ product_id: water, sold_quantity: taken }],
    transactions: [{ payment_type: 'debt', amount: debt }],
    ...given,
  });
  const path = `POST /company/trade/sale/${id}/exchange`;
  expect(await errorsOf(path, shop.director, swap(7, 5))).toEqual({ [ON_DEBT]: tooMuch(4) });
  const done = await call(path, { token: shop.director, json: swap(6, 4) });
  expect(done.status).toBe(200);
  expect(await card(shop, client)).toMatchObject({ debt_left: { ...NONE, uzs: 0 } });
  const further = { ...swap(3, 1), exceed_limit: true };
  expect((await call(path, { token: shop.director, json: further })).status).toBe(200);
});

test('a refund of a debt payment passes, and so does a debt that a limit came after', async () => {
  const { shop, client, water } = await newScene(10);
  await lend(shop, { client, water, amount: 10 });
  const [payment] = await payDebt(shop, client, { cash: 10 });
  await limit(shop, client, { uzs: 0 });
  expect((await refundDebt(shop, payment?.id ?? 0)).status).toBe(200);
  expect(await card(shop, client)).toMatchObject({ debt_left: { ...NONE, uzs: 0 } });
});

test('a late sale above the limit is kept, and sold by who may exceed it', async () => {
  const bare = await newScene(null);
  const { shop } = bare;
  const client = await make(CLIENTS, shop.director, {
    ...FORM,
    main_phone: '998901112244',
    debt_limits: { uzs: 3 },
  });
  const scene = { ...bare, client };
  const given = borrow(scene, 5, { products: [{ product_id: scene.water, sold_quantity: 5, price: 1 }] });
  const [row] = await sendOfflineSales(shop, [offlineSaleBody(shop, scene.water, 'late-1', given)]);
  expect(row).toMatchObject({ status: 422, errors: { [ON_DEBT]: [tooMuch(3)] } });
  const id = row?.refused_id ?? 0;
  const [body] = (await readRefused(shop, id)).bodies;
  const json = { ...Object(body), exceed_limit: true };
  const retried = await call(`PATCH ${REFUSED}/${id}/retry`, { token: shop.director, json });
  expect(retried.body).toMatchObject({ status: 'sold' });
});

test('twenty desks that sell to one client at once: as many pass as there is room for, no more and no less', async () => {
  const scene = await newScene(70);
  const { shop, client } = scene;
  const desks = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      make('/company/cashbox/cashbox', shop.director, { name: `Race ${index}`, type: 'sale' }),
    ),
  );
  const answers = await Promise.all(
    desks.map((cashbox_id) => call(SELL, { token: shop.director, json: borrow(scene, 10, { cashbox_id }) })),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(7);
  expect(statuses.filter((status) => status === 422)).toHaveLength(13);
  for (const { status, body } of answers) {
    if (status === 422) expect(body).toMatchObject({ errors: { [ON_DEBT]: [tooMuch(0)] } });
  }
  expect(await card(shop, client)).toMatchObject({ debt_left: { ...NONE, uzs: 0 } });
});

test('a limit that is lowered while sales go on holds from then on', async () => {
  const scene = await newScene(1000);
  const { shop, client } = scene;
  const sales = Array.from({ length: 8 }, () =>
    call(SELL, { token: shop.director, json: borrow(scene, 10) }).then(({ status }) => status),
  );
  const lowered = await limit(shop, client, { uzs: 20 });
  expect(lowered.status).toBe(200);
  const sold = (await Promise.all(sales)).filter((status) => status === 200).length;
  const owed = Math.max(20, sold * 10);
  expect(await errorsOf(SELL, shop.director, borrow(scene, owed - sold * 10 + 1))).toEqual({
    [ON_DEBT]: tooMuch(Math.max(0, 20 - sold * 10)),
  });
  const { violations } = await readBooks(shop.companyId);
  expect(violations.filter(({ book }) => book === 'clients')).toEqual([]);
});
