import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { makerOf } from '#lib/auth/actor.ts';
import { clientBalancesKey } from '#lib/clients/client-balances.ts';
import { newDebtWrites } from '#lib/clients/debt/change.ts';
import { debts } from '#lib/clients/debt/record.ts';
import { update } from '#lib/table/change/write.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { DebtPaymentsResponse } from '#lib/trade/debt-payment/pay.ts';
import { readPayments } from '#lib/trade/debt-payment/read.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { translate } from '#lib/values/message.ts';
import { addClient } from '#tests/support/clients.ts';
import { debtOf, lend, newWater, openDebtsIn, payDebt, paying, refundDebt } from '#tests/support/debts.ts';
import { directorAs, mainDeskIn, newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, idsOf, make, NOT_FOUND } from '#tests/support/records.ts';
import { back, linesOfSale, sendReturn } from '#tests/support/returns.ts';
import { addMoney, cashOf, newShop, type Shop } from '#tests/support/shop.ts';

const PAYMENTS = '/company/client/debt-payment';
const PAY = `POST ${PAYMENTS}`;

/**
 * Creates a shop with a client whose debts are 300 by March, 500 by January and 200 by February, in this
 * order.
 */
async function newDebtor() {
  const shop = await newShop();
  const [client, water] = await Promise.all([addClient(shop), newWater(shop)]);
  const sales: number[] = [];
  for (const [amount, due] of [
    [300, '2099-03-31'],
    [500, '2099-01-31'],
    [200, '2099-02-28'],
  ] as const) {
    sales.push(await lend(shop, { client, water, amount, due }));
  }
  const [march = 0, january = 0, february = 0] = await debtsOf(shop);
  return { shop, client, water, sales, march, january, february };
}

/** Lists the ids of the shop's debts, the oldest first. */
function debtsOf({ director }: Shop): Promise<number[]> {
  return idsOf('/company/client/debt', director);
}

function errors(shop: Shop, json: object): Promise<Record<string, string>> {
  return errorsOf(PAY, shop.director, json);
}

test('a payment goes to the earliest due debts first, each part a payment and an income (Contract 9.52)', async () => {
  const { shop, client, march, january, february } = await newDebtor();
  const token = shop.director;
  const json = paying(shop, client, { card: 400, cash: 350.5 });
  const { status, body } = await call(PAY, { token, json });
  expect(status).toBe(200);
  const [first, second, third, fourth] = await idsOf(PAYMENTS, token);
  const common = { client_id: client, company_id: shop.companyId, creator_id: shop.directorId };
  const flags = { is_refunded: false, is_imported: false, is_refundable: true, currency: 'uzs' };
  const part = { ...common, ...flags, cashbox_id: shop.cashboxId };
  const left = (id: number, repaid_amount: number, remaining_amount: number, state: string) => ({
    debt_id: id,
    debt: { id, repaid_amount, remaining_amount, status: state },
  });
  expect(body).toMatchObject({
    data: [
      { id: first, ...part, payment_type: 'card', amount: 400, ...left(january, 500, 0, 'repaid') },
      { id: second, ...part, payment_type: 'cash', amount: 100, ...left(january, 500, 0, 'repaid') },
      { id: third, ...part, payment_type: 'cash', amount: 200, ...left(february, 200, 0, 'repaid') },
      {
        ...{ id: fourth, ...part, payment_type: 'cash', amount: 50.5 },
        ...left(march, 50.5, 249.5, 'partially_repaid'),
      },
    ],
  });
  expect([await cashOf(shop), await cashOf(shop, 'card')]).toEqual([350.5, 400]);
  expect(await openDebtsIn(shop, client)).toEqual([[march, 24_950]]);
  const transfers = await call(`GET ${PAYMENTS}?sort[]=id&with[]=debt`, { token });
  expect(transfers.body).toMatchObject({
    data: [first, second, third, fourth].map((id) => ({ id })),
    meta: { total: 4, per_page: 20 },
  });
});

test('payments too large to be saved are returned again by their ids', async () => {
  const { shop, client } = await newDebtor();
  const paid = await call(PAY, { token: shop.director, json: paying(shop, client, { cash: 600 }) });
  const ids = paid.rows().map((each) => each.number('id'));
  const director = directorAs(shop.directorId, shop.companyId);
  expect(ids).toHaveLength(2);
  expect(DebtPaymentsResponse.parse(await readPayments(director, ids, Date.now()))).toEqual(paid.body);
});

