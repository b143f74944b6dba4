import { expect, test } from 'vitest';
import * as z from 'zod';
import { translate } from '#lib/values/message.ts';
import { faultsOf } from '#tests/support/books.ts';
import { addClient } from '#tests/support/clients.ts';
import { payDebt, refundDebt } from '#tests/support/debts.ts';
import {
  byWay,
  type Depositor,
  depositOf,
  newDepositor,
  sellWater,
  takeDeposit,
} from '#tests/support/deposits.ts';
import { newEmployee } from '#tests/support/family.ts';
import { inCash } from '#tests/support/foreign.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith } from '#tests/support/records.ts';
import { exchangeBody, linesOfSale } from '#tests/support/returns.ts';
import { cashOf, setRate } from '#tests/support/shop.ts';

const PAYOUT = 'company.client.client.deposit-payout';
const RETURN = 'company.trade.sale.return';
const EXCHANGE = 'company.trade.sale.exchange';
const REFUND = 'company.client.debt-payment.refund';

const leastIs = (least: number) => translate('ru', { key: 'return.deposit_least', with: { least } });

/** Returns a user of the shop's desk and warehouse without the right to payouts of deposits. */
function newCashier(shop: Depositor, rights = [RETURN, EXCHANGE]): Promise<string> {
  return newEmployee(shop, rights, { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] });
}

/** Builds the body of a return of pieces of a sale's one line. */
async function returning(
  shop: Depositor,
  sale: number,
  pieces: number,
  ways: Readonly<Record<string, number>>,
): Promise<object> {
  const [line] = await linesOfSale(shop, sale);
  const products = [{ id: line?.id, returned_quantity: pieces, reason_type: 'not_match' }];
  return { products, transactions: byWay(ways) };
}

const path = (sale: number, what: string) => `/company/trade/sale/${sale}/${what}`;

async function giveBack(
  shop: Depositor,
  sale: number,
  [pieces, ways]: readonly [number, Readonly<Record<string, number>>],
  token = shop.director,
) {
  const json = await returning(shop, sale, pieces, ways);
  return call(`PATCH ${path(sale, 'return')}`, { token, json });
}

/** Builds the body of an exchange of pieces of a sale's one line for water, by the shop's client. */
function swapping(
  shop: Depositor,
  sale: number,
  pieces: readonly [number, number],
  given: object = {},
): Promise<object> {
  return exchangeBody(shop, sale, pieces, { client_id: shop.client, ...given });
}

const Swapped = z.object({ exchange_sale: z.looseObject({ id: z.int() }) });

async function swap(
  shop: Depositor,
  sale: number,
  goods: readonly [number, number],
  given: object = {},
): Promise<number> {
  const json = await swapping(shop, sale, goods, given);
  const { status, body } = await call(`POST ${path(sale, 'exchange')}`, { token: shop.director, json });
  expect({ status, body }).toMatchObject({ status: 200 });
  return Swapped.parse(body).exchange_sale.id;
}

async function dueOf(shop: Depositor, request: string, json: object): Promise<unknown> {
  const { status, body } = await call(request, { token: shop.director, json });
  expect({ status, body }).toMatchObject({ status: 200 });
  return Object(body).due;
}

