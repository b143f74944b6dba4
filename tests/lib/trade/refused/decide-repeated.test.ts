import { describe, expect, test } from 'vitest';
import { byKind, type GoodsIds, goodsReplaced, isSameSale } from '#lib/trade/refused/decide-repeated.ts';

const line = (product_id: number, sold_quantity: number) => ({ product_id, sold_quantity, price: 100 });
const none: GoodsIds = byKind(() => []);

/** Three of product 1 and two of product 99. */
const first = {
  currency: 'uzs',
  products: [line(1, 3), line(99, 2)],
  services: [{ service_id: 5, quantity: 1 }],
  transactions: [{ payment_type: 'deposit', amount: 50 }],
};
const of = (...products: readonly object[]) => ({ ...first, products });

describe('a body of a key that waits', () => {
  const gone: GoodsIds = { ...none, products: [99] };

  test.for<[string, unknown, boolean, GoodsIds?, (number | null)?]>([
    ['the same', first, true],
    ['with less of a product', of(line(1, 1), line(99, 2)), true],
    ['with other prices and payments', { ...of({ ...line(1, 3), price: 1 }), transactions: [] }, true],
    ['without a product', of(line(1, 3)), true],
    ['with more of a product', of(line(1, 4)), false],
    ['with more of a product, over two lines', of(line(1, 2), line(1, 2)), false],
    ['with another product', of(line(1, 3), line(2, 1)), false],
    ['with another product in place of one that does not exist', of(line(1, 3), line(2, 2)), true, gone],
    ['with more of another product than there was of that', of(line(1, 3), line(2, 3)), false, gone],
    ['with two other products in place of one', of(line(1, 3), line(2, 1), line(3, 1)), false, gone],
    [
      'with another product beside the one that does not exist',
      of(line(1, 3), line(99, 2), line(2, 1)),
      false,
      gone,
    ],
    ['with bundles that the first had not', { ...first, bundles: [{ bundle_id: 1 }] }, false],
    ['with another service', { ...first, services: [{ service_id: 6, quantity: 1 }] }, false],
    ['with more of a service', { ...first, services: [{ service_id: 5, quantity: 2 }] }, false],
    [
      'with more of the deposit (Part 5, 5.0, 5)',
      { ...first, transactions: [{ payment_type: 'deposit', amount: 51 }] },
      false,
    ],
    ['with the deposit of another currency (Part 5, 5.0, 5)', { ...first, currency: 'usd' }, false],
    ['of another time', first, false, none, 8],
    ['of no time', first, false, none, null],
    ['that is no sale by its form', {}, true],
  ])('%s (Part 4, 4.4, 5; Contract 9.98)', ([_, body, is, missing = none, sold_at = 7]) => {
    expect(isSameSale({ sold_at: 7, body: first, gone: missing }, { sold_at, body })).toBe(is);
  });

  test('asks for the goods that others may replace, and for none without others', () => {
    expect(goodsReplaced(first, of(line(1, 3)))).toEqual(none);
    expect(goodsReplaced(first, of(line(2, 1)))).toEqual({ ...none, products: [1, 99] });
  });

  test('counts what cannot be read as nothing (Contract 9.98)', () => {
    const odd = { ...first, products: [line(1, 3), { product_id: 'x', sold_quantity: 9 }] };
    expect(isSameSale({ sold_at: 7, body: first, gone: none }, { sold_at: 7, body: odd })).toBe(true);
  });
});
