import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { faultsOf } from '#tests/support/books.ts';
import { addClient } from '#tests/support/clients.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, idsOf, NOT_FOUND } from '#tests/support/records.ts';
import { beginShift, enableShifts, endShift } from '#tests/support/shifts.ts';
import { cashOf, newShop, type Shop } from '#tests/support/shop.ts';

const CLIENTS = '/company/client/client';
const ENTRIES = '/company/client/deposit';
const NONE = { uzs: 0, usd: 0, eur: 0, rub: 0 };

async function newDepositor() {
  const shop = await newShop();
  return { shop, client: await addClient(shop) };
}

/** Builds a body that takes cash into the deposit at the shop's desk. */
function income({ cashboxId: cashbox_id }: Shop, amount: number, given: object = {}): object {
  return { type: 'income', cashbox_id, payment_type: 'cash', currency: 'uzs', amount, ...given };
}

function move(shop: Shop, client: number, json: object, given: { token?: string; headers?: object } = {}) {
  const { token = shop.director, headers = {} } = given;
  return call(`POST ${CLIENTS}/${client}/deposit`, { token, json, headers: { ...headers } });
}

function correct({ director: token }: Shop, client: number, amount: number) {
  const json = { currency: 'uzs', amount, comment: 'Из тетради' };
  return call(`POST ${CLIENTS}/${client}/deposit-correction`, { token, json });
}

function reverse(shop: Shop, id: number, token = shop.director) {
  return call(`POST ${ENTRIES}/${id}/reverse`, { token, json: { comment: 'Ошибка' } });
}

async function depositsOf({ director: token }: Shop, client: number): Promise<unknown> {
  return Object((await call(`GET ${CLIENTS}/${client}`, { token })).body).deposits;
}

const notEnough = (available: number) => translate('ru', { key: 'deposit.not_enough', with: { available } });

test('money comes into the account at a desk and is paid out of it (Part 5, 5A.6)', async () => {
  const { shop, client } = await newDepositor();
  expect(await depositsOf(shop, client)).toEqual(NONE);
  const first = await move(shop, client, income(shop, 100.5, { comment: 'Аванс' }));
  const whose = { client_id: client, company_id: shop.companyId, cashbox_id: shop.cashboxId };
  expect(first).toMatchObject({
    status: 200,
    body: {
      ...{ ...whose, type: 'income', currency: 'uzs', amount: 100.5, balance_after: 100.5 },
      ...{ source_id: null, hold_id: null, reversal_of_id: null, reversal_id: null, comment: 'Аванс' },
      creator_id: shop.directorId,
    },
  });
  const second = await move(shop, client, income(shop, 40, { type: 'outcome' }));
  expect(second.body).toMatchObject({ type: 'outcome', amount: -40, balance_after: 60.5 });
  expect([await depositsOf(shop, client), await cashOf(shop)]).toEqual([{ ...NONE, uzs: 60.5 }, 60.5]);
  const path = `/company/cashbox/cashbox/${shop.cashboxId}/transfers?filter[source_type]=deposit&sort[]=id`;
  expect((await call(`GET ${path}`, { token: shop.director })).body).toMatchObject({
    data: [
      { id: first.number('transfer_id'), type: 'income', amount: 100.5, source_id: first.number('id') },
      { id: second.number('transfer_id'), type: 'outcome', amount: 40, source_id: second.number('id') },
    ],
  });
  expect(await faultsOf(shop)).toEqual([]);
});

