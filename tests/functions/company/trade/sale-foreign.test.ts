import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { faultsOf } from '#tests/support/books.ts';
import { addClient, giveBonuses, newClientWithTariff } from '#tests/support/clients.ts';
import { allCashOf, inCash, transfersOf, trySelling } from '#tests/support/foreign.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf } from '#tests/support/records.ts';
import { linesOfSale, sendReturn } from '#tests/support/returns.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { beginShift, endShift, newShiftShop } from '#tests/support/shifts.ts';
import { newGoods, newShop, type Shop, saleBody, setRate } from '#tests/support/shop.ts';

const SELL = 'POST /company/trade/sale';
const WATER = [{ quantity: 100, cost: 1 }];
const TOO_LITTLE = translate('ru', { key: 'sale.foreign_too_little' });
const TWICE = translate('ru', { key: 'validation.duplicate' });
const noChange = (total: number) => translate('ru', { key: 'sale.change_not_given', with: { total } });

/** Creates a shop with pieces of a product at 5000 sums, some of which are sold already: for change. */
async function newTill(sold = 0) {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  if (sold > 0) await trySelling(shop, [id, sold], [inCash(5000 * sold)]);
  return { shop, id };
}

/** Returns the errors of a sale of one piece at 5000. */
async function errorsOfOne(shop: Shop, product_id: number, transactions: readonly object[], given = {}) {
  const products = [{ product_id, sold_quantity: 1 }];
  return errorsOf(SELL, shop.director, saleBody(shop, { products, transactions, ...given }));
}

