import { expect, test } from 'vitest';
import type { Reply } from '#bin/cli/person.ts';
import { translate } from '#lib/values/message.ts';
import { faultsOf } from '#tests/support/books.ts';
import { addClient } from '#tests/support/clients.ts';
import { creditHeaders, creditRequest, sendCredit } from '#tests/support/credit.ts';
import { allCashOf, inCash, shopPaidInDollars, trySelling } from '#tests/support/foreign.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf } from '#tests/support/records.ts';
import { exchangeBody, linesOfSale, readReturnList, sendReturn } from '#tests/support/returns.ts';
import { correctTo } from '#tests/support/sale-tenders.ts';
import { addMoney, cashOf, newGoods, newShop, type Shop, setRate } from '#tests/support/shop.ts';

const WATER = [{ quantity: 1000, cost: 1 }];

const byBank = (amount: number) => ({ payment_type: 'bank', amount });
const byCard = (amount: number) => ({ payment_type: 'card', amount });

const creditDiffers = (bank: number, cash: number) =>
  translate('ru', { key: 'return.credit_payments_differ', with: { bank, cash } });
const differ = (total: number) => translate('ru', { key: 'return.payments_differ', with: { total } });
const atMost = (available: number) =>
  translate('ru', { key: 'return.too_much_foreign', with: { available } });

/** Creates a shop with sums in its desk, which sold two pieces at 6000 on credit, `cash` of it in cash. */
async function soldOnCredit(cash: number) {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  const json = creditRequest(shop, id, { initial_payment: cash });
  const sold = await sendCredit(await creditHeaders(shop.companyId), json);
  await trySelling(shop, [id, 20], [inCash(100_000)]);
  return { shop, id, sale: sold.number('id') };
}

async function exchange(
  shop: Shop,
  sale: number,
  pieces: readonly [number, number],
  given: object = {},
): Promise<Reply> {
  const json = await exchangeBody(shop, sale, pieces, given);
  return call(`POST /company/trade/sale/${sale}/exchange`, { token: shop.director, json });
}

/** Exchanges pieces, and returns the new sale. */
async function exchanged(
  shop: Shop,
  sale: number,
  pieces: readonly [number, number],
  given: object = {},
): Promise<number> {
  const reply = await exchange(shop, sale, pieces, given);
  expect(reply).toMatchObject({ status: 200 });
  return reply.number('exchange_sale.id');
}

const refusalOf = (shop: Shop, sale: number, transactions: readonly object[]) =>
  errorsOf(`PATCH /company/trade/sale/${sale}/return`, shop.director, { transactions });

async function returned(shop: Shop, sale: number, transactions: readonly object[], pieces?: number) {
  const [line] = await linesOfSale(shop, sale);
  const products = pieces && [{ id: line?.id, returned_quantity: pieces, reason_type: 'not_match' }];
  const reply = await sendReturn(shop, sale, { transactions, ...(products && { products }) });
  expect(reply).toMatchObject({ status: 200 });
  return reply;
}

