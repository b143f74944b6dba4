import { expect, test } from 'vitest';
import { bundlePricesHeldFor, pricesHeldFor } from '#lib/trade/pricing/held-prices.ts';

const BUNDLE = 5;

/** Builds the only line of bundles of a hold, at a price. */
function held(bundle_key: string, quantity: number, price: number) {
  const bundle = { bundle_id: BUNDLE, bundle_key, bundle_quantity: quantity };
  return { product_id: 1, ...bundle, quantity, price, amount: quantity * price };
}

function offer(quantity: number) {
  const nothing = { company_id: 1, creator_id: 1, created_at: 0, updated_at: 0, is_deleted: false };
  const names = { id: BUNDLE, name: 'Набор', price: 100 };
  return new Map([[BUNDLE, { ...nothing, ...names, products: [{ product_id: 1, quantity }] }]]);
}

const wanted = (quantity: number, price?: number) => ({ bundle_id: BUNDLE, quantity, price, discount: 0 });

const PROMISED = pricesHeldFor([held('a', 2, 90), held('b', 3, 100)]);

test('a line gets the held bundles of its price first, and one that names none gets what is left', () => {
  const [any, priced] = [wanted(1), wanted(4, 100)];
  const promises = bundlePricesHeldFor([any, priced], offer(1), PROMISED);
  expect(promises.get(priced)).toEqual({ amount: 390, above: 0, isHeld: true });
  expect(promises.get(any)).toEqual({ amount: 90, above: 0, isHeld: true });
});

test('what is above the held bundles has no held price (Contract 9.109)', () => {
  const [above, after] = [wanted(7), wanted(1)];
  const promises = bundlePricesHeldFor([above, after], offer(1), PROMISED);
  expect(promises.get(above)).toEqual({ amount: 480, above: 2, isHeld: false });
  expect(promises.get(after)).toEqual({ amount: 0, above: 1, isHeld: false });
});

test('what is added to a hold has its last price', () => {
  const added = wanted(2);
  const promised = pricesHeldFor([held('a', 2, 90), held('b', 3, 100)], { areAdded: true });
  const promises = bundlePricesHeldFor([added], offer(1), promised);
  expect(promises.get(added)).toEqual({ amount: 200, above: 0, isHeld: false });
});

test('nothing is promised of a bundle that is made of other goods now', () => {
  expect(bundlePricesHeldFor([wanted(1)], offer(2), PROMISED).size).toBe(0);
});
