import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { faultsOf } from '#tests/support/books.ts';
import { allCashOf, inCash, transfersOf, trySelling } from '#tests/support/foreign.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, make } from '#tests/support/records.ts';
import { newGoods, newShop, type Shop, saleBody, setRate } from '#tests/support/shop.ts';
import { holdGoods, readHold } from '#tests/support/trade.ts';

const SELL = 'POST /company/trade/sale';

/** Creates a shop with a product at 5000, a dollar at 12 500 and sums for change. */
async function newTill() {
  const shop = await newShop();
  await setRate(shop, 'usd', 12_500);
  const id = await newGoods(shop, [{ quantity: 100, cost: 1 }]);
  await trySelling(shop, [id, 20], [inCash(100_000)]);
  return { shop, id };
}

async function reprice({ director, companyId: company_id }: Shop, product_id: number): Promise<void> {
  const products = [{ product_id, sale_price: 6000, sale_currency: 'uzs' }];
  await make('/company/trade/recalculation-batch', director, { company_id, products });
}

test('a hold is sold at its held prices for dollars that count by the rates of the sale, with change', async () => {
  const { shop, id } = await newTill();
  const hold = (await holdGoods(shop, { products: [{ product_id: id, quantity: 5 }] })).number('id');
  await reprice(shop, id);
  await setRate(shop, 'usd', 13_000);
  const json = saleBody(shop, { hold_id: hold, transactions: [inCash(2, 'usd')] });
  const sold = await call(SELL, { token: shop.director, json });
  expect(sold).toMatchObject({
    status: 200,
    body: {
      sold_amount: 25_000,
      received_amount: 25_000,
      change_amount: 1000,
      transactions: [{ amount: 2, currency: 'usd', counted_amount: 26_000 }],
    },
  });
  expect(await transfersOf(shop)).toContain(`change ${sold.number('id')} outcome cash uzs 1000`);
  expect(await readHold(shop, hold)).toMatchObject({ status: 'completed' });
  expect(await allCashOf(shop)).toMatchObject({ uzs: 99_000, usd: 2 });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a hold that is sold for too few dollars, or with more change than the desk has, stays as it was', async () => {
  const { shop, id } = await newTill();
  const hold = (await holdGoods(shop, { products: [{ product_id: id, quantity: 5 }] })).number('id');
  const errorsFor = (dollars: number) =>
    errorsOf(SELL, shop.director, saleBody(shop, { hold_id: hold, transactions: [inCash(dollars, 'usd')] }));
  expect(await errorsFor(1.99)).toEqual({
    transactions: translate('ru', { key: 'sale.payments_differ', with: { total: 25_000 } }),
  });
  expect(await errorsFor(11)).toEqual({
    transactions: translate('ru', { key: 'cashbox.not_enough_money', with: { available: 100_000 } }),
  });
  expect(await readHold(shop, hold)).toMatchObject({ status: 'in_progress', products: [{ quantity: 5 }] });
  expect(await allCashOf(shop)).toMatchObject({ uzs: 100_000, usd: 0 });
});
