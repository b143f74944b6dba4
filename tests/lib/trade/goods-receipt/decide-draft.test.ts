import { expect, test } from 'vitest';
import { type DraftFacts, decideDraft, type EditedDraft } from '#lib/trade/goods-receipt/decide-draft.ts';
import { GoodsReceiptEdit } from '#lib/trade/goods-receipt/record.ts';
import { ONE } from '#lib/values/quantity.ts';
import { codesOfRefusal } from '#tests/support/decisions.ts';
import { directorAs } from '#tests/support/family.ts';
import { newProductOf } from '#tests/support/products.ts';

const director = directorAs(1, 1);

const card = newProductOf({ id: 1, sale_price: 10_000, min_price: 8000 });

function factsWith(given: Partial<DraftFacts> = {}): DraftFacts {
  return {
    firstId: 80,
    warehouse: { company_id: 2 },
    isSupplierOpen: true,
    cards: new Map([
      [1, card],
      [2, { ...card, id: 2, min_price: null, min_price_percent: 1000 }],
    ]),
    accuracies: new Map(),
    rates: { uzs: 100, usd: 1_200_000, eur: 0, rub: 0 },
    saleCurrency: 'uzs',
    ...given,
  };
}

/** Ten pieces of product 1 at 60.00. */
const LINE = { product_id: 1, quantity: 10, cost: 60, sale_price: null };

const bodyOf = (...products: readonly object[]) =>
  GoodsReceiptEdit.parse({ stock_id: 3, supplier_id: 7, currency: 'uzs', comment: null, products });

const dollars = (each: object) => ({ ...bodyOf({ ...LINE, ...each }), currency: 'usd' as const });

/** Draft whose line 80 is ten pieces of product 1 at 50.00. */
const before: EditedDraft = {
  currency: 'uzs',
  lines: [{ id: 80, product_id: 1, quantity: 10 * ONE, cost: 5000, amount: 50_000, sale_price: null }],
};

test.for<[string, GoodsReceiptEdit, Record<string, string>, Partial<DraftFacts>?]>([
  ['of one line', bodyOf(LINE), {}],
  [
    'of an unknown product beside an unknown warehouse and supplier: all three',
    bodyOf({ ...LINE, product_id: 9 }),
    {
      stock_id: 'validation.not_found',
      supplier_id: 'validation.not_found',
      'products.0.product_id': 'validation.not_found',
    },
    { warehouse: undefined, isSupplierOpen: false },
  ],
  ['without a supplier', { ...bodyOf(LINE), supplier_id: null }, {}, { isSupplierOpen: false }],
  ['at a price above the floor', bodyOf({ ...LINE, sale_price: 80 }), {}],
  [
    'at a price below the minimum price',
    bodyOf({ ...LINE, sale_price: 79.99 }),
    { 'products.0.sale_price': 'sale.price_too_low' },
  ],
  [
    'at a price below the percent over its own cost',
    bodyOf({ ...LINE, product_id: 2, sale_price: 65 }),
    { 'products.0.sale_price': 'sale.price_too_low' },
  ],
  [
    'at a price whose floor needs a rate that is missing',
    { ...bodyOf({ ...LINE, product_id: 2, sale_price: 65 }), currency: 'eur' },
    { 'products.0.sale_price': 'rate.missing' },
  ],
  [
    'of an amount over the limit, and with it the total',
    bodyOf({ ...LINE, quantity: 1_000_000, cost: 9_000_000_000 }),
    { 'products.0.quantity': 'sale.amount_too_large', products: 'sale.amount_too_large' },
  ],
  [
    'of a cost over the limit in the sale currency',
    dollars({ quantity: 1000, cost: 9_000_000 }),
    { 'products.0.cost': 'sale.cost_too_large' },
  ],
  [
    'of more decimals than the unit has',
    bodyOf({ ...LINE, quantity: 0.5 }),
    { 'products.0.quantity': 'validation.too_many_decimals' },
    { accuracies: new Map([[1, 0]]) },
  ],
])('a draft %s (Contract 7, "Receipt")', ([_, body, codes, given]) => {
  expect(codesOfRefusal(() => decideDraft(director, body, factsWith(given)))).toEqual(codes);
});

test('a draft is of the company of its warehouse, and its lines have consecutive ids', () => {
  const { lines, head } = decideDraft(director, bodyOf(LINE, { ...LINE, product_id: 2 }), factsWith());
  expect(lines).toMatchObject([
    { id: 80, product_id: 1, cost: 6000, amount: 60_000 },
    { id: 81, product_id: 2 },
  ]);
  expect(head).toEqual({
    ...{ stock_id: 3, supplier_id: 7, currency: 'uzs', comment: null },
    ...{ amount: 120_000, company_id: 2, products_count: 2 },
  });
});

const { cost: _, ...WITHOUT_COST } = LINE;
const REQUIRED = { 'products.0.cost': 'validation.required' };

test.for<[string, GoodsReceiptEdit, Record<string, string>, EditedDraft?]>([
  ['of its line', bodyOf({ ...WITHOUT_COST, id: 80 }), {}, before],
  ['of a line without its id', bodyOf(WITHOUT_COST), REQUIRED, before],
  ['of another line', bodyOf({ ...WITHOUT_COST, id: 81 }), REQUIRED, before],
  ['of its line with another product', bodyOf({ ...WITHOUT_COST, id: 80, product_id: 2 }), REQUIRED, before],
  ['in another currency', { ...bodyOf({ ...WITHOUT_COST, id: 80 }), currency: 'usd' }, REQUIRED, before],
  ['of a new draft', bodyOf({ ...WITHOUT_COST, id: 80 }), REQUIRED],
])('a cost left out is kept %s (Part 5, 5A.13)', ([_, body, codes, edited]) => {
  expect(codesOfRefusal(() => decideDraft(director, body, factsWith(), edited))).toEqual(codes);
});

test('a kept cost counts with the new quantity (Part 5, 5A.13)', () => {
  const body = bodyOf({ ...WITHOUT_COST, id: 80, quantity: 2 });
  expect(decideDraft(director, body, factsWith(), before).lines).toMatchObject([
    { id: 80, cost: 5000, amount: 10_000 },
  ]);
});
