import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { faultsOf } from '#tests/support/books.ts';
import { addClient } from '#tests/support/clients.ts';
import { debtOf, lend, newWater, openDebtsIn, payDebt, paying } from '#tests/support/debts.ts';
import { newFamilyWithBranch } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, idsOf, make } from '#tests/support/records.ts';
import { back, linesOfSale, returnsOf, sendReturn } from '#tests/support/returns.ts';
import { cashOf, newShop, type Shop, saleBody } from '#tests/support/shop.ts';

const DEBTS = '/company/client/debt';
const WRITE_OFFS = '/company/client/debt-writeoff';
const CLIENTS = '/company/client/client';

/** Creates a shop with a debt of a sale. */
async function newDebt(amount = 100) {
  const shop = await newShop();
  const [client, water] = await Promise.all([addClient(shop), newWater(shop)]);
  const sale = await lend(shop, { client, water, amount });
  const [debt = 0] = await idsOf(DEBTS, shop.director);
  return { shop, client, water, sale, debt };
}

function writeOff({ director: token }: Pick<Shop, 'director'>, id: number, json: object = {}, headers = {}) {
  return call(`PATCH ${DEBTS}/${id}/write-off`, { token, json: { comment: 'Не вернёт', ...json }, headers });
}

function reverse({ director: token }: Pick<Shop, 'director'>, id: number, json: object = {}) {
  return call(`POST ${WRITE_OFFS}/${id}/reverse`, { token, json: { comment: 'Вернул', ...json } });
}

async function limitLeft({ director: token }: Shop, client: number): Promise<unknown> {
  return Object((await call(`GET ${CLIENTS}/${client}`, { token })).body).debt_left.uzs;
}

test('a write-off of all that is left: no payment, status written_off, and out of the report (Part 5, 5A.7, 3)', async () => {
  const { shop, client, debt } = await newDebt();
  const token = shop.director;
  await payDebt(shop, client, { cash: 30 });
  const made = await writeOff(shop, debt);
  expect(made).toMatchObject({
    status: 200,
    body: {
      ...{ debt_id: debt, client_id: client, company_id: shop.companyId, currency: 'uzs', amount: 70 },
      ...{ comment: 'Не вернёт', reversal_of_id: null, reversal_id: null, creator_id: shop.directorId },
    },
  });
  const left = { written_off_amount: 70, remaining_amount: 0, repaid_amount: 30, returned_amount: 0 };
  expect(await debtOf(shop, debt)).toMatchObject({
    ...left,
    status: 'written_off',
    by_currency: { uzs: left },
  });
  expect(await cashOf(shop)).toBe(30);
  expect(await openDebtsIn(shop, client)).toEqual([]);
  expect((await call('GET /company/report/debts?group=client', { token })).body).toMatchObject({ data: [] });
  expect(await idsOf(DEBTS, token, 'filter[status]=written_off')).toEqual([debt]);
  expect((await call(`DELETE ${CLIENTS}/${client}`, { token })).status).toBe(200);
  expect(await faultsOf(shop)).toEqual([]);
});

test('a part is written off, the rest is owed and paid as before (Part 5, 5A.7, 3)', async () => {
  const { shop, client, debt } = await newDebt();
  await writeOff(shop, debt, { amount: 40.5 });
  expect(await debtOf(shop, debt)).toMatchObject({ remaining_amount: 59.5, status: 'not_repaid' });
  const pay = paying(shop, client, { cash: 59.51 });
  expect(await errorsOf('POST /company/client/debt-payment', shop.director, pay)).toEqual({
    payments: translate('ru', { key: 'debt_payment.too_much', with: { remaining: 59.5 } }),
  });
  await payDebt(shop, client, { cash: 59.5 });
  expect(await debtOf(shop, debt)).toMatchObject({ remaining_amount: 0, status: 'written_off' });
  expect(await faultsOf(shop)).toEqual([]);
});

test('more than is left is 422 on amount, nothing left 400 (Part 5, 5A.7, 3)', async () => {
  const { shop, debt } = await newDebt();
  const path = `PATCH ${DEBTS}/${debt}/write-off`;
  expect(await errorsOf(path, shop.director, { amount: 100.01, comment: 'x' })).toEqual({
    amount: translate('ru', { key: 'debt.more_than_left', with: { left: 100 } }),
  });
  expect(Object.keys(await errorsOf(path, shop.director, { amount: 0, comment: '', fee: 1 }))).toEqual([
    'amount',
    'comment',
    'fee',
  ]);
  await writeOff(shop, debt);
  expect(await writeOff(shop, debt)).toMatchObject(errorWith('debt.nothing_left'));
});