test('what a credit company paid goes back by bank along the whole chain of exchanges (Part 4, 4.6 (1); Contract 9.27)', async () => {
  const { shop, sale } = await soldOnCredit(0);
  const first = await exchanged(shop, sale, [2, 2], { transactions: [] }).catch(() => undefined);
  // Two at 6000 for two at 5000: 2000 are over, and go back by bank.
  expect(first).toBeUndefined();
  const json = await exchangeBody(shop, sale, [2, 2], { transactions: [inCash(2000)] });
  expect(await errorsOf(`POST /company/trade/sale/${sale}/exchange`, shop.director, json)).toEqual({
    transactions: creditDiffers(2000, 0),
  });
  const second = await exchanged(shop, sale, [2, 2], { transactions: [byBank(2000)] });
  const third = await exchanged(shop, second, [2, 2]);
  for (const wrong of [[inCash(10_000)], [byCard(10_000)], [byBank(9000), inCash(1000)]])
    expect(await refusalOf(shop, third, wrong)).toEqual({ transactions: creditDiffers(10_000, 0) });
  await returned(shop, third, [byBank(10_000)]);
  expect([await cashOf(shop), await cashOf(shop, 'bank')]).toEqual([100_000, 0]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('an exchange inherits the bank money of a credit sale first, then the rest; a surcharge goes back as it came', async () => {
  const { shop, sale } = await soldOnCredit(2000);
  const part = await exchanged(shop, sale, [1, 1], { transactions: [byBank(1000)] });
  // 9000 by bank and 2000 in cash remain, of which the new sale has 5000 by bank.
  expect(await refusalOf(shop, sale, [inCash(6000)])).toEqual({ transactions: creditDiffers(4000, 2000) });
  await returned(shop, sale, [byBank(4000), inCash(2000)]);
  const dearer = await exchanged(shop, part, [1, 3], { transactions: [byCard(7000), inCash(3000)] });
  expect(await refusalOf(shop, dearer, [inCash(15_000)])).toEqual({
    transactions: creditDiffers(5000, 10_000),
  });
  await returned(shop, dearer, [byBank(5000), byCard(7000), inCash(3000)]);
  expect(await faultsOf(shop)).toEqual([]);
});

test.for<[string, object, Record<string, number>, number]>([
  ['by bank that came in cash', byBank(3000), { cash: 3000 }, 10_000],
  ['in cash that came by bank and card', inCash(3000), { bank: 1000, card: 2000 }, 11_000],
])(
  'a surcharge %s goes back as it is corrected, also along a further exchange (Contract 9.27; Part 5, 5A.8, 2)',
  async ([_, surcharge, corrected, bank]) => {
    const { shop, sale } = await soldOnCredit(2000);
    const dearer = await exchanged(shop, sale, [2, 3], { transactions: [surcharge] });
    expect((await correctTo({ token: shop.director }, dearer, corrected)).status).toBe(200);
    expect(await faultsOf(shop)).toEqual([]);
    expect(await refusalOf(shop, dearer, [inCash(15_000)])).toEqual({
      transactions: creditDiffers(bank, 15_000 - bank),
    });
    const last = await exchanged(shop, dearer, [3, 3]);
    await returned(shop, last, [byBank(bank), inCash(15_000 - bank)]);
    expect(await cashOf(shop, 'bank')).toBe(0);
    expect(await faultsOf(shop)).toEqual([]);
  },
);

test('a later exchange on debt passes the bank money of a credit sale up and down the chain', async () => {
  const { shop, sale } = await soldOnCredit(0);
  const client_id = await addClient(shop, '998907776655');
  const owed = { client_id, due_date: '2099-01-31' };
  const debt = [{ payment_type: 'debt', amount: 8000 }];
  const lent = await exchanged(shop, sale, [2, 4], { ...owed, transactions: debt });
  const last = await exchanged(shop, lent, [4, 4], owed);
  // Of 20 000 a debt of 8000 closes first; the rest is the credit company's.
  expect(await refusalOf(shop, last, [inCash(12_000)])).toEqual({ transactions: creditDiffers(12_000, 0) });
  await returned(shop, last, [byBank(12_000)]);
  expect([await cashOf(shop), await cashOf(shop, 'bank')]).toEqual([100_000, 0]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('foreign cash goes along an exchange in whole hundredths at the kept rate, and back in its currency (Contract 9.114)', async () => {
  const { shop, sale } = await shopPaidInDollars(2, 5);
  const made = await exchanged(shop, sale, [5, 5]);
  await setRate(shop, 'usd', 20_000);
  const again = await exchanged(shop, made, [5, 3], { transactions: [inCash(0.8, 'usd')] });
  expect(await refusalOf(shop, again, [inCash(1.21, 'usd')])).toEqual({
    'transactions.0.amount': atMost(1.2),
  });
  expect(await refusalOf(shop, again, [inCash(1, 'eur')])).toEqual({
    'transactions.0.currency': translate('ru', { key: 'return.not_paid_in', with: { currency: 'eur' } }),
  });
  await returned(shop, again, [inCash(1.2, 'usd')]);
  expect(await allCashOf(shop)).toMatchObject({ uzs: 100_000, usd: 0 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('an exchange takes foreign cash before plain money, and leaves the first sale the rest', async () => {
  const { shop, sale } = await shopPaidInDollars(1, 5, [inCash(12_500)]);
  const made = await exchanged(shop, sale, [2, 2]);
  await returned(shop, made, [inCash(0.8, 'usd')]);
  expect(await refusalOf(shop, sale, [inCash(0.3, 'usd'), inCash(11_250)])).toEqual({
    'transactions.0.amount': atMost(0.2),
  });
  await returned(shop, sale, [inCash(0.2, 'usd'), inCash(12_500)]);
  expect(await allCashOf(shop)).toMatchObject({ uzs: 100_000, usd: 0 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a surcharge takes no foreign cash (Part 4, 4.6 (1))', async () => {
  const { shop, sale } = await shopPaidInDollars(2, 5);
  const json = await exchangeBody(shop, sale, [1, 2], { transactions: [inCash(0.4, 'usd')] });
  expect(await errorsOf(`POST /company/trade/sale/${sale}/exchange`, shop.director, json)).toMatchObject({
    'transactions.0.currency': translate('ru', { key: 'exchange.foreign_surcharge' }),
  });
});

test('what stands for foreign cash is paid at the lower of the kept rate and today’s, plain money at its value (Part 4, 4.6 (1); Contract 9.113)', async () => {
  const { shop, sale } = await shopPaidInDollars(2, 6, [inCash(5000)]);
  await setRate(shop, 'usd', 10_000);
  expect(await refusalOf(shop, sale, [inCash(30_000)])).toEqual({ transactions: differ(25_000) });
  // 5000 at their value, then 0.80 dollars for 8000 in the place of 10 000.
  const part = await returned(shop, sale, [inCash(13_000)], 3);
  expect(part.body).toMatchObject({ paid_out_amount: 15_000 });
  const [listed] = await readReturnList(shop, sale);
  expect(listed).toMatchObject({
    amount: 15_000,
    transactions: [{ payment_type: 'cash', currency: 'uzs', amount: 13_000, counted_amount: 15_000 }],
  });
  // 1.20 dollars are left of two.
  expect(await refusalOf(shop, sale, [inCash(1.21, 'usd')])).toEqual({ transactions: differ(15_000) });
  const rest = await returned(shop, sale, [inCash(1, 'usd'), inCash(2000)]);
  expect(rest.body).toMatchObject({ status: 'full_returned', paid_out_amount: 30_000 });
  expect(await allCashOf(shop)).toMatchObject({ uzs: 100_000 + 5000 - 15_000, usd: 1 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a higher rate of today pays no more than the kept one', async () => {
  const { shop, sale } = await shopPaidInDollars(2, 5);
  await setRate(shop, 'usd', 20_000);
  expect(await refusalOf(shop, sale, [inCash(40_000)])).toEqual({ transactions: differ(25_000) });
  await returned(shop, sale, [inCash(25_000)]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('the excess of an exchange is paid as a return pays (Part 4, 4.6 (1))', async () => {
  const { shop, sale } = await shopPaidInDollars(2, 5);
  await setRate(shop, 'usd', 10_000);
  const json = await exchangeBody(shop, sale, [5, 3], { transactions: [inCash(10_000)] });
  expect(await errorsOf(`POST /company/trade/sale/${sale}/exchange`, shop.director, json)).toEqual({
    transactions: differ(8000),
  });
  const made = await exchanged(shop, sale, [5, 3], { transactions: [inCash(8000)] });
  await returned(shop, made, [inCash(1.2, 'usd')]);
  expect(await allCashOf(shop)).toMatchObject({ uzs: 92_000, usd: 0.8 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('of several currencies the first paid counts first, and money of change is nobody’s (Contract 9.113)', async () => {
  const shop = await newShop();
  await setRate(shop, 'usd', 12_500);
  await setRate(shop, 'eur', 14_000);
  const id = await newGoods(shop, WATER);
  await addMoney(shop, { cash_uzs: 10_000_000 });
  // 25 000 + 14 000 for 35 000: 4000 are given back.
  const sold = await trySelling(shop, [id, 7], [inCash(2, 'usd'), inCash(1, 'eur')]);
  const sale = sold.number('id');
  expect(sold.body).toMatchObject({ change_amount: 4000 });
  await setRate(shop, 'usd', 10_000);
  await setRate(shop, 'eur', 7000);
  // 25 000 stand for dollars, at 20 000; 10 000 for euros, at 5000.
  expect(await refusalOf(shop, sale, [inCash(35_000)])).toEqual({ transactions: differ(25_000) });
  await returned(shop, sale, [inCash(25_000)]);
  expect(await readReturnList(shop, sale)).toMatchObject([{ transactions: [{ counted_amount: 35_000 }] }]);
});
