import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { faultsOf } from '#tests/support/books.ts';
import { newEmployee } from '#tests/support/family.ts';
import { allCashOf, inCash, trySelling } from '#tests/support/foreign.ts';
import { readRefused, refuseOne } from '#tests/support/offline.ts';
import { cardWas, oldGoods, oldShop, rateWas, timeAgo } from '#tests/support/past.ts';
import { sendReturn } from '#tests/support/returns.ts';
import { newShop, type Shop, setRate } from '#tests/support/shop.ts';

/** Creates a shop with sums in its desk, whose dollar was 12 500 sums until an hour ago, and 13 000 since. */
async function newTill() {
  const { shop, id } = await oldShop();
  await trySelling(shop, [id, 20], [inCash(100_000)]);
  await rateWas(shop, 'usd', 10 * 60, 12_500);
  await rateWas(shop, 'usd', 60, 13_000);
  return { shop, id };
}

/** Sells pieces at 5000 that were sold a number of minutes ago. */
function sellOffline(
  shop: Shop,
  product_id: number,
  pieces: number,
  transactions: readonly object[],
  { minutes = 90, ...given }: { readonly minutes?: number; readonly change_amount?: number } = {},
) {
  const products = [{ product_id, sold_quantity: pieces, price: 5000 }];
  return trySelling(shop, [product_id, pieces], transactions, {
    products,
    sold_at: timeAgo(minutes),
    ...given,
  });
}