test('a write-off frees the limit, and its reversal passes it (Part 5, 5A.7, 4)', async () => {
  const { shop, client, water, debt } = await newDebt();
  const form = { full_name: 'Aziz', main_phone: '998901112233', debt_limits: { uzs: 100 } };
  await call(`PUT ${CLIENTS}/${client}`, { token: shop.director, json: form });
  expect(await limitLeft(shop, client)).toBe(0);
  const made = await writeOff(shop, debt);
  expect(await limitLeft(shop, client)).toBe(100);
  await lend(shop, { client, water, amount: 60 });
  const reversal = await reverse(shop, made.number('id'));
  expect(reversal).toMatchObject({
    status: 200,
    body: { amount: -100, reversal_of_id: made.number('id'), reversal_id: null, comment: 'Вернул' },
  });
  expect(await limitLeft(shop, client)).toBe(0);
  expect(await debtOf(shop, debt)).toMatchObject({ remaining_amount: 100, status: 'not_repaid' });
  const first = await call(`GET ${WRITE_OFFS}/${made.number('id')}`, { token: shop.director });
  expect(first.body).toMatchObject({ amount: 100, reversal_id: reversal.number('id') });
  await payDebt(shop, client, { cash: 160 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a reversal, or what has one, is not reversed (Part 5, 5.0 (3))', async () => {
  const { shop, debt } = await newDebt();
  const made = await writeOff(shop, debt, { amount: 10 });
  const path = `POST ${WRITE_OFFS}/${made.number('id')}/reverse`;
  expect(Object.keys(await errorsOf(path, shop.director, {}))).toEqual(['comment']);
  const reversal = await reverse(shop, made.number('id'));
  expect(await reverse(shop, made.number('id'))).toMatchObject(errorWith('reversal.already_reversed'));
  expect(await reverse(shop, reversal.number('id'))).toMatchObject(errorWith('reversal.is_reversal'));
});

/** Returns pieces of a sale's one line, each worth 1; returns the response. */
async function takeBack(shop: Shop, sale: number, pieces: number, cash = 0) {
  const [line] = await linesOfSale(shop, sale);
  return sendReturn(shop, sale, back({ [line?.id ?? 0]: pieces }, cash));
}

test('a return closes a write-off after all that is left, and pays nothing of it out (Part 5, 5A.7, 4)', async () => {
  const { shop, client, sale, debt } = await newDebt();
  await payDebt(shop, client, { cash: 30 });
  const made = await writeOff(shop, debt, { amount: 50 });
  expect((await takeBack(shop, sale, 40)).status).toBe(200);
  const closed = { remaining_amount: 0, written_off_amount: 30, returned_amount: 40 };
  expect(await debtOf(shop, debt)).toMatchObject({ ...closed, status: 'written_off' });
  const { body } = await call('GET /company/trade/sale/return', { token: shop.director });
  expect(body).toMatchObject({ data: [{ amount: 40, written_off_amount: 20, transactions: [] }] });
  expect(await returnsOf(shop, sale)).toMatchObject([{ debt_amount: 2000, written_off_amount: 2000 }]);
  const reversal = await reverse(shop, made.number('id'));
  expect(reversal.body).toMatchObject({ amount: -30 });
  expect(await debtOf(shop, debt)).toMatchObject({ remaining_amount: 30, written_off_amount: 0 });
  expect((await takeBack(shop, sale, 60, 30)).status).toBe(200);
  expect(await debtOf(shop, debt)).toMatchObject({
    remaining_amount: 0,
    returned_amount: 70,
    status: 'repaid',
  });
  expect(await cashOf(shop)).toBe(0);
  expect(await faultsOf(shop)).toEqual([]);
});

test('a write-off that returns have closed is not reversed (Part 5, 5A.7, 4)', async () => {
  const { shop, sale, debt } = await newDebt();
  const made = await writeOff(shop, debt);
  expect((await takeBack(shop, sale, 100)).status).toBe(200);
  expect(await debtOf(shop, debt)).toMatchObject({ written_off_amount: 0, status: 'repaid' });
  expect(await reverse(shop, made.number('id'))).toMatchObject(errorWith('debt_writeoff.nothing_left'));
  expect(await faultsOf(shop)).toEqual([]);
});

test('goods of an exchange close the write-off of the sale that they come from (Part 5, 5A.7, 4)', async () => {
  const { shop, water, sale, debt } = await newDebt();
  await writeOff(shop, debt, { amount: 70 });
  const [line] = await linesOfSale(shop, sale);
  const json = saleBody(shop, {
    company_id: shop.companyId,
    returned_products: [{ id: line?.id, reason_type: 'not_match', returned_quantity: 100 }],
    products: [{ product_id: water, sold_quantity: 100 }],
  });
  const swapped = await call(`POST /company/trade/sale/${sale}/exchange`, { token: shop.director, json });
  const { id } = Object(swapped.body).exchange_sale;
  expect((await takeBack(shop, id, 60)).status).toBe(200);
  expect(await debtOf(shop, debt)).toMatchObject({ remaining_amount: 0, written_off_amount: 40 });
  expect(await returnsOf(shop, id)).toMatchObject([
    { written_off_amount: 0, origins: [{ debt_amount: 3000, written_off_amount: 3000 }] },
  ]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('of a deleted client nothing comes back (Part 5, 5.0 (3))', async () => {
  const { shop, client, debt } = await newDebt();
  const made = await writeOff(shop, debt);
  await call(`DELETE ${CLIENTS}/${client}`, { token: shop.director });
  expect(await reverse(shop, made.number('id'))).toMatchObject(errorWith('debt_writeoff.client_gone'));
  await call(`DELETE ${CLIENTS}/${client}/restore`, { token: shop.director });
  expect((await reverse(shop, made.number('id'))).status).toBe(200);
});

test('write-offs are listed by their filters, as a workbook too, within reach (Part 5, 5.0 (4))', async () => {
  const { shop, client, debt } = await newDebt();
  const token = shop.director;
  const first = await writeOff(shop, debt, { amount: 10 });
  const second = await reverse(shop, first.number('id'));
  const ids = [first.number('id'), second.number('id')];
  for (const query of [`filter[debt_id]=${debt}`, `filter[client_id]=${client}`, 'filter[currency]=uzs']) {
    expect(await idsOf(WRITE_OFFS, token, `${query}&page-size=200`)).toEqual(ids);
  }
  expect(await idsOf(WRITE_OFFS, token, 'filter[currency]=usd')).toEqual([]);
  expect(await idsOf(WRITE_OFFS, token, 'filter[created_at][0]=2099-01-01')).toEqual([]);
  expect((await call(`GET ${WRITE_OFFS}?format=excel`, { token })).status).toBe(200);
  const stranger = await newShop();
  expect((await call(`GET ${WRITE_OFFS}/${ids[0]}`, { token: stranger.director })).status).toBe(404);
  expect((await reverse(stranger, ids[0] ?? 0)).status).toBe(404);
});

test('a write-off is within the reach of its debt’s company (Part 5, 5A.7)', async () => {
  const { branchDirector, director } = await newFamilyWithBranch();
  const client = await make(CLIENTS, director, { full_name: 'Aziz', main_phone: '998901112233' });
  const debt = await make(DEBTS, director, {
    ...{ client_id: client, currency: 'usd', amount: 5, due_date: '2026-01-01', comment: 'x' },
  });
  const made = await writeOff({ director }, debt);
  expect(await idsOf(WRITE_OFFS, branchDirector)).toEqual([]);
  expect((await reverse({ director: branchDirector }, made.number('id'))).status).toBe(404);
});

test('the same key writes off once, and two at once never more than is left', async () => {
  const { shop, debt } = await newDebt();
  const headers = { 'idempotency-key': 'one' };
  const first = await writeOff(shop, debt, { amount: 10 }, headers);
  expect((await writeOff(shop, debt, { amount: 10 }, headers)).body).toEqual(first.body);
  expect(await debtOf(shop, debt)).toMatchObject({ remaining_amount: 90 });
  const both = await Promise.all([
    writeOff(shop, debt, { amount: 60 }),
    writeOff(shop, debt, { amount: 60 }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('a write-off and a payment at the same moment never take more than is left', async () => {
  const { shop, client, debt } = await newDebt();
  const json = paying(shop, client, { cash: 100 });
  const [written, paid] = await Promise.all([
    writeOff(shop, debt),
    call('POST /company/client/debt-payment', { token: shop.director, json }),
  ]);
  expect([written.status === 200, paid.status === 200].filter(Boolean)).toHaveLength(1);
  expect(await debtOf(shop, debt)).toMatchObject({ remaining_amount: 0 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('copies have write-offs and debts with what is written off (Part 5, 5.0 (4))', async () => {
  const { shop, debt } = await newDebt();
  const made = await writeOff(shop, debt, { amount: 10 });
  const { body } = await call('GET /company/sync?types[]=client.debt-writeoff&types[]=client.debt', {
    token: shop.director,
  });
  expect(body).toMatchObject({
    data: expect.arrayContaining([
      expect.objectContaining({ type: 'client.debt-writeoff', id: made.number('id') }),
      expect.objectContaining({ record: expect.objectContaining({ written_off_amount: 10 }) }),
    ]),
  });
});
