import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { makerOf } from '#lib/auth/actor.ts';
import { StockLevels } from '#lib/stock/stock-levels.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { allocateRefund } from '#lib/trade/return/allocate-refund.ts';
import { linesToReturn, refundOf, remainderOfLine, restock } from '#lib/trade/return/lines.ts';
import { afterReturn, newReturn } from '#lib/trade/return/write.ts';
import { costOf } from '#lib/trade/sale/goods.ts';
import type { SaleLine } from '#lib/trade/sale/record.ts';
import { ONE } from '#lib/values/quantity.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { newDebtOf, newSaleOf, RATES } from '#tests/support/sales.ts';

const HOME = familyTenant(1);
const BY = makerOf({ id: 2 });
/** Ids of records that these functions never read: related records share them. */
const [SALE_ID, LINE_ID, RETURN_ID, WATER, WAREHOUSE, DESK, BUNDLE, POSTING] = [3, 4, 5, 6, 7, 8, 9, 10];
const RETURN = { document: 'sale_return', documentId: RETURN_ID, by: BY, at: 1 } as const;
const SALE = { ...RETURN, document: 'sale', documentId: SALE_ID, lineId: LINE_ID } as const;

const share = fc.double({ min: 0, max: 1, noNaN: true });

/** Builds a stock level of water with batches of these costs, the oldest first. */
function stockLevelOf(batches: readonly { readonly left: number; readonly cost: number }[]): StockLevels {
  const row = {
    ...{ id: 1, stock_id: WAREHOUSE, product_id: WATER, created_at: 0, recent: '', pages: 0, version: 1 },
    quantity: batches.reduce((sum, { left }) => sum + left, 0),
    batches: batches.map((batch, index) => ({
      ...batch,
      id: index + 1,
      currency: 'usd' as const,
      at: index,
    })),
  };
  return new StockLevels(HOME, [row]);
}

function lineOf(given: Pick<SaleLine, 'sold_quantity' | 'amount'> & Partial<SaleLine>): SaleLine {
  return {
    ...{ id: LINE_ID, product_id: WATER, bundle_id: null, bundle_key: null, bundle_quantity: null },
    ...{ returned_quantity: 0, refunded_amount: 0, price: 0, discount: 0, cost: 0, batches: [] },
    ...given,
  };
}

test('however a line comes back, its goods, their cost and its amount are all back in the end (Contract 8)', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ left: fc.integer({ min: 1, max: 5 * ONE }), cost: fc.integer({ min: 0, max: 1e6 }) }),
        {
          minLength: 1,
          maxLength: 5,
        },
      ),
      fc.integer({ min: 0, max: 1e9 }),
      fc.array(share, { maxLength: 8 }),
      (batches, amount, shares) => {
        const stockLevels = stockLevelOf(batches);
        const before = stockLevels.after.get(WATER)?.batches;
        const sold_quantity =
          Math.ceil((stockLevels.after.get(WATER)?.quantity ?? 0) * (shares[0] ?? 1)) || 1;
        const parts = stockLevels.take(WATER, sold_quantity, SALE) ?? [];
        const cost = parts.reduce((sum, part) => sum + (costOf(part, RATES.usd, RATES.uzs) ?? 0), 0);
        let line = lineOf({
          sold_quantity,
          amount,
          cost,
          batches: parts.map(({ left: _, ...part }) => part),
        });
        const returned = { amount: 0, cost: 0 };
        for (const each of [...shares, 1]) {
          const quantity = Math.ceil(remainderOfLine(line) * each);
          if (quantity === 0) continue;
          const asked = { line, quantity, reason_type: null, comment: null };
          const [back] = restock(stockLevels, [asked], { rates: RATES, currency: 'uzs' }, RETURN);
          expect(back?.amount).toBeGreaterThanOrEqual(0);
          returned.amount += back?.amount ?? 0;
          returned.cost += back?.cost ?? 0;
          const returned_quantity = line.returned_quantity + quantity;
          line = {
            ...line,
            returned_quantity,
            refunded_amount: returned.amount,
            returned_cost: returned.cost,
          };
        }
        expect(returned).toEqual({ amount, cost });
        expect(stockLevels.after.get(WATER)?.batches).toEqual(before);
      },
    ),
  );
});