test('a late sale’s foreign cash counts by the rates of its moment, which the sale keeps (Part 4, 4.6, 1)', async () => {
  const { shop, id } = await newTill();
  const sold = await sellOffline(shop, id, 5, [inCash(2, 'usd')]);
  expect(sold.body).toMatchObject({
    rates: { usd: 13_000 },
    payment_rates: { uzs: 1, usd: 12_500 },
    change_amount: 0,
    transactions: [{ counted_amount: 25_000 }],
  });
  const later = await sellOffline(shop, id, 5, [inCash(2, 'usd')], { minutes: 30 });
  expect(later.body).toMatchObject({ payment_rates: { usd: 13_000 }, change_amount: 1000 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a sale that is not late counts by today’s rates alone', async () => {
  const { shop, id } = await newTill();
  const { body } = await trySelling(shop, [id, 5], [inCash(2, 'usd')]);
  expect(body).toMatchObject({ change_amount: 1000, payment_rates: null });
});

test('behind change its moment’s rates count, not today’s (trade.md, F1)', async () => {
  const { shop, id } = await oldShop({ sale_price: 12_000 });
  await trySelling(shop, [id, 5], [inCash(60_000)]);
  await rateWas(shop, 'usd', 10 * 60, 12_650);
  await rateWas(shop, 'usd', 60, 20_000);
  const products = [{ product_id: id, sold_quantity: 1, price: 12_000 }];
  const given = { products, sold_at: timeAgo(90) };
  const sold = await trySelling(shop, [id, 1], [inCash(1, 'usd')], given);
  expect(sold.body).toMatchObject({ change_amount: 650, transactions: [{ counted_amount: 12_650 }] });
  const named = await trySelling(shop, [id, 1], [inCash(1, 'usd')], { ...given, change_amount: 650 });
  expect(named.body).toMatchObject({ change_amount: 650 });
});

test('a change that is named must be just what its moment gives, and finds that moment (Part 4, 4.6, 1)', async () => {
  const { shop, id } = await newTill();
  await rateWas(shop, 'usd', 30, 13_500);
  const sell = (change_amount: number) =>
    sellOffline(shop, id, 5, [inCash(3, 'usd')], { minutes: 20, change_amount });
  for (const [change, usd] of [
    [15_500, 13_500],
    [14_000, 13_000],
    [12_500, 12_500],
  ] as const) {
    expect((await sell(change)).body).toMatchObject({ change_amount: change, payment_rates: { usd } });
  }
  const differs = translate('ru', { key: 'sale.change_differs', with: { change: 15_500 } });
  expect(await sell(13_000)).toMatchObject({ status: 422, body: { errors: { change_amount: [differs] } } });
  const now = (change_amount: number, transactions = [inCash(2, 'usd')]) =>
    trySelling(shop, [id, 5], transactions, { change_amount });
  expect([(await now(2000)).status, (await now(1999)).status]).toEqual([200, 422]);
  expect([(await now(0, [inCash(25_000)])).status, (await now(1, [inCash(25_000)])).status]).toEqual([
    200, 422,
  ]);
});

test('no change is given by a rate that had ceased a day before, however high (security.md, 1 and 6)', async () => {
  const { shop, id } = await oldShop();
  await trySelling(shop, [id, 400], [inCash(2_000_000)]);
  await rateWas(shop, 'usd', 60 * 60, 125_000);
  await rateWas(shop, 'usd', 50 * 60, 12_500);
  const token = await newEmployee(shop, ['company.trade.sale.store', 'company.trade.sale.late'], {
    cashbox_ids: [shop.cashboxId],
    stock_ids: [shop.stockId],
  });
  const till = { ...shop, director: token };
  expect(await sellOffline(till, id, 26, [inCash(10, 'usd')])).toMatchObject({ status: 422 });
  expect(await sellOffline(till, id, 25, [inCash(1, 'usd')])).toMatchObject({ status: 422 });
  expect(await sellOffline(till, id, 2, [inCash(1, 'usd')])).toMatchObject({
    status: 200,
    body: { change_amount: 2500 },
  });
  expect(await allCashOf(shop)).toMatchObject({ uzs: 1_997_500, usd: 1 });
});

test('a slip of a rate that was put right as a correction is no moment’s (Contract 9.105)', async () => {
  const { shop, id } = await newTill();
  await rateWas(shop, 'usd', 50, 130_000);
  await rateWas(shop, 'usd', 40, 13_000, true);
  const slip = await sellOffline(shop, id, 5, [inCash(1, 'usd')], { minutes: 20, change_amount: 105_000 });
  expect(slip.status).toBe(422);
});

test('prices and foreign cash are of one moment: the best rate is not had with another’s price', async () => {
  const { shop, id } = await newTill();
  await cardWas(shop, id, 8 * 60, { sale_price: 4000 });
  await cardWas(shop, id, 7 * 60, { sale_price: 5000 });
  const sell = (price: number, change_amount: number) => {
    const products = [{ product_id: id, sold_quantity: 5, price }];
    const given = { products, sold_at: timeAgo(30), change_amount };
    return trySelling(shop, [id, 5], [inCash(2, 'usd')], given);
  };
  expect([(await sell(4000, 5000)).status, (await sell(5000, 1000)).status]).toEqual([200, 200]);
  const cheat = { products: [{ product_id: id, sold_quantity: 5, price: 4000 }], sold_at: timeAgo(30) };
  const best = await trySelling(shop, [id, 5], [inCash(2, 'usd')], { ...cheat, change_amount: 6000 });
  expect(best.status).toBe(422);
});

test('a return in that currency goes by payment_rates', async () => {
  const { shop, id } = await newTill();
  const sale = (await sellOffline(shop, id, 5, [inCash(2, 'usd')])).number('id');
  const back = await sendReturn(shop, sale, { transactions: [inCash(2, 'usd')] });
  expect(back).toMatchObject({ status: 200, body: { paid_out_amount: 25_000, status: 'full_returned' } });
  expect(await allCashOf(shop)).toMatchObject({ usd: 0 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a refused sale tells the amount of its payments in its own currency', async () => {
  const shop = await newShop();
  const id = await oldGoods(shop);
  await setRate(shop, 'usd', 13_000);
  const transactions = [inCash(2, 'usd'), inCash(100)];
  const refused = await refuseOne(shop, id, 'till-1', { transactions });
  expect(await readRefused(shop, refused)).toMatchObject({ amount: 26_100 });
});