test('debts due on the same day are paid in the order in which they were made', async () => {
  const shop = await newShop();
  const [client, water] = await Promise.all([addClient(shop), newWater(shop)]);
  for (const amount of [10, 20, 30]) await lend(shop, { client, water, amount });
  const [first, second, third] = await debtsOf(shop);
  expect(await payDebt(shop, client, { cash: 35 })).toMatchObject([
    { debt_id: first, amount: 10 },
    { debt_id: second, amount: 20 },
    { debt_id: third, amount: 5 },
  ]);
});

test('more than is owed is 422 on payments, and nothing is paid (Contract 9.52)', async () => {
  const { shop, client } = await newDebtor();
  expect(await errors(shop, paying(shop, client, { cash: 600, card: 400.01 }))).toEqual({
    payments: translate('ru', { key: 'debt_payment.too_much', with: { remaining: 1000 } }),
  });
  expect(await errors(shop, { ...paying(shop, client, { cash: 1 }), currency: 'usd' })).toEqual({
    payments: translate('ru', { key: 'debt_payment.too_much', with: { remaining: 0 } }),
  });
  expect(await cashOf(shop)).toBe(0);
  expect(await payDebt(shop, client, { cash: 600, card: 400 })).toHaveLength(4);
  expect(await openDebtsIn(shop, client)).toEqual([]);
});

/** Writes a number of debts of 1 of a client directly to the table. */
async function oweMany({ companyId, directorId }: Shop, client_id: number, count: number): Promise<void> {
  const tenant = familyTenant(companyId);
  const first = await nextId(debts.type, tenant, count);
  const at = Date.now();
  const maker = makerOf({ id: directorId });
  const debt = { ...maker, company_id: companyId, client_id, sale_id: 1, comment: null };
  const rest = { amount: 100, currency: 'uzs', due_date: at, created_at: at, updated_at: at } as const;
  for (const part of splitEvery([...Array(count).keys()], 40)) {
    await transact(part.flatMap((index) => newDebtWrites(tenant, { ...debt, ...rest, id: first + index })));
  }
  await transact([update(clientBalancesKey(tenant, client_id), { add: { debt_uzs: count * 100 } })]);
}

test('a payment covers at most 300 debts: more is 422 on payments (Contract 9.81)', async () => {
  const shop = await newShop();
  const client = await addClient(shop);
  await oweMany(shop, client, 301);
  const text = translate('ru', { key: 'debt_payment.too_many_debts', with: { max: 300, amount: 300 } });
  expect(await errors(shop, paying(shop, client, { cash: 300.01 }))).toEqual({ payments: text });
  expect(await payDebt(shop, client, { cash: 300 })).toHaveLength(300);
  expect(await payDebt(shop, client, { cash: 1 })).toHaveLength(1);
});

test('every field of a payment is checked', async () => {
  const { shop, client } = await newDebtor();
  const body = paying(shop, client, { cash: 10 });
  const main = await make('/company/cashbox/cashbox', shop.director, { name: 'Desk 2', type: 'sale' });
  const { director: token } = shop;
  await call(`DELETE /company/cashbox/cashbox/${main}`, { token });
  expect(await errors(shop, { ...body, client_id: 77, cashbox_id: main })).toEqual({
    client_id: NOT_FOUND,
    cashbox_id: NOT_FOUND,
  });
  expect(Object.keys(await errors(shop, { payments: [] })).sort()).toEqual([
    'cashbox_id',
    'client_id',
    'payments',
  ]);
  const wrong = [
    { payment_type: 'debt', amount: 1 },
    { payment_type: 'bonus', amount: 1 },
    { payment_type: 'cash', amount: 0.001 },
    { payment_type: 'card', amount: 0 },
  ];
  expect(Object.keys(await errors(shop, { ...body, payments: wrong })).sort()).toEqual([
    'payments.0.payment_type',
    'payments.1.payment_type',
    'payments.2.amount',
    'payments.3.amount',
  ]);
  const twice = [
    { payment_type: 'cash', amount: 1 },
    { payment_type: 'cash', amount: 2 },
  ];
  expect(Object.keys(await errors(shop, { ...body, payments: twice }))).toEqual(['payments.1.payment_type']);
});

