import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { faultsOf } from '#tests/support/books.ts';
import { addClient } from '#tests/support/clients.ts';
import { allCashOf, inCash, shopPaidInDollars, transfersOf, trySelling } from '#tests/support/foreign.ts';
import { errorsOf } from '#tests/support/records.ts';
import { linesOfSale, readReturnList, sendReturn } from '#tests/support/returns.ts';
import { newGoods, newShop, type Shop, setRate } from '#tests/support/shop.ts';

const WATER = [{ quantity: 1000, cost: 1 }];
const differ = (total: number) => translate('ru', { key: 'return.payments_differ', with: { total } });
const atMost = (available: number) =>
  translate('ru', { key: 'return.too_much_foreign', with: { available } });

/** Returns pieces of the one line of a sale. */
async function returnPieces(shop: Shop, sale: number, pieces: number, transactions: readonly object[]) {
  return sendReturn(shop, sale, { products: await productsOf(shop, sale, pieces), transactions });
}

async function productsOf(shop: Shop, sale: number, returned_quantity: number) {
  const [line] = await linesOfSale(shop, sale);
  return [{ id: line?.id, returned_quantity, reason_type: 'not_match' }];
}

async function errorsOfReturn(shop: Shop, sale: number, pieces: number, transactions: readonly object[]) {
  const json = { products: await productsOf(shop, sale, pieces), transactions };
  return errorsOf(`PATCH /company/trade/sale/${sale}/return`, shop.director, json);
}

test('a return pays back in the currency in which cash came, at the kept rates', async () => {
  const { shop, sale } = await shopPaidInDollars(2, 5);
  await setRate(shop, 'usd', 13_000);
  const back = await returnPieces(shop, sale, 5, [inCash(2, 'usd')]);
  expect(back).toMatchObject({ status: 200, body: { status: 'full_returned', paid_out_amount: 25_000 } });
  expect(await allCashOf(shop)).toMatchObject({ uzs: 100_000, usd: 0 });
  expect(await transfersOf(shop)).toContain(`sale_return ${sale} outcome cash usd 2`);
  const [listed] = await readReturnList(shop, sale);
  expect(listed).toMatchObject({
    amount: 25_000,
    currency: 'uzs',
    transactions: [{ payment_type: 'cash', amount: 2, currency: 'usd', counted_amount: 25_000 }],
  });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a return takes the sale’s own currency for all of it, or the rest in it', async () => {
  const whole = await shopPaidInDollars(2, 5);
  expect((await returnPieces(whole.shop, whole.sale, 5, [inCash(25_000)])).status).toBe(200);
  expect(await allCashOf(whole.shop)).toMatchObject({ uzs: 75_000, usd: 2 });
  const parts = await shopPaidInDollars(2, 5);
  expect((await returnPieces(parts.shop, parts.sale, 5, [inCash(1, 'usd'), inCash(12_500)])).status).toBe(
    200,
  );
  expect(await allCashOf(parts.shop)).toMatchObject({ uzs: 87_500, usd: 1 });
  expect(await faultsOf(parts.shop)).toEqual([]);
});

test('no more goes back in a currency than came in it, in all returns together', async () => {
  const { shop, sale } = await shopPaidInDollars(1, 5, [inCash(12_500)]);
  expect(await errorsOfReturn(shop, sale, 5, [inCash(2, 'usd')])).toEqual({
    'transactions.0.amount': atMost(1),
  });
  expect((await returnPieces(shop, sale, 2, [inCash(0.8, 'usd')])).status).toBe(200);
  expect(await errorsOfReturn(shop, sale, 1, [inCash(0.4, 'usd')])).toEqual({
    'transactions.0.amount': atMost(0.2),
  });
  expect((await returnPieces(shop, sale, 1, [inCash(0.2, 'usd'), inCash(2500)])).status).toBe(200);
  expect(await faultsOf(shop)).toEqual([]);
});