test('more than the account or the desk has is 422 on amount, all failing fields at once (Part 5, 5A.6, 1)', async () => {
  const { shop, client } = await newDepositor();
  const request = `POST ${CLIENTS}/${client}/deposit`;
  const out = income(shop, 1, { type: 'outcome' });
  expect(await errorsOf(request, shop.director, out)).toEqual({ amount: notEnough(0) });
  expect(await errorsOf(request, shop.director, { ...out, cashbox_id: 99 })).toEqual({
    cashbox_id: NOT_FOUND,
    amount: notEnough(0),
  });
  await correct(shop, client, 10);
  expect(await errorsOf(request, shop.director, out)).toEqual({
    amount: translate('ru', { key: 'cashbox.not_enough_money', with: { available: 0 } }),
  });
  expect(Object.keys(await errorsOf(request, shop.director, { type: 'loan', bonus: 1 }))).toEqual([
    'type',
    'cashbox_id',
    'payment_type',
    'currency',
    'amount',
    'bonus',
  ]);
  expect((await move(shop, 999, income(shop, 1))).status).toBe(404);
});

test('a correction moves no money, and lowers the account to 0 at most (Part 5, 5A.6)', async () => {
  const { shop, client } = await newDepositor();
  expect((await correct(shop, client, 50)).body).toMatchObject({
    ...{ type: 'correction', amount: 50, cashbox_id: null, transfer_id: null, balance_after: 50 },
    comment: 'Из тетради',
  });
  expect((await correct(shop, client, -20)).body).toMatchObject({ amount: -20, balance_after: 30 });
  const request = `POST ${CLIENTS}/${client}/deposit-correction`;
  const json = { currency: 'uzs', amount: -30.01, comment: 'x' };
  expect(await errorsOf(request, shop.director, json)).toEqual({ amount: notEnough(30) });
  expect(Object.keys(await errorsOf(request, shop.director, { ...json, amount: 0, comment: '' }))).toEqual([
    'amount',
    'comment',
  ]);
  expect(await cashOf(shop)).toBe(0);
  expect(await faultsOf(shop)).toEqual([]);
});

test('incomes, outcomes and corrections are reversed, their money at its own desk (Part 5, 5.0 (3), 5A.6, 1)', async () => {
  const { shop, client } = await newDepositor();
  const first = await move(shop, client, income(shop, 100));
  const second = await move(shop, client, income(shop, 30, { type: 'outcome' }));
  const third = await correct(shop, client, 5);
  expect(await reverse(shop, first.number('id'))).toMatchObject(
    errorWith('cashbox.not_enough_money', { available: 70 }),
  );
  await move(shop, await addClient(shop, '998905550011'), income(shop, 200));
  expect(await reverse(shop, first.number('id'))).toMatchObject(
    errorWith('deposit.not_enough', { available: 75 }),
  );
  const back = await reverse(shop, second.number('id'));
  expect(back.body).toMatchObject({
    ...{ type: 'reversal', amount: 30, balance_after: 105, reversal_of_id: second.number('id') },
    comment: 'Ошибка',
  });
  expect((await reverse(shop, third.number('id'))).body).toMatchObject({ amount: -5, transfer_id: null });
  expect((await reverse(shop, first.number('id'))).body).toMatchObject({ amount: -100, balance_after: 0 });
  expect(await cashOf(shop)).toBe(200);
  expect(await reverse(shop, first.number('id'))).toMatchObject(errorWith('reversal.already_reversed'));
  expect(await reverse(shop, back.number('id'))).toMatchObject(errorWith('reversal.is_reversal'));
  expect((await call(`GET ${ENTRIES}/${second.number('id')}`, { token: shop.director })).body).toMatchObject({
    reversal_id: back.number('id'),
  });
  expect(await faultsOf(shop)).toEqual([]);
});

