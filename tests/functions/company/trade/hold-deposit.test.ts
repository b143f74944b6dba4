import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { faultsOf } from '#tests/support/books.ts';
import { addClient } from '#tests/support/clients.ts';
import { type Depositor, depositOf, newDepositor, sellWater, takeDeposit } from '#tests/support/deposits.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, NOT_FOUND } from '#tests/support/records.ts';

const HOLDS = '/company/trade/hold';

function holdBody({ cashboxId, stockId, water, client }: Depositor, given: object = {}): object {
  return {
    ...{ cashbox_id: cashboxId, stock_id: stockId, cheque: 1, full_name: 'Aziz', client_id: client },
    products: [{ product_id: water, quantity: 10 }],
    ...given,
  };
}

async function hold(shop: Depositor, given: object = {}): Promise<number> {
  return (await call(`POST ${HOLDS}`, { token: shop.director, json: holdBody(shop, given) })).number('id');
}

async function read({ director: token }: Depositor, id: number): Promise<unknown> {
  return (await call(`GET ${HOLDS}/${id}`, { token })).body;
}

test('a hold takes and shows its client (Part 5, 5A.6, 4)', async () => {
  const shop = await newDepositor(0);
  const token = shop.director;
  const made = await call(`POST ${HOLDS}`, { token, json: holdBody(shop) });
  expect(made.body).toMatchObject({ client_id: shop.client, deposit_amount: 0 });
  expect(await read(shop, made.number('id'))).toMatchObject({ client_id: shop.client, deposit_amount: 0 });
  expect(await read(shop, await hold(shop, { client_id: null }))).toMatchObject({ client_id: null });
  expect(await errorsOf(`POST ${HOLDS}`, token, holdBody(shop, { client_id: 99 }))).toEqual({
    client_id: NOT_FOUND,
  });
});

test('an income may be for a hold in progress of the client and currency (Part 5, 5A.6, 4)', async () => {
  const shop = await newDepositor(50);
  const token = shop.director;
  const id = await hold(shop);
  const request = `POST /company/client/client/${shop.client}/deposit`;
  const money = {
    type: 'income',
    cashbox_id: shop.cashboxId,
    payment_type: 'cash',
    currency: 'uzs',
    amount: 5,
  };
  const errors = (given: object) => errorsOf(request, token, { ...money, ...given });
  expect(await errors({ hold_id: 99 })).toEqual({ hold_id: NOT_FOUND });
  expect(await errors({ hold_id: id, type: 'outcome' })).toEqual({
    hold_id: translate('ru', { key: 'deposit.hold_of_income' }),
  });
  expect(await errors({ hold_id: id, currency: 'usd' })).toEqual({
    hold_id: translate('ru', { key: 'sale.other_currency', with: { currency: 'uzs' } }),
  });
  const theirs = await hold(shop, { client_id: await addClient(shop, '998905550011') });
  expect(await errors({ hold_id: theirs })).toEqual({
    hold_id: translate('ru', { key: 'deposit.hold_of_other_client' }),
  });
  await call(`PATCH ${HOLDS}/${theirs}/cancel`, { token });
  expect(await errors({ hold_id: theirs, cashbox_id: 99 })).toEqual({
    hold_id: translate('ru', { key: 'hold.not_in_progress' }),
    cashbox_id: NOT_FOUND,
  });
});

test('deposit_amount of a hold is its incomes less their reversals; canceling it leaves the account (Part 5, 5A.6, 4)', async () => {
  const shop = await newDepositor(0);
  const token = shop.director;
  const id = await hold(shop);
  const first = await takeDeposit(shop, shop.client, 30, { hold_id: id });
  expect(first.body).toMatchObject({ hold_id: id, amount: 30 });
  await takeDeposit(shop, shop.client, 12, { hold_id: id });
  await takeDeposit(shop, shop.client, 100);
  expect(await read(shop, id)).toMatchObject({ deposit_amount: 42, amount: 10 });
  await call(`PATCH ${HOLDS}/${id}/cancel`, { token });
  expect(await depositOf(shop, shop.client)).toBe(142);
  const reversal = `POST /company/client/deposit/${first.number('id')}/reverse`;
  const back = await call(reversal, { token, json: { comment: 'Передумал' } });
  expect(back.body).toMatchObject({ hold_id: id, amount: -30 });
  expect(await read(shop, id)).toMatchObject({ status: 'canceled', deposit_amount: 12 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('any cheque of the client may use it (Part 5, 5A.6, 4)', async () => {
  const shop = await newDepositor(0);
  const id = await hold(shop);
  await takeDeposit(shop, shop.client, 30, { hold_id: id });
  expect((await sellWater(shop, 25, { deposit: 25 })).status).toBe(200);
  expect((await sellWater(shop, 10, { deposit: 5, cash: 5 }, { hold_id: id, products: [] })).status).toBe(
    200,
  );
  expect(await read(shop, id)).toMatchObject({ status: 'completed', deposit_amount: 30 });
  expect(await depositOf(shop, shop.client)).toBe(0);
  expect(await faultsOf(shop)).toEqual([]);
});