test('a currency in which no cash came, or another way of paying, is 422 on the currency', async () => {
  const { shop, sale } = await shopPaidInDollars(2, 5);
  expect(await errorsOfReturn(shop, sale, 1, [inCash(1, 'eur')])).toEqual({
    'transactions.0.currency': translate('ru', { key: 'return.not_paid_in', with: { currency: 'eur' } }),
  });
  expect(
    await errorsOfReturn(shop, sale, 1, [{ payment_type: 'card', amount: 0.4, currency: 'usd' }]),
  ).toEqual({
    'transactions.0.currency': translate('ru', { key: 'sale.foreign_not_cash' }),
  });
  const twice = [inCash(0.2, 'usd'), inCash(0.2, 'usd')];
  expect(await errorsOfReturn(shop, sale, 1, twice)).toEqual({
    'transactions.1.payment_type': translate('ru', { key: 'validation.duplicate' }),
  });
});

test('a difference under the worth of 1/100 of the currency is paid in the sale’s, named or not', async () => {
  for (const named of [[], [inCash(60)]]) {
    const { shop } = await shopPaidInDollars(2, 5);
    const price = await newGoods(shop, WATER, { sale_price: 10_060 });
    const sale = (await trySelling(shop, [price, 1], [inCash(1, 'usd')])).number('id');
    expect(await errorsOfReturn(shop, sale, 1, [inCash(0.79, 'usd')])).toEqual({
      transactions: differ(10_060),
    });
    expect(await errorsOfReturn(shop, sale, 1, [inCash(0.81, 'usd')])).toEqual({
      transactions: differ(10_060),
    });
    const { body } = await returnPieces(shop, sale, 1, [inCash(0.8, 'usd'), ...named]);
    expect(body).toMatchObject({ status: 'full_returned', paid_out_amount: 10_060 });
    expect(await readReturnList(shop, sale)).toMatchObject([
      {
        transactions: [
          { amount: 0.8, counted_amount: 10_000 },
          { amount: 60, currency: 'uzs' },
        ],
      },
    ]);
    expect(await allCashOf(shop)).toMatchObject({ uzs: 100_000 - 2440 - 60, usd: 2.2 });
    expect(await faultsOf(shop)).toEqual([]);
  }
});

test('what was given as change is never paid back again', async () => {
  const { shop, sale } = await shopPaidInDollars(10, 5);
  expect(await errorsOfReturn(shop, sale, 5, [inCash(10, 'usd')])).toEqual({ transactions: differ(25_000) });
  expect((await returnPieces(shop, sale, 5, [inCash(2, 'usd')])).status).toBe(200);
  expect(await allCashOf(shop)).toMatchObject({ uzs: 0, usd: 8 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a return first closes the sale’s debt, and only the rest may go back in dollars', async () => {
  const shop = await newShop();
  await setRate(shop, 'usd', 12_500);
  const id = await newGoods(shop, WATER);
  const client_id = await addClient(shop);
  const owed = { client_id, due_date: '2099-01-31' };
  const paid = [inCash(1, 'usd'), { payment_type: 'debt', amount: 12_500 }];
  const sale = (await trySelling(shop, [id, 5], paid, owed)).number('id');
  expect((await returnPieces(shop, sale, 2, [])).status).toBe(200);
  expect((await returnPieces(shop, sale, 3, [inCash(1, 'usd')])).status).toBe(200);
  expect(await faultsOf(shop)).toEqual([]);
});

test('two returns in dollars at once pay no more of them than came', async () => {
  const { shop, sale } = await shopPaidInDollars(1, 5, [inCash(12_500)]);
  const products = await productsOf(shop, sale, 2);
  const json = { products, transactions: [inCash(0.8, 'usd')] };
  const both = await Promise.all([sendReturn(shop, sale, json), sendReturn(shop, sale, json)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(await allCashOf(shop)).toMatchObject({ usd: 0.2 });
  expect(await faultsOf(shop)).toEqual([]);
});
