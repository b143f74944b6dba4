import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, make } from '#tests/support/records.ts';
import { newGoods, newShop, piecesOf, type Shop, saleBody, sellOne, setRate } from '#tests/support/shop.ts';

const SELL = 'POST /company/trade/sale';
const WATER = [{ quantity: 100, cost: 1 }];

const noRate = (currency: string) => translate('ru', { key: 'rate.missing', with: { currency } });

/** Creates a bundle of two pieces of each product. */
function newBundle({ director }: Shop, price: number, products: readonly number[], quantity = 2) {
  const parts = products.map((product_id) => ({ product_id, quantity }));
  return make('/company/product/bundle', director, { name: 'Set', price, products: parts });
}

/** Builds the body of a sale of one bundle, for cash. */
function bundleOf(shop: Shop, bundle_id: number, amount: number, given: object = {}) {
  return saleBody(shop, {
    bundles: [{ bundle_id, ...given }],
    transactions: amount > 0 ? [{ payment_type: 'cash', amount }] : [],
  });
}

test('a price in a currency without a rate is 422 on the line, whatever price the caller gives', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, WATER, { sale_price: 100, sale_currency: 'usd', is_free_price: true });
  await setRate(shop, 'usd', 0);
  const line = { product_id: id, sold_quantity: 5 };
  const free = saleBody(shop, { products: [line], transactions: [] });
  expect(await errorsOf(SELL, shop.director, free)).toEqual({ 'products.0.price': noRate('usd') });
  const asked = saleBody(shop, {
    products: [{ ...line, price: 10 }],
    transactions: [{ payment_type: 'cash', amount: 50 }],
  });
  expect(await errorsOf(SELL, shop.director, asked)).toEqual({ 'products.0.price': noRate('usd') });
  expect(await piecesOf(shop, id)).toBe(100);
});

test('a bundle for less than its own price takes no share under its product’s minimum', async () => {
  const shop = await newShop();
  const [tea, free] = [await newGoods(shop, WATER, { min_price: 4500 }), await newGoods(shop, WATER)];
  const bundle = await newBundle(shop, 20_000, [tea, free]);
  const tooLow = translate('ru', { key: 'sale.bundle_price_too_low', with: { name: 'Water', min: 4500 } });
  const refused = async (amount: number, given: object) =>
    errorsOf(SELL, shop.director, bundleOf(shop, bundle, amount, given));
  expect(await refused(0.01, { price: 0.01 })).toEqual({ 'bundles.0.price': tooLow });
  expect(await refused(0, { discount: 20_000 })).toEqual({ 'bundles.0.discount': tooLow });
  expect(await refused(17_999.98, { discount: 2000.02 })).toEqual({ 'bundles.0.discount': tooLow });
  expect(await piecesOf(shop, tea)).toBe(100);
  const least = bundleOf(shop, bundle, 18_000, { discount: 2000 });
  expect((await call(SELL, { token: shop.director, json: least })).status).toBe(200);
});

test('goods sold in parts cost together what they cost at once', async () => {
  const shop = await newShop();
  const bought = [{ quantity: 1, cost: 1.35, currency: 'usd' as const }];
  const [whole, cut] = [await newGoods(shop, bought), await newGoods(shop, bought)];
  expect((await sellOne(shop, whole, 1, 5000)).body).toMatchObject({ purchased_amount: 17_077.5 });
  const costs: unknown[] = [];
  for (let part = 0; part < 8; part++) {
    const { body } = await sellOne(shop, cut, 0.125, 5000);
    costs.push(Object(body).purchased_amount);
  }
  expect(costs.reduce((sum: number, cost) => sum + Math.round(Number(cost) * 100), 0)).toBe(17_077_50);
});