test('paying out, and taking an income back, need the right to payouts, which a refusal names (Part 5, 5A.6 and 5B.2 (3))', async () => {
  const { shop, client } = await newDepositor();
  const rights = ['company.client.client.deposit', 'company.client.deposit.reverse'];
  const place = { cashbox_ids: [shop.cashboxId] };
  const token = await newEmployee(shop, rights, place);
  const made = await move(shop, client, income(shop, 10), { token });
  expect(made.status).toBe(200);
  const payout = 'company.client.client.deposit-payout';
  const refused = { status: 403, body: { right: payout } };
  const outcome = income(shop, 1, { type: 'outcome' });
  expect(await move(shop, client, outcome, { token })).toMatchObject(refused);
  expect(await reverse(shop, made.number('id'), token)).toMatchObject(refused);
  const json = { currency: 'uzs', amount: 1, comment: 'x' };
  expect((await call(`POST ${CLIENTS}/${client}/deposit-correction`, { token, json })).status).toBe(403);
  const payer = await newEmployee(shop, [...rights, payout], place);
  expect((await move(shop, client, outcome, { token: payer })).status).toBe(200);
});

test('a client with money in any currency is not deleted, one without is, and nothing comes back then (Part 5, 5A.6)', async () => {
  const { shop, client } = await newDepositor();
  const token = shop.director;
  const made = await move(shop, client, income(shop, 10, { currency: 'usd' }));
  const removal = () => call(`DELETE ${CLIENTS}/${client}`, { token });
  expect(await removal()).toMatchObject(errorWith('client.owes'));
  const out = await move(shop, client, income(shop, 10, { type: 'outcome', currency: 'usd' }));
  expect((await removal()).status).toBe(200);
  expect(await reverse(shop, out.number('id'))).toMatchObject(errorWith('deposit.client_gone'));
  expect((await move(shop, client, income(shop, 1))).status).toBe(404);
  expect(made.status).toBe(200);
});

test('entries are listed by their filters, as a workbook too (Part 5, 5.0 (4))', async () => {
  const { shop, client } = await newDepositor();
  const token = shop.director;
  const first = (await move(shop, client, income(shop, 10))).number('id');
  const second = (await correct(shop, client, 5)).number('id');
  const both = [first, second];
  expect(await idsOf(ENTRIES, token, `filter[client_id]=${client}&page-size=200`)).toEqual(both);
  expect(await idsOf(ENTRIES, token, 'filter[type]=correction')).toEqual([second]);
  expect(await idsOf(ENTRIES, token, `filter[cashbox_id]=${shop.cashboxId}`)).toEqual([first]);
  expect(await idsOf(ENTRIES, token, 'filter[currency]=usd')).toEqual([]);
  expect((await call(`GET ${ENTRIES}?format=excel`, { token })).status).toBe(200);
  const stranger = await newShop();
  expect((await call(`GET ${ENTRIES}/${first}`, { token: stranger.director })).status).toBe(404);
  expect((await reverse(shop, first, stranger.director)).status).toBe(404);
});

test('at a desk with shifts it needs one, and is of its sources (Part 5, 5.0 (2))', async () => {
  const { shop, client } = await newDepositor();
  await enableShifts(shop);
  expect(await move(shop, client, income(shop, 1))).toMatchObject(errorWith('shift.required'));
  const shift = await beginShift(shop);
  await move(shop, client, income(shop, 50));
  await move(shop, client, income(shop, 20, { type: 'outcome' }));
  const { summary } = await endShift(shop, shift);
  expect(summary.rows).toMatchObject([
    { payment_type: 'cash', by_source: [{ source_type: 'deposit', income: 50, outcome: 20 }] },
  ]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('the same key moves once, and of many at once the account never falls below 0 (Part 5, 5A.6)', async () => {
  const { shop, client } = await newDepositor();
  const headers = { 'idempotency-key': 'one' };
  const first = await move(shop, client, income(shop, 100), { headers });
  expect((await move(shop, client, income(shop, 100), { headers })).body).toEqual(first.body);
  const out = () => move(shop, client, income(shop, 40, { type: 'outcome' }));
  const replies = await Promise.all([out(), out(), out(), correct(shop, client, -40)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422]);
  expect(await depositsOf(shop, client)).toEqual({ ...NONE, uzs: 20 });
  expect(await faultsOf(shop)).toEqual([]);
});
