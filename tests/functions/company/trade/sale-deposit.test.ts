import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { dayOf } from '#lib/values/time.ts';
import { faultsOf } from '#tests/support/books.ts';
import { newClientWithTariff } from '#tests/support/clients.ts';
import { byWay, depositOf, newDepositor, sellWater, takeDeposit, waterFor } from '#tests/support/deposits.ts';
import { transfersOf } from '#tests/support/foreign.ts';
import { call } from '#tests/support/http.ts';
import { downloadPage, textsOnPage } from '#tests/support/pages.ts';
import { errorsOf } from '#tests/support/records.ts';
import { beginShift, enableShifts, endShift } from '#tests/support/shifts.ts';
import { cashOf, setRate } from '#tests/support/shop.ts';

const SALE = 'POST /company/trade/sale';
const ENTRIES = '/company/client/deposit';
const notEnough = (available: number) => translate('ru', { key: 'deposit.not_enough', with: { available } });

test('a sale takes the client’s deposit, without a transfer or money of a desk, and counts it as received (Part 5, 5A.6, 2)', async () => {
  const shop = await newDepositor(100);
  const sold = await sellWater(shop, 130, { deposit: 80, cash: 50 });
  expect(sold).toMatchObject({
    status: 200,
    body: {
      received_amount: 130,
      client_before: { deposit: 100 },
      transactions: [
        { payment_type: 'deposit', amount: 80, counted_amount: 80, transfer_id: null, debt_id: null },
        { payment_type: 'cash', amount: 50 },
      ],
    },
  });
  expect([await depositOf(shop, shop.client), await cashOf(shop)]).toEqual([20, 150]);
  expect(await transfersOf(shop)).toEqual([
    'deposit 1 income cash uzs 100',
    `sale ${sold.number('id')} income cash uzs 50`,
  ]);
  const query = `filter[type]=sale&filter[client_id]=${shop.client}`;
  expect((await call(`GET ${ENTRIES}?${query}`, { token: shop.director })).body).toMatchObject({
    data: [
      {
        ...{ type: 'sale', amount: -80, balance_after: 20, source_id: sold.number('id'), transfer_id: null },
        ...{ client_id: shop.client, company_id: shop.companyId, cashbox_id: shop.cashboxId },
        ...{ hold_id: null, creator_id: shop.directorId },
      },
    ],
  });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a payment by deposit needs a client, the sale’s currency, and at most the account (Part 5, 5A.6, 2)', async () => {
  const shop = await newDepositor(100);
  await setRate(shop, 'usd', 12_500);
  const errors = (json: object) => errorsOf(SALE, shop.director, json);
  const body = waterFor(shop, 101, { deposit: 101 });
  expect(await errors(body)).toEqual({ 'transactions.0.amount': notEnough(100) });
  expect(await errors({ ...body, client_id: null })).toEqual({
    client_id: translate('ru', { key: 'sale.deposit_without_client' }),
  });
  const dollars = { payment_type: 'deposit', amount: 1, currency: 'usd' };
  expect(await errors({ ...body, transactions: [dollars] })).toEqual({
    'transactions.0.currency': translate('ru', { key: 'sale.foreign_not_cash' }),
  });
  await takeDeposit(shop, shop.client, 900, { currency: 'usd' });
  expect(await errors(body)).toEqual({ 'transactions.0.amount': notEnough(100) });
  expect(await errors(waterFor(shop, 200, { cash: 50, deposit: 150, card: 1 }))).toEqual({
    transactions: translate('ru', { key: 'sale.payments_differ', with: { total: 200 } }),
    'transactions.1.amount': notEnough(100),
  });
  expect(await depositOf(shop, shop.client)).toBe(100);
  expect(await faultsOf(shop)).toEqual([]);
});

