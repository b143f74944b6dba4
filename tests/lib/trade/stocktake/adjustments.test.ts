import { expect, test } from 'vitest';
import { familyTenant } from '#lib/table/keys.ts';
import { differencesOf, stocktakeAdjustments } from '#lib/trade/stocktake/adjustments.ts';
import type { CheckedLine } from '#lib/trade/stocktake/line.ts';
import type { StoredStocktake } from '#lib/trade/stocktake/record.ts';
import { totals } from '#lib/trade/stocktake/totals.ts';
import { ONE } from '#lib/values/quantity.ts';
import { STORED_DOCUMENT } from '#tests/support/decisions.ts';

const AT = Date.parse('2026-06-01T10:00:00Z');

/** Completed stocktake of warehouse 3, company 2. */
const count: StoredStocktake = {
  ...STORED_DOCUMENT,
  ...totals(() => 0),
  ...{ id: 50, company_id: 2, updater_id: 1, stock_id: 3, responsible_id: null, type: 'full' as const },
  ...{ status: 'completed' as const, comment: null, completed_at: AT, category_ids: {}, brand_ids: {} },
};

const by = { creator_id: 1, impersonator_id: null };
const ending = { count, tenant: familyTenant(1), by, at: AT, locale: 'ru' } as const;
const ids = { receipt: 60, writeOff: 70, writeOffLine: 80 };

/** Creates a position counted at 10 pieces, as many as in the books. */
function checked(id: number, given: Partial<CheckedLine> = {}): CheckedLine {
  const quantities = { stock_quantity: 10 * ONE, actual_quantity: 10 * ONE, held_quantity: 0 };
  return { id, product_id: id, ...quantities, counted_by_id: 1, counted_at: AT, ...given };
}

const MATCHED = checked(1);
const IN_UZS = checked(2, {
  stock_quantity: 8 * ONE,
  surplus: { batch_id: 20, cost: 500, currency: 'uzs', amount: 1000 },
});
const IN_USD = checked(3, {
  stock_quantity: 9 * ONE,
  surplus: { batch_id: 30, cost: 700, currency: 'usd', amount: 700 },
});
const SHORT = checked(4, {
  stock_quantity: 12 * ONE,
  shortage: [{ id: 40, cost: 300, currency: 'uzs', at: 0, quantity: 2 * ONE, amount: 600 }],
});

/** Builds the headers of the adjustments of counted lines. */
function headersOf(lines: readonly CheckedLine[]): unknown[] {
  const made = stocktakeAdjustments(ending, differencesOf(lines), ids);
  return made.map(({ header: { change } }) => change.kind === 'put' && change.item);
}

test('a stocktake that matches the books has no adjustments (Contract 9.11)', () => {
  expect(headersOf([MATCHED])).toEqual([]);
});

test('the surplus is a goods receipt per currency, the shortage one write-off (Contract 9.11)', () => {
  const owned = { company_id: 2, stock_id: 3, supplier_id: null, status: 'completed', completed_at: AT };
  expect(headersOf([MATCHED, IN_USD, SHORT, IN_UZS])).toMatchObject([
    { ...owned, id: 60, inventory_id: 50, currency: 'uzs', amount: 1000, products_count: 1 },
    { ...owned, id: 61, inventory_id: 50, currency: 'usd', amount: 700, products_count: 1 },
    { ...owned, id: 70, source_type: 'inventory', source_id: 50, amounts: { uzs: 600, usd: 0 } },
  ]);
});

test('their lines are the differences, those of the receipt with the ids of their batches', () => {
  const { surplus, shortage } = differencesOf([MATCHED, IN_UZS, SHORT]);
  expect(surplus).toEqual([
    ['uzs', [{ id: 20, product_id: 2, quantity: 2 * ONE, cost: 500, amount: 1000, sale_price: null }]],
  ]);
  expect(shortage).toEqual([SHORT]);
});