test('a main desk takes no debts', async () => {
  const { shop, client } = await newDebtor();
  const json = { ...paying(shop, client, { cash: 10 }), cashbox_id: await mainDeskIn(shop) };
  expect(await errors(shop, json)).toEqual({
    cashbox_id: translate('ru', { key: 'debt_payment.cashbox_not_for_sales' }),
  });
});

test('an amount that a desk has no room for is 422 on it (Contract 8)', async () => {
  const { shop, client } = await newDebtor();
  await addMoney(shop, { card_uzs: 99_999_999_999_999 });
  expect(await errors(shop, paying(shop, client, { cash: 1, card: 1 }))).toEqual({
    'payments.1.amount': translate('ru', { key: 'balance.too_large', with: { max: 999_999_999_999.99 } }),
  });
});

test('a payment is refunded: the money leaves the desk and is owed again', async () => {
  const { shop, client, march, january, february } = await newDebtor();
  const [payment] = await payDebt(shop, client, { cash: 600 });
  const id = payment?.id ?? 0;
  expect(await refundDebt(shop, id)).toMatchObject({
    status: 200,
    body: { id, amount: 500, is_refunded: true, is_refundable: false, debt_id: january },
  });
  expect(await cashOf(shop)).toBe(100);
  expect(await debtOf(shop, january)).toMatchObject({
    status: 'not_repaid',
    repaid_amount: 0,
    remaining_amount: 500,
  });
  expect(await openDebtsIn(shop, client)).toEqual([
    [january, 50_000],
    [february, 10_000],
    [march, 30_000],
  ]);
  const { body } = await call(`GET ${PAYMENTS}/${id}`, { token: shop.director });
  expect(body).toMatchObject({ is_refunded: true, is_refundable: false });
  expect(await refundDebt(shop, id)).toMatchObject(errorWith('debt_payment.not_refundable'));
  expect(await payDebt(shop, client, { cash: 900 })).toHaveLength(3);
});

test('a desk that has too little refunds nothing: 400', async () => {
  const { shop, client, january } = await newDebtor();
  const [payment] = await payDebt(shop, client, { cash: 600 });
  await addMoney(shop, { cash_uzs: -20_000 });
  expect(await refundDebt(shop, payment?.id ?? 0)).toMatchObject(
    errorWith('cashbox.not_enough_money', { available: 400 }),
  );
  expect((await debtOf(shop, january)).repaid_amount).toBe(500);
});

test('a desk that is deleted or not open to the caller refunds nothing: 400', async () => {
  const { shop, client } = await newDebtor();
  const cashboxId = await make('/company/cashbox/cashbox', shop.director, { name: 'Desk 2', type: 'sale' });
  const [payment] = await payDebt({ ...shop, cashboxId }, client, { cash: 600 });
  const other = await newEmployee(shop, ['company.client.debt-payment.refund']);
  expect(await call(`POST ${PAYMENTS}/${payment?.id}/refund`, { token: other })).toMatchObject(
    errorWith('debt_payment.cashbox_gone'),
  );
});

test('money that a return has paid out is not refunded: 400 (Contract 8)', async () => {
  const shop = await newShop();
  const [client, water] = await Promise.all([addClient(shop), newWater(shop)]);
  const sale = await lend(shop, { client, water, amount: 1000, cash: 200 });
  const [paid] = await payDebt(shop, client, { cash: 700 });
  const [line] = await linesOfSale(shop, sale);
  await sendReturn(shop, sale, back({ [line?.id ?? 0]: 500 }, 400));
  expect(await debtOf(shop, paid?.debt_id ?? 0)).toMatchObject({ status: 'repaid', returned_amount: 100 });
  expect(await refundDebt(shop, paid?.id ?? 0)).toMatchObject(errorWith('debt_payment.paid_out'));
  await addMoney(shop, { cash_uzs: 100_000 });
  expect((await refundDebt(shop, paid?.id ?? 0)).status).toBe(400);
});