test('what came from the account goes back there, less only with the right to payouts (Part 5, 5A.6, 3)', async () => {
  const shop = await newDepositor(100);
  const sale = (await sellWater(shop, 150, { deposit: 100, cash: 50 })).number('id');
  const token = await newCashier(shop);
  const errors = async (ways: Readonly<Record<string, number>>) =>
    errorsOf(`PATCH ${path(sale, 'return')}`, token, await returning(shop, sale, 120, ways));
  expect(await errors({ cash: 120 })).toEqual({ transactions: leastIs(100) });
  expect(await errors({ deposit: 99.99, cash: 20.01 })).toEqual({ transactions: leastIs(100) });
  const first = await giveBack(shop, sale, [70, { deposit: 70 }], token);
  expect(first).toMatchObject({ status: 200, body: { paid_out_amount: 70, received_amount: 150 } });
  expect(await depositOf(shop, shop.client)).toBe(70);
  expect(await errors({ cash: 120 })).toEqual({
    'products.0.returned_quantity': translate('ru', { key: 'return.too_much', with: { available: 80 } }),
  });
  const payer = await newCashier(shop, [RETURN, PAYOUT]);
  expect((await giveBack(shop, sale, [20, { cash: 20 }], payer)).status).toBe(200);
  expect(await giveBack(shop, sale, [60, { cash: 60 }], token)).toMatchObject({ status: 422 });
  expect((await giveBack(shop, sale, [60, { deposit: 30, cash: 30 }], token)).status).toBe(200);
  expect([await depositOf(shop, shop.client), await cashOf(shop)]).toEqual([100, 100]);
  const entries = await call(`GET /company/client/deposit?filter[type]=return&sort[]=id`, {
    token: shop.director,
  });
  expect(entries.body).toMatchObject({
    data: [
      { amount: 70, balance_after: 70 },
      { amount: 30, balance_after: 100 },
    ],
  });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a preview tells the least that must go there (Part 5, 5A.6, 3; Part 5, 5B.5)', async () => {
  const shop = await newDepositor(100);
  const sale = (await sellWater(shop, 150, { deposit: 100, cash: 50 })).number('id');
  const none = await returning(shop, sale, 120, {});
  const request = `POST ${path(sale, 'return/preview')}`;
  expect(await dueOf(shop, request, none)).toMatchObject({ amount: 120, left: 120, deposit_least: 100 });
  const enough = await returning(shop, sale, 120, { deposit: 100, cash: 20 });
  expect(await dueOf(shop, request, enough)).toMatchObject({ left: 0, deposit_least: 100 });
  const token = await newCashier(shop);
  expect(await errorsOf(request, token, await returning(shop, sale, 120, { cash: 120 }))).toEqual({
    transactions: leastIs(100),
  });
  const cheaper = await swapping(shop, sale, [150, 40]);
  const exchange = `POST ${path(sale, 'exchange/preview')}`;
  expect(await dueOf(shop, exchange, cheaper)).toMatchObject({ payout: 110, deposit_least: 60 });
  expect(await depositOf(shop, shop.client)).toBe(0);
});

test('any payout may be to the account of the cheque’s client who is not deleted (Part 5, 5A.6, 3)', async () => {
  const shop = await newDepositor(0);
  const token = shop.director;
  const sale = (await sellWater(shop, 100, { cash: 100 })).number('id');
  expect((await giveBack(shop, sale, [60, { deposit: 60 }])).body).toMatchObject({ paid_out_amount: 60 });
  expect([await depositOf(shop, shop.client), await cashOf(shop)]).toEqual([60, 100]);
  const nobodys = (await sellWater(shop, 10, { cash: 10 }, { client_id: null })).number('id');
  const refusal = {
    'transactions.0.payment_type': translate('ru', { key: 'return.deposit_without_client' }),
  };
  const errors = async (of: number) =>
    errorsOf(`PATCH ${path(of, 'return')}`, token, await returning(shop, of, 10, { deposit: 10 }));
  expect(await errors(nobodys)).toEqual(refusal);
  await takeDeposit(shop, shop.client, 60, { type: 'outcome' });
  expect((await call(`DELETE /company/client/client/${shop.client}`, { token })).status).toBe(200);
  expect(await errors(sale)).toEqual(refusal);
  expect((await giveBack(shop, sale, [10, { cash: 10 }])).status).toBe(200);
  expect(await faultsOf(shop)).toEqual([]);
});

test('in a chain of exchanges the account’s money goes along, behind foreign cash, and its client stays (Part 5, 5A.6, 3)', async () => {
  const shop = await newDepositor(6000);
  await setRate(shop, 'usd', 1000);
  const paid = { transactions: [inCash(2, 'usd'), ...byWay({ deposit: 6000, card: 2000 })] };
  const first = (await sellWater(shop, 10_000, {}, paid)).number('id');
  const other = await addClient(shop, '998905550011');
  const request = `POST ${path(first, 'exchange')}`;
  const theirs = await swapping(shop, first, [4000, 4000], { client_id: other });
  expect(await errorsOf(request, shop.director, theirs)).toEqual({
    client_id: translate('ru', { key: 'exchange.deposit_of_client' }),
  });
  expect(
    (await call(request, { token: shop.director, json: { ...theirs, ...small(theirs, 2000) } })).status,
  ).toBe(200);
  const second = await swap(shop, first, [5000, 5000]);
  const third = await swap(shop, second, [5000, 7000], { transactions: byWay({ cash: 2000 }) });
  const preview = await returning(shop, third, 7000, {});
  expect(await dueOf(shop, `POST ${path(third, 'return/preview')}`, preview)).toMatchObject({
    amount: 7000,
    deposit_least: 5000,
  });
  expect((await giveBack(shop, third, [7000, { deposit: 5000, cash: 2000 }])).status).toBe(200);
  expect((await giveBack(shop, first, [3000, { deposit: 1000, card: 2000 }])).status).toBe(200);
  expect(await depositOf(shop, shop.client)).toBe(6000);
  expect(await faultsOf(shop)).toEqual([]);
});