test('cash in another currency counts by the rates the sale keeps, and the desk has it in that currency (Part 4, 4.6 (1))', async () => {
  const { shop, id } = await newTill();
  await setRate(shop, 'usd', 12_500);
  const { status, body } = await trySelling(shop, [id, 5], [inCash(2, 'usd')]);
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      currency: 'uzs',
      sold_amount: 25_000,
      received_amount: 25_000,
      change_amount: 0,
      payment_rates: null,
      transactions: [{ payment_type: 'cash', amount: 2, currency: 'usd', counted_amount: 25_000 }],
    },
  });
  expect(await allCashOf(shop)).toMatchObject({ uzs: 0, usd: 2 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('payments show currency and counted_amount, in the sale’s own currency too', async () => {
  const { shop, id } = await newTill();
  await setRate(shop, 'usd', 12_500);
  const { body } = await trySelling(
    shop,
    [id, 10],
    [inCash(2, 'usd'), inCash(5000), { payment_type: 'card', amount: 20_000, currency: 'uzs' }],
  );
  expect(body).toMatchObject({
    transactions: [
      { payment_type: 'cash', amount: 2, currency: 'usd', counted_amount: 25_000 },
      { payment_type: 'cash', amount: 5000, currency: 'uzs', counted_amount: 5000 },
      { payment_type: 'card', amount: 20_000, currency: 'uzs', counted_amount: 20_000 },
    ],
    received_amount: 50_000,
  });
  expect(await allCashOf(shop)).toMatchObject({ uzs: 5000, usd: 2 });
});

test('`counted_amount` is rounded once, down (Part 4, 4.6 (1))', async () => {
  const { shop } = await newTill();
  await setRate(shop, 'rub', 0.5);
  const id = await newGoods(shop, WATER, { sale_price: 0.01 });
  const { body } = await trySelling(shop, [id, 1], [inCash(0.03, 'rub')]);
  expect(body).toMatchObject({ sold_amount: 0.01, transactions: [{ counted_amount: 0.01 }] });
});

test('where sales are in dollars, sums under the worth of a cent are no cent, and pay none back (Part 4, 4.6 (1))', async () => {
  const { shop } = await newTill();
  await setRate(shop, 'usd', 12_650);
  const { director: token } = shop;
  const json = { sale_currency: 'usd' };
  const set = await call('PATCH /company/cashbox/currency-rate/settings', { token, json });
  expect(set.status).toBe(200);
  const id = await newGoods(shop, WATER, { sale_price: 0.01, sale_currency: 'usd' });
  const sell = (sums: number) => trySelling(shop, [id, 1], [inCash(sums, 'uzs')], { currency: 'usd' });
  for (const sums of [64, 126, 126.49]) {
    const { status, body } = await sell(sums);
    expect({ sums, status, body }).toMatchObject({
      status: 422,
      body: { codes: { 'transactions.0.currency': ['sale.foreign_too_little'] } },
    });
  }
  const sold = await sell(126.5);
  expect(sold).toMatchObject({ status: 200, body: { transactions: [{ counted_amount: 0.01 }] } });
  const back = { transactions: [inCash(126.5, 'uzs')] };
  expect((await sendReturn(shop, sold.number('id'), back)).status).toBe(200);
  expect(await allCashOf(shop)).toMatchObject({ uzs: 0, usd: 0 });
});

test('a payment that counts for 0, or a rate of 0, is 422 on transactions.<i>.currency', async () => {
  const { shop, id } = await newTill();
  await setRate(shop, 'rub', 0.4);
  await setRate(shop, 'eur', 0);
  expect(await errorsOfOne(shop, id, [inCash(5000), inCash(0.01, 'rub')])).toEqual({
    'transactions.1.currency': TOO_LITTLE,
  });
  expect(await errorsOfOne(shop, id, [inCash(5000), inCash(0.01, 'eur')])).toEqual({
    'transactions.1.currency': translate('ru', { key: 'rate.missing', with: { currency: 'eur' } }),
  });
});

test('no two payments are of one type and currency, named or not; of one type and two currencies they are', async () => {
  const { shop, id } = await newTill();
  const twice = { 'transactions.1.payment_type': TWICE };
  const pairs = [
    [inCash(2500), inCash(2500)],
    [inCash(2500), inCash(2500, 'uzs')],
    [inCash(0.1, 'usd'), inCash(0.1, 'usd')],
  ];
  for (const pair of pairs) expect(await errorsOfOne(shop, id, pair)).toEqual(twice);
  await setRate(shop, 'usd', 10_000);
  await setRate(shop, 'eur', 10_000);
  const three = [inCash(3000), inCash(0.1, 'usd'), inCash(0.1, 'eur')];
  expect(await trySelling(shop, [id, 1], three)).toMatchObject({ status: 200 });
});

test('what is too much is given back in the sale’s currency, a transfer of source change after the incomes', async () => {
  const { shop, id } = await newTill();
  const sale = await trySelling(
    shop,
    [id, 5],
    [inCash(1, 'usd'), { payment_type: 'card', amount: 12_000 }, inCash(1000)],
  );
  const saleId = sale.number('id');
  expect(sale.body).toMatchObject({ sold_amount: 25_000, change_amount: 650, received_amount: 25_000 });
  expect(await transfersOf(shop)).toEqual([
    `sale ${saleId} income cash usd 1`,
    `sale ${saleId} income card uzs 12000`,
    `sale ${saleId} income cash uzs 1000`,
    `change ${saleId} outcome cash uzs 650`,
  ]);
  expect(await allCashOf(shop)).toMatchObject({ uzs: 350, usd: 1 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('change is never given with a debt or bonuses; without change both may stand beside foreign cash', async () => {
  const { shop, id } = await newTill(20);
  const client_id = await addClient(shop);
  await giveBonuses(shop, client_id, 100_000);
  await setRate(shop, 'usd', 10_000);
  const none = { transactions: noChange(5000) };
  const owed = { client_id, due_date: '2099-01-31' };
  for (const payment_type of ['debt', 'bonus']) {
    const other = { payment_type, amount: 1000 };
    expect(await errorsOfOne(shop, id, [inCash(1, 'usd'), other], owed)).toEqual(none);
    const even = [inCash(0.4, 'usd'), other];
    expect(await trySelling(shop, [id, 1], even, owed)).toMatchObject({ body: { change_amount: 0 } });
  }
  expect(await faultsOf(shop)).toEqual(['clients: client 1 has bonuses of 0 uzs, cheques leave -100000']);
});

test('of a sale partly on debt the client owes what dollars do not pay, and that is judged by the limit', async () => {
  const { shop, id } = await newTill();
  await setRate(shop, 'usd', 12_500);
  const client_id = await addClient(shop);
  const limited = { full_name: 'Aziz', main_phone: '998901112233', debt_limits: { uzs: 12_000 } };
  const path = `PUT /company/client/client/${client_id}`;
  expect((await call(path, { token: shop.director, json: limited })).status).toBe(200);
  const owed = { client_id, due_date: '2099-01-31' };
  const paid = (dollars: number, debt: number) => {
    return [inCash(dollars, 'usd'), { payment_type: 'debt', amount: debt }];
  };
  const refused = await trySelling(shop, [id, 5], paid(1, 12_500), owed);
  expect(refused).toMatchObject({
    status: 422,
    body: { codes: { 'transactions.1.amount': expect.anything() } },
  });
  const sold = await trySelling(shop, [id, 5], paid(1.04, 12_000), owed);
  expect(sold.body).toMatchObject({ sold_amount: 25_000, received_amount: 13_000, change_amount: 0 });
  const debts = await call('GET /company/client/debt', { token: shop.director });
  expect(debts.body).toMatchObject({ data: [{ currency: 'uzs', amount: 12_000, remaining_amount: 12_000 }] });
  expect(await allCashOf(shop)).toMatchObject({ uzs: 0, usd: 1.04 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('bonuses are earned by what payments count for, less the change', async () => {
  const { shop, id } = await newTill(20);
  const client_id = await newClientWithTariff(shop, 10);
  const { body } = await trySelling(shop, [id, 5], [inCash(4, 'usd')], { client_id });
  expect(body).toMatchObject({ sold_amount: 25_000, change_amount: 25_600, bonus_earned: 2500 });
});

test('shift rows are by type and currency, and tell the change', async () => {
  const shop = await newShiftShop();
  const id = await newGoods(shop, WATER);
  const shift = await beginShift(shop, {
    opening_balances: [{ payment_type: 'cash', currency: 'uzs', amount: 50_000 }],
  });
  await trySelling(shop, [id, 5], [inCash(2, 'usd')]);
  const { summary } = await endShift(shop, shift);
  expect(summary.rows).toMatchObject([
    { payment_type: 'cash', currency: 'uzs', opening: 50_000, income: 0, outcome: 300, expected: 49_700 },
    { payment_type: 'cash', currency: 'usd', opening: 0, income: 2, outcome: 0, expected: 2 },
  ]);
  expect(summary.transactions).toMatchObject([
    { source_type: 'shift' },
    { source_type: 'sale', currency: 'usd', type: 'income', count: 1, amount: 2 },
    { source_type: 'change', currency: 'uzs', type: 'outcome', count: 1, amount: 300 },
  ]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('the same key with another currency of a payment is 409; the sale’s own, named or not, is the same', async () => {
  const { shop, id } = await newTill(20);
  const key = { key: 'till-1' };
  const first = await trySelling(shop, [id, 1], [inCash(5000)], key);
  expect(first.status).toBe(200);
  expect(await trySelling(shop, [id, 1], [inCash(5000, 'uzs')], key)).toMatchObject({ body: first.body });
  const reused = { status: 409, body: { code: 'sale.key_reused' } };
  expect(await trySelling(shop, [id, 1], [inCash(5000, 'rub')], key)).toMatchObject(reused);
});

test('what is paid for an exchange and for a debt is in no other currency (Part 4, 4.6 (1))', async () => {
  const { shop, id } = await newTill(20);
  const unknown = translate('ru', { key: 'validation.unknown' });
  const sale = await trySelling(shop, [id, 1], [inCash(5000)]);
  const [line] = await linesOfSale(shop, sale.number('id'));
  const exchange = {
    ...saleBody(shop, { company_id: shop.companyId, products: [{ product_id: id, sold_quantity: 2 }] }),
    returned_products: [{ id: line?.id, returned_quantity: 1, reason_type: 'not_match' }],
    transactions: [inCash(5000, 'usd')],
  };
  const path = `POST /company/trade/sale/${sale.number('id')}/exchange`;
  expect(await errorsOf(path, shop.director, exchange)).toEqual({
    'transactions.0.currency': translate('ru', { key: 'exchange.foreign_surcharge' }),
  });
  const client_id = await addClient(shop);
  const payment = { client_id, cashbox_id: shop.cashboxId, payments: [inCash(1, 'usd')] };
  expect(await errorsOf('POST /company/client/debt-payment', shop.director, payment)).toEqual({
    'payments.0.currency': unknown,
  });
});

test('printed forms show both amounts and the change, in the caller’s language, and the list as a workbook what counts', async () => {
  const { shop, id } = await newTill(20);
  const sale = (await trySelling(shop, [id, 5], [inCash(2, 'usd')])).number('id');
  const texts = {
    ru: ['Оплачено: Наличные, USD', 'Засчитано: Наличные, USD, в UZS', 'Сдача, UZS'],
    uz: ['Тўланди: Нақд, USD', 'Ҳисобга олинди: Нақд, USD, UZS да', 'Қайтим, UZS'],
  };
  for (const locale of ['ru', 'uz'] as const) {
    for (const form of ['print', 'invoice?format=excel']) {
      const { rows } = await downloadSheet(`/company/trade/sale/${sale}/${form}`, shop.director, locale);
      const amounts = texts[locale].map((text) => {
        return rows.find((row) => row.includes(text))?.findLast((cell) => typeof cell === 'number');
      });
      expect(amounts).toEqual([2, 25_300, 300]);
    }
  }
  const { rows } = await downloadSheet('/company/trade/sale?format=excel', shop.director);
  expect(rows[1]).toContain(25_000);
  expect(rows[1]).not.toContain(25_300);
});