test('a debt that a return has closed is repaid and not paid any more (Contract 9.53)', async () => {
  const { shop, client, sales, march, january, february } = await newDebtor();
  const sale = sales[1] ?? 0;
  const [line] = await linesOfSale(shop, sale);
  await sendReturn(shop, sale, back({ [line?.id ?? 0]: 500 }));
  expect(await debtOf(shop, january)).toMatchObject({ status: 'repaid', remaining_amount: 0 });
  expect(await payDebt(shop, client, { cash: 500 })).toMatchObject([
    { debt_id: february },
    { debt_id: march },
  ]);
  expect(await openDebtsIn(shop, client)).toEqual([]);
});

test('a repeated payment or refund is answered again, and made once', async () => {
  const { shop, client } = await newDebtor();
  const headers = { 'idempotency-key': randomUUID() };
  const json = paying(shop, client, { cash: 600 });
  const { director: token } = shop;
  const [first, again] = [
    await call(PAY, { token, json, headers }),
    await call(PAY, { token, json, headers }),
  ];
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  const key = { 'idempotency-key': randomUUID() };
  const id = first.number('data.0.id');
  const refunded = await refundDebt(shop, id, key);
  expect((await refundDebt(shop, id, key)).body).toEqual(refunded.body);
  expect(await cashOf(shop)).toBe(100);
});

test('a list of payments has its filters and embeds', async () => {
  const { shop, client, january } = await newDebtor();
  const ids = (await payDebt(shop, client, { card: 400, cash: 200 })).map(({ id }) => id);
  const [first = 0, second = 0, third = 0] = ids;
  await refundDebt(shop, second);
  const token = shop.director;
  const found = (filter: string) => idsOf(PAYMENTS, token, filter);
  expect(await found('filter[payment_type]=cash')).toEqual([second, third]);
  expect(await found('filter[payment_type][]=cash&filter[payment_type][]=card')).toEqual(ids);
  expect(await found('filter[currency][]=uzs&filter[currency][]=usd')).toEqual(ids);
  expect(await found('filter[currency]=usd')).toEqual([]);
  expect(await found('filter[is_refunded]=1')).toEqual([second]);
  expect(await found('filter[is_refunded]=false')).toEqual([first, third]);
  expect(await found(`filter[debt_id]=${january}`)).toEqual([first, second]);
  expect(await found(`filter[client_id]=${client}&filter[cashbox_id]=${shop.cashboxId}`)).toEqual(ids);
  expect(await found(`filter[company_id][]=${shop.companyId}&filter[creator_id]=${shop.directorId}`)).toEqual(
    ids,
  );
  expect(await found(`filter[id][]=${first}&filter[id][]=${third}`)).toEqual([first, third]);
  expect(await found('filter[created_at][1]=2001-01-01')).toEqual([]);
  const embeds = ['creator.profile', 'company', 'client', 'debt', 'cashbox'];
  const asked = embeds.map((name) => `with[]=${name}`).join('&');
  const { body } = await call(`GET ${PAYMENTS}/${second}?${asked}`, { token });
  expect(body).toMatchObject({
    creator: { id: shop.directorId, profile: { full_name: 'Test' } },
    company: { id: shop.companyId },
    client: {
      id: client,
      bonus_entries_amount: 0,
      bonus_accumulations_amount: 0,
      main_phone: '998901112233',
    },
    debt: {
      id: january,
      remaining_amount: 100,
      overdue_days: 0,
      by_currency: { uzs: { amount: 500, repaid_amount: 400, returned_amount: 0, remaining_amount: 100 } },
    },
    cashbox: { id: shop.cashboxId },
  });
  const list = await call(`GET ${PAYMENTS}?sort[]=-created_at&${asked}`, { token });
  expect(list.body).toMatchObject({ data: expect.arrayContaining([body]), meta: { per_page: 20 } });
  expect((await call(`GET ${PAYMENTS}?page-size=21`, { token })).status).toBe(422);
});

test('a payment is another family’s neither to see nor to refund', async () => {
  const { shop, client } = await newDebtor();
  const [payment] = await payDebt(shop, client, { cash: 600 });
  const { director: token } = await newFamily();
  expect((await call(`GET ${PAYMENTS}/${payment?.id}`, { token })).status).toBe(404);
  expect((await call(`POST ${PAYMENTS}/${payment?.id}/refund`, { token })).status).toBe(404);
  expect(await idsOf(PAYMENTS, token)).toEqual([]);
});
