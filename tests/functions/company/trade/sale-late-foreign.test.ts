import { expect, test } from 'vitest';
import { change, settings } from '#lib/cash/currency-rate.ts';
import { renderInstant } from '#lib/values/time.ts';
import { faultsOf } from '#tests/kit/books.ts';
import { directorAs } from '#tests/kit/family.ts';
import { allCashOf, inCash, trySelling } from '#tests/kit/foreign.ts';
import { readRefused, refuseOne } from '#tests/kit/late.ts';
import { sendReturn } from '#tests/kit/returns.ts';
import { newGoods, newShop, type Shop, setRate } from '#tests/kit/shop.ts';

const WATER = [{ quantity: 1000, cost: 1 }];
const HOUR_MS = 3_600_000;

/** Makes a shop whose dollar was 12 500 sums an hour ago, and is 13 000 now, with sums in its desk. */
async function newTill() {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  await trySelling(shop, [id, 20], [inCash(100_000)]);
  await setRate(shop, 'usd', 12_500);
  await setRate(shop, 'usd', 13_000);
  return { shop, id };
}

/** Sells pieces at 5000 that were sold some hours ago. */
function sellLate(
  shop: Shop,
  product_id: number,
  pieces: number,
  transactions: readonly object[],
  hours = 1,
) {
  const products = [{ product_id, sold_quantity: pieces, price: 5000 }];
  const sold_at = renderInstant(Date.now() - hours * HOUR_MS);
  return trySelling(shop, [product_id, pieces], transactions, { products, sold_at });
}

test('a late sale’s foreign cash counts by the rates of a moment of its window by which the payments add up', async () => {
  const { shop, id } = await newTill();
  const sold = await sellLate(shop, id, 5, [inCash(2, 'usd')]);
  expect(sold.body).toMatchObject({
    rates: { usd: 13_000 },
    payment_rates: { uzs: 1, usd: 12_500 },
    change_amount: 0,
    transactions: [{ counted_amount: 25_000 }],
  });
  const now = await sellLate(shop, id, 13, [inCash(5, 'usd')]);
  expect(now.body).toMatchObject({ payment_rates: { usd: 13_000 }, change_amount: 0 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a sale that is not late counts by today’s rates alone', async () => {
  const { shop, id } = await newTill();
  const { body } = await trySelling(shop, [id, 5], [inCash(2, 'usd')]);
  expect(body).toMatchObject({ change_amount: 1000, payment_rates: null });
});

test('what adds up to the total by no moment’s rates counts by today’s, and gives change', async () => {
  const { shop, id } = await newTill();
  const { body } = await sellLate(shop, id, 5, [inCash(3, 'usd')]);
  expect(body).toMatchObject({ payment_rates: { usd: 13_000 }, change_amount: 14_000 });
});

test('what is too little by today’s rates counts by those of the window by which it is enough', async () => {
  const { shop, id } = await newTill();
  await setRate(shop, 'usd', 12_000);
  const { body } = await sellLate(shop, id, 5, [inCash(2, 'usd'), inCash(100)]);
  expect(body).toMatchObject({ payment_rates: { usd: 13_000 }, change_amount: 1100 });
});

test('rates that had ceased 24 hours before the sale are none of its moments', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER);
  await trySelling(shop, [id, 20], [inCash(100_000)]);
  const { rows } = await settings(directorAs(shop.directorId, shop.companyId));
  const dollar = rows.find(({ currency }) => currency === 'usd')?.id ?? 0;
  const setAgo = (rate: number, hours: number) =>
    change(directorAs(shop.directorId, shop.companyId), dollar, { rate }, Date.now() - hours * HOUR_MS);
  await setAgo(1_250_000, 60);
  await setAgo(1_300_000, 48);
  const within = await sellLate(shop, id, 5, [inCash(2, 'usd')], 25);
  expect(within.body).toMatchObject({ payment_rates: { usd: 12_500 }, change_amount: 0 });
  const older = await sellLate(shop, id, 5, [inCash(2, 'usd')], 23);
  expect(older.body).toMatchObject({ payment_rates: { usd: 13_000 }, change_amount: 1000 });
  expect(await allCashOf(shop)).toMatchObject({ uzs: 99_000, usd: 4 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a return in that currency goes by payment_rates', async () => {
  const { shop, id } = await newTill();
  const sale = (await sellLate(shop, id, 5, [inCash(2, 'usd')])).number('id');
  const back = await sendReturn(shop, sale, { transactions: [inCash(2, 'usd')] });
  expect(back).toMatchObject({ status: 200, body: { paid_out_amount: 25_000, status: 'full_returned' } });
  expect(await allCashOf(shop)).toMatchObject({ usd: 0 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a refused sale tells the amount of its payments in its own currency', async () => {
  const { shop, id } = await newTill();
  const transactions = [inCash(2, 'usd'), inCash(100)];
  const refused = await refuseOne(shop, id, 'till-1', { transactions });
  expect(await readRefused(shop, refused)).toMatchObject({ amount: 26_100 });
});