test('whatever series of returns, the debt is closed first and no more is paid out than came', () => {
  const cents = fc.integer({ min: 0, max: 1e7 });
  fc.assert(
    fc.property(
      fc.record({
        money: cents,
        debt: cents,
        bonus: cents,
        repaid: share,
        quantity: fc.integer({ min: 1, max: 50 }),
      }),
      fc.array(fc.record({ part: share, goods: fc.option(cents, { nil: 0 }) }), { maxLength: 8 }),
      ({ money, debt, bonus, repaid, quantity }, series) => {
        const amount = money + debt + bonus;
        const repaid_amount = Math.floor(debt * repaid);
        let original = {
          sale: newSaleOf({ id: SALE_ID, sold_amount: amount, received_amount: money }),
          lines: [lineOf({ sold_quantity: quantity * ONE, amount })],
          debt: newDebtOf({ sale_id: SALE_ID, amount: debt, repaid_amount }),
          warehouse: { id: WAREHOUSE, company_id: 1 },
          desk: undefined,
          clientSums: undefined,
          origins: [],
        };
        for (const { part, goods } of [...series, { part: 1, goods: 0 }]) {
          const [line] = original.lines;
          const some = line && Math.ceil(remainderOfLine(line) * part);
          if (!line || !some) continue;
          const value = refundOf({ line, quantity: some });
          const allotment = allocateRefund(original, value, goods);
          const { exchanged, passedOn, closed, due } = allotment;
          for (const sum of [exchanged, passedOn, closed, due]) expect(sum).toBeGreaterThanOrEqual(0);
          expect(exchanged).toBe(Math.min(value, goods));
          expect(passedOn).toBeLessThanOrEqual(exchanged);
          expect(exchanged + closed + due).toBeLessThanOrEqual(value);
          const why = { reason_type: null, comment: null };
          const back = {
            id: LINE_ID,
            product_id: WATER,
            returned_quantity: some,
            amount: value,
            cost: 0,
            ...why,
          };
          const head = {
            id: RETURN_ID,
            sale_id: SALE_ID,
            cashbox_id: DESK,
            stock_id: WAREHOUSE,
            kind: 'return',
            exchange_sale_id: null,
            ...BY,
          } as const;
          const paid = {
            payment_type: 'cash',
            payment_type_id: null,
            amount: due,
            currency: 'uzs',
            counted_amount: due,
            transfer_id: POSTING,
          } as const;
          const products = [{ ...back, batches: [] }];
          const made = newReturn(
            { ...head, products, transactions: due > 0 ? [paid] : [], created_at: 1 },
            allotment,
            { passedOn: [], origins: [], takenBack: [] },
          );
          const { sale, lines } = afterReturn(original, allotment, made);
          const returned_amount = original.debt.returned_amount + closed;
          const left = { ...original.debt, returned_amount };
          original = { ...original, sale: { ...sale, version: 1 }, lines, debt: left };
          expect(sale.paid_out_amount + sale.passed_on_amount).toBeLessThanOrEqual(money + repaid_amount);
          expect(returned_amount + repaid_amount).toBeLessThanOrEqual(debt);
        }
        expect(original.sale).toMatchObject({ status: 'full_returned', returned_amount: amount });
        if (series.some(({ goods }) => goods > 0)) return;
        expect(original.debt.returned_amount).toBe(debt - repaid_amount);
        expect(original.sale.paid_out_amount).toBe(money + repaid_amount);
      },
    ),
  );
});

test('what a bundle of odd parts is sold for comes back to the last 1/100', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 7 }),
      fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 7 }),
      (bundles, amounts, series) => {
        const bundle = { bundle_id: BUNDLE, bundle_key: 'bundles.0', bundle_quantity: bundles };
        let lines = amounts.map((amount, index) =>
          lineOf({ id: index + 1, ...bundle, sold_quantity: bundles * (index + 1) * 33_333_333, amount }),
        );
        let left = bundles;
        for (const count of series) {
          const some = Math.min(left, count);
          if (some === 0) break;
          left -= some;
          const issues = new ValidationIssues();
          const why = { reason_type: 'defective' as const, comment: null, marks: [] };
          const asked = lines.map(({ id, sold_quantity }) => ({
            ...{ id, ...why, returned_quantity: (sold_quantity / bundles) * some },
          }));
          const returning = linesToReturn(asked, lines, 'products', issues);
          expect(issues.areAny).toBe(false);
          lines = returning.map(({ line, quantity }) => ({
            ...line,
            returned_quantity: line.returned_quantity + quantity,
            refunded_amount: (line.refunded_amount ?? 0) + refundOf({ line, quantity }),
          }));
        }
        if (left === 0) expect(lines.map(({ refunded_amount }) => refunded_amount)).toEqual(amounts);
      },
    ),
  );
});
