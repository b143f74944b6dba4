import { describe, expect, test } from 'vitest';
import { validateTrackingCodes } from '#lib/trade/tracking-codes/validate.ts';
import { ONE } from '#lib/values/quantity.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { codesOfRefusal } from '#tests/support/decisions.ts';

/** Product 1 is marked, product 2 is not. */
const cards = new Map([
  [1, { is_marked: true }],
  [2, { is_marked: false }],
]);

type Named = Parameters<typeof validateTrackingCodes>[0];
type Line = Parameters<typeof validateTrackingCodes>[1][number];

const lineOf = (product_id: number, pieces: number, given: Partial<Line> = {}): Line => ({
  ...{ product_id, bundle_key: null, sold_quantity: pieces * ONE },
  quantityPath: 'products.0.sold_quantity',
  ...given,
});
const inBundle = (product_id: number, pieces: number) =>
  lineOf(product_id, pieces, { bundle_key: 'bundles.0', quantityPath: 'bundles.0.quantity' });
const single = (product_id: number, ...marks: string[]): Named => ({
  products: [{ product_id, marks }],
  bundles: [],
});
const bundled = (...marks: { product_id: number; marks: string[] }[]): Named => ({
  products: [],
  bundles: [{ marks }],
});
const many = Array.from({ length: 51 }, (_, index) => `M${index}`);

describe('tracking codes of a sale', () => {
  test.for<[string, Named, readonly Line[], Record<string, string>]>([
    ['as many as pieces', single(1, 'A', 'B'), [lineOf(1, 2)], {}],
    ['fewer than pieces', single(1, 'A'), [lineOf(1, 2)], { 'products.0.marks': 'sale.marks_count' }],
    ['none', single(1), [lineOf(1, 1)], { 'products.0.marks': 'sale.marks_count' }],
    ['more than pieces', single(1, 'A', 'B'), [lineOf(1, 1)], { 'products.0.marks': 'sale.marks_count' }],
    [
      'of a part of a piece',
      single(1, 'A'),
      [lineOf(1, 1.5)],
      { 'products.0.sold_quantity': 'sale.marked_whole' },
    ],
    ['of a product without', single(2, 'A'), [lineOf(2, 1)], { 'products.0.marks': 'sale.not_marked' }],
    ['none of a product without', single(2), [lineOf(2, 1.5)], {}],
    [
      'one twice, whatever separates its groups',
      single(1, 'A', 'A\u001d'),
      [lineOf(1, 2)],
      { 'products.0.marks.1': 'validation.duplicate' },
    ],
    ['fifty in all', single(1, ...many.slice(1)), [lineOf(1, 50)], {}],
    [
      'more than fifty',
      single(1, ...many),
      [lineOf(1, 51)],
      { 'products.0.marks': 'validation.too_many_items' },
    ],
    [
      'of a product partly on hold: both lines together',
      single(1, 'A', 'B'),
      [lineOf(1, 1), lineOf(1, 1)],
      {},
    ],
    [
      'of a whole hold, which the body does not list',
      { products: [], bundles: [] },
      [lineOf(1, 1, { quantityPath: 'hold_id' })],
      { hold_id: 'sale.marks_count' },
    ],
    [
      'of a bundle, by product',
      bundled({ product_id: 1, marks: ['A'] }),
      [inBundle(1, 1), inBundle(2, 1)],
      {},
    ],
    ['none of a bundle', bundled(), [inBundle(1, 1)], { 'bundles.0.marks': 'sale.marks_count' }],
    [
      'of a product that is not in the bundle',
      bundled({ product_id: 1, marks: ['A'] }, { product_id: 3, marks: ['B'] }),
      [inBundle(1, 1)],
      { 'bundles.0.marks.1.product_id': 'validation.not_found' },
    ],
  ])('%s (Part 4, 4.6, 4)', ([_, named, lines, codes]) => {
    const check = () => {
      const issues = new ValidationIssues();
      validateTrackingCodes(named, lines, cards, issues);
      issues.throwIfAny();
    };
    expect(codesOfRefusal(check)).toEqual(codes);
  });
});