/** Returns a body of an exchange with fewer pieces of both. */
function small(body: object, pieces: number): object {
  const { returned_products, products } = Object(body);
  return {
    returned_products: [{ ...returned_products[0], returned_quantity: pieces }],
    products: [{ ...products[0], sold_quantity: pieces }],
  };
}

test('an exchange takes its surcharge from the account, or pays the rest into it (Part 5, 5A.6, 2 and 3)', async () => {
  const shop = await newDepositor(100);
  const first = (await sellWater(shop, 50, { cash: 50 })).number('id');
  const second = await swap(shop, first, [50, 120], { transactions: byWay({ deposit: 70 }) });
  expect(await depositOf(shop, shop.client)).toBe(30);
  const dearer = await swapping(shop, second, [120, 200], { transactions: byWay({ deposit: 80 }) });
  expect(await errorsOf(`POST ${path(second, 'exchange')}`, shop.director, dearer)).toEqual({
    'transactions.0.amount': translate('ru', { key: 'deposit.not_enough', with: { available: 30 } }),
  });
  const token = await newCashier(shop);
  const cheaper = await swapping(shop, second, [120, 20], { transactions: byWay({ cash: 100 }) });
  expect(await errorsOf(`POST ${path(second, 'exchange')}`, token, cheaper)).toEqual({
    transactions: leastIs(50),
  });
  await swap(shop, second, [120, 20], { transactions: byWay({ deposit: 50, cash: 50 }) });
  expect(await depositOf(shop, shop.client)).toBe(80);
  expect(await faultsOf(shop)).toEqual([]);
});