test('a deposit earns bonuses as cash does (Part 5, 5A.6, 2)', async () => {
  const shop = await newDepositor(0);
  const client = await newClientWithTariff(shop, 10);
  await takeDeposit(shop, client, 100);
  const sold = await sellWater({ ...shop, client }, 100, { deposit: 60, cash: 40 });
  expect(sold.body).toMatchObject({ bonus_earned: 10 });
  expect((await sellWater({ ...shop, client }, 40, { deposit: 40 })).body).toMatchObject({ bonus_earned: 4 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('of many sales at once the account never pays more than it has (Part 5, 5A.6)', async () => {
  const shop = await newDepositor(100);
  const replies = await Promise.all([40, 40, 40, 40].map((sum) => sellWater(shop, sum, { deposit: sum })));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422]);
  expect(await depositOf(shop, shop.client)).toBe(20);
  expect(await faultsOf(shop)).toEqual([]);
});

test('a preview shows the account, and takes of it what the sale would (Part 5, 5B.5)', async () => {
  const shop = await newDepositor(100);
  const request = `${SALE}/preview`;
  const preview = await call(request, {
    token: shop.director,
    json: waterFor(shop, 130, { deposit: 70 }),
  });
  expect(preview).toMatchObject({ status: 200, body: { due: { deposit: 100, paid: 70, left: 60 } } });
  expect(await errorsOf(request, shop.director, waterFor(shop, 130, { deposit: 101 }))).toEqual({
    'transactions.0.amount': notEnough(100),
  });
  expect(await depositOf(shop, shop.client)).toBe(100);
});

test('a late sale’s deposit is judged at its arrival, and a waiting one takes no more than its first body (Part 5, 5.0, 5)', async () => {
  const shop = await newDepositor(0);
  const token = shop.director;
  const sold_at = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  const late = (deposit: number, cash: number) => {
    const price = { product_id: shop.water, sold_quantity: 60, price: 1 };
    const given = { key: 'late-1', sold_at, products: [price] };
    return waterFor(shop, 60, { deposit, ...(cash > 0 && { cash }) }, given);
  };
  const send = async (deposit: number, cash: number) => {
    const json = { sales: [late(deposit, cash)] };
    return (await call('POST /company/trade/sale/sync', { token, json })).body;
  };
  expect(await send(50, 10)).toMatchObject({
    data: [{ status: 422, errors: { 'transactions.0.amount': [notEnough(0)] } }],
  });
  await takeDeposit(shop, shop.client, 100);
  expect(await send(60, 0)).toMatchObject({ data: [{ status: 409 }] });
  expect(await send(40, 20)).toMatchObject({ data: [{ status: 200, sale: { received_amount: 60 } }] });
  expect(await depositOf(shop, shop.client)).toBe(60);
  expect(await faultsOf(shop)).toEqual([]);
});

test('a sale counts in by_payment_type.deposit, and in its shift’s deposits (Part 5, 5A.6, 5)', async () => {
  const shop = await newDepositor(0);
  await enableShifts(shop);
  const shift = await beginShift(shop);
  await takeDeposit(shop, shop.client, 100);
  await takeDeposit(shop, shop.client, 10, { type: 'outcome' });
  const sold = await sellWater(shop, 50, { deposit: 30, cash: 20 });
  const payout = { transactions: byWay({ deposit: 30, cash: 20 }) };
  const back = await call(`PATCH /company/trade/sale/${sold.number('id')}/return`, {
    token: shop.director,
    json: payout,
  });
  expect(back.status).toBe(200);
  const { summary } = await endShift(shop, shift);
  expect(summary).toMatchObject({
    deposits: [{ currency: 'uzs', received: 100, paid_out: 10, spent: 30, returned: 30 }],
  });
  const day = dayOf(Date.now());
  const query = `group=cashbox&filter[date][0]=${day}&filter[date][1]=${day}`;
  expect((await call(`GET /company/report/sales?${query}`, { token: shop.director })).body).toMatchObject({
    totals: [{ by_payment_type: { cash: 20, deposit: 30 } }],
  });
  expect(await faultsOf(shop)).toEqual([]);
});

test('forms print the deposit as a payment, and what is left (Part 5, 5A.6, 5)', async () => {
  const shop = await newDepositor(100.5);
  const token = shop.director;
  const sale = (await sellWater(shop, 50, { deposit: 30, cash: 20 })).number('id');
  const path = `/company/trade/sale/${sale}`;
  const left = ['Оплачено: Аванс, UZS', 'Остаток аванса, UZS'].map((text) => expect.stringContaining(text));
  for (const form of ['print', 'invoice']) {
    const page = await downloadPage(`${path}/${form}?format=html`, { token });
    expect(textsOnPage(page)).toEqual(expect.arrayContaining([...left, expect.stringContaining('70,50')]));
  }
  await call(`PATCH ${path}/return`, { token, json: { transactions: byWay({ deposit: 30, cash: 20 }) } });
  const { body } = await call(`GET /company/trade/sale/return?filter[sale_id]=${sale}`, { token });
  const [made] = Object(body).data;
  const page = await downloadPage(`${path}/return/${made.id}/print`, { token });
  expect(textsOnPage(page)).toEqual(expect.arrayContaining([expect.stringContaining('Остаток аванса, UZS')]));
});