test('a debt is paid from the account, and its refund and its sale’s return go back there (Part 5, 5A.6, 2 and 3)', async () => {
  const shop = await newDepositor(100);
  const sale = (await sellWater(shop, 200, { debt: 200 })).number('id');
  const pay = 'POST /company/client/debt-payment';
  const too = {
    client_id: shop.client,
    cashbox_id: shop.cashboxId,
    payments: byWay({ cash: 20, deposit: 101 }),
  };
  expect(await errorsOf(pay, shop.director, too)).toEqual({
    'payments.1.amount': translate('ru', { key: 'deposit.not_enough', with: { available: 100 } }),
  });
  const [first, second] = await payDebt(shop, shop.client, { deposit: 70, cash: 30 });
  expect([first, second]).toMatchObject([
    { payment_type: 'deposit', amount: 70, transfer_id: null },
    { payment_type: 'cash', amount: 30 },
  ]);
  expect([await depositOf(shop, shop.client), await cashOf(shop)]).toEqual([30, 130]);
  expect(await faultsOf(shop)).toEqual([]);

  const refunded = await refundDebt(shop, first?.id ?? 0);
  expect(refunded).toMatchObject({ status: 200, body: { is_refunded: true, refund_transfer_id: null } });
  expect([await depositOf(shop, shop.client), await cashOf(shop)]).toEqual([100, 130]);
  await payDebt(shop, shop.client, { deposit: 60 });
  const token = await newCashier(shop);
  expect(await giveBack(shop, sale, [200, { cash: 90 }], token)).toMatchObject({
    status: 422,
    body: { errors: { transactions: [leastIs(60)] } },
  });
  expect((await giveBack(shop, sale, [200, { deposit: 60, cash: 30 }], token)).status).toBe(200);
  expect([await depositOf(shop, shop.client), await cashOf(shop)]).toEqual([100, 100]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('money that has left a cheque is not refunded out of what came from the account, without the right to payouts (Part 5, 5A.6, 3)', async () => {
  const shop = await newDepositor(1000);
  const cashier = await newCashier(shop, [RETURN, REFUND]);
  const first = (await sellWater(shop, 2000, { debt: 2000 })).number('id');
  const [inMoney] = await payDebt(shop, shop.client, { cash: 1000 });
  await swap(shop, first, [1000, 1000]);
  await payDebt(shop, shop.client, { deposit: 1000 });
  const request = `POST /company/client/debt-payment/${inMoney?.id}/refund`;
  expect(await call(request, { token: cashier })).toMatchObject(errorWith('debt_payment.paid_out'));
  expect(await giveBack(shop, first, [1000, { cash: 1000 }], cashier)).toMatchObject({
    status: 422,
    body: { errors: { transactions: [leastIs(1000)] } },
  });
  const payer = await newCashier(shop, [REFUND, PAYOUT]);
  expect((await call(request, { token: payer })).status).toBe(200);
  expect([await depositOf(shop, shop.client), await cashOf(shop)]).toEqual([0, 1000]);
  expect(await faultsOf(shop)).toEqual([]);
});

/** Sells to the client for dollars at 11 000, and for sums from the account worth less than a cent. */
async function sellForCoins(shop: Depositor): Promise<number> {
  const paid = { transactions: [inCash(0.11, 'usd'), ...byWay({ deposit: 19.44 })] };
  return (await sellWater(shop, 1229.44, {}, paid)).number('id');
}

test('what came from the account is not paid in cash by itself, though it is under one foreign cent (Part 5, 5A.6, 3; Part 5, 5B.5)', async () => {
  const shop = await newDepositor(38.88);
  await setRate(shop, 'usd', 11_000);
  const [first, second] = [await sellForCoins(shop), await sellForCoins(shop)];
  const [dollars, body] = [[inCash(0.11, 'usd')], { transactions: [inCash(0.11, 'usd')] }];
  for (const token of [shop.director, await newCashier(shop)]) {
    for (const json of [body, await swapping(shop, first, [1229.44, 1], body)]) {
      const what = 'products' in json ? 'exchange' : 'return';
      const { status, body: seen } = await call(`POST ${path(first, `${what}/preview`)}`, { token, json });
      const left = what === 'exchange' ? 18.44 : 19.44;
      expect({ status, seen }).toMatchObject({ status: 200, seen: { due: { left, deposit_least: left } } });
    }
    expect(await errorsOf(`PATCH ${path(first, 'return')}`, token, body)).toHaveProperty('transactions');
  }
  const token = await newCashier(shop);
  const whole = { transactions: [...dollars, ...byWay({ deposit: 19.44 })] };
  expect((await call(`PATCH ${path(first, 'return')}`, { token, json: whole })).status).toBe(200);
  const named = { transactions: [...dollars, ...byWay({ cash: 19.44 })] };
  expect(await errorsOf(`PATCH ${path(second, 'return')}`, token, named)).toEqual({
    transactions: leastIs(19.44),
  });
  expect((await call(`PATCH ${path(second, 'return')}`, { token: shop.director, json: named })).status).toBe(
    200,
  );
  expect(await depositOf(shop, shop.client)).toBe(19.44);
  expect(await faultsOf(shop)).toEqual([]);
});

test('a refund beyond the money of the cheque’s currency stands for its foreign cash, not for the account’s (Part 4, 4.6, 1; Part 5, 5A.6, 3)', async () => {
  const shop = await newDepositor(1000);
  await setRate(shop, 'usd', 11_000);
  const paid = { transactions: [inCash(0.11, 'usd'), ...byWay({ debt: 1000 })], due_date: '2099-01-31' };
  const sale = (await sellWater(shop, 2210, {}, paid)).number('id');
  const [inMoney] = await payDebt(shop, shop.client, { cash: 1000 });
  expect((await giveBack(shop, sale, [1000, { cash: 1000 }])).status).toBe(200);
  expect((await refundDebt(shop, inMoney?.id ?? 0)).status).toBe(200);
  await payDebt(shop, shop.client, { deposit: 1000 });
  expect(await dueOf(shop, `POST ${path(sale, 'return/preview')}`, {})).toMatchObject({
    ...{ amount: 1210, left: 1210, deposit_least: 1000 },
    foreign: [{ currency: 'usd', most: 0.01 }],
  });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a debt that is paid from the account in parts has an entry for each (Part 5, 5A.6, 1 and 2)', async () => {
  const shop = await newDepositor(100);
  for (const pieces of [10, 20, 30]) await sellWater(shop, pieces, { debt: pieces });
  await payDebt(shop, shop.client, { cash: 5, deposit: 50 });
  const { body } = await call('GET /company/client/deposit?filter[type]=debt_payment&sort[]=id', {
    token: shop.director,
  });
  expect(body).toMatchObject({
    data: [
      { amount: -5, balance_after: 95 },
      { amount: -20, balance_after: 75 },
      { amount: -25, balance_after: 50 },
    ],
  });
  expect(await faultsOf(shop)).toEqual([]);
});
