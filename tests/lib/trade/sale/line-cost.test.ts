import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { makerOf } from '#lib/auth/actor.ts';
import { StockLevels } from '#lib/stock/stock-levels.ts';
import { familyTenant } from '#lib/table/keys.ts';
import type { PricedLine } from '#lib/trade/pricing/price.ts';
import { linesAfter, remainderOfLine, restock } from '#lib/trade/return/lines.ts';
import { takeGoods } from '#lib/trade/sale/goods.ts';
import type { SaleLine } from '#lib/trade/sale/record.ts';
import type { SaleHeader } from '#lib/trade/sale/sale-context.ts';
import { Currency, roundHalfUp } from '#lib/values/money.ts';
import { ONE } from '#lib/values/quantity.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { RATES } from '#tests/support/sales.ts';

const HOME = familyTenant(1);
const MAKER = makerOf({ id: 2 });
const PRICING = { currency: 'uzs', rates: RATES, canDiscount: true } as const;
const PRODUCTS = [5, 6, 7];
const RETURN = { document: 'sale_return', documentId: 9, by: MAKER, at: 1 } as const;

const share = fc.double({ min: 0, max: 1, noNaN: true });

const batch = fc.record({
  left: fc.integer({ min: 1, max: 3 * ONE }),
  cost: fc.integer({ min: 0, max: 1000 }),
  currency: fc.constantFrom(...Currency.options),
});

/** Batches of each product, the oldest first. */
const stock = fc.array(fc.array(batch, { minLength: 1, maxLength: 4 }), {
  minLength: PRODUCTS.length,
  maxLength: PRODUCTS.length,
});

/** What a cart takes of which product, as a share of what is there. */
const cart = fc.array(fc.record({ product: fc.constantFrom(...PRODUCTS), part: share }), {
  minLength: 1,
  maxLength: 6,
});

type Batches = readonly { readonly left: number; readonly cost: number; readonly currency: Currency }[];

function stockLevelsOf(all: readonly Batches[]): StockLevels {
  const rows = all.map((batches, index) => ({
    ...{ id: index + 1, stock_id: 3, product_id: PRODUCTS[index], created_at: 0 },
    ...{ recent: '', pages: 0, version: 1, quantity: batches.reduce((sum, { left }) => sum + left, 0) },
    batches: batches.map((each, at) => ({ ...each, id: 10 * (index + 1) + at, at })),
  }));
  return new StockLevels(HOME, rows);
}

/** Takes goods off shelves, some products in several lines, and gives the lines. */
function sell(
  stockLevels: StockLevels,
  wanted: readonly { readonly product: number; readonly part: number }[],
  sale: number,
): readonly SaleLine[] {
  const head: SaleHeader = {
    ...{
      ids: { sale, posting: 1, debt: 1, deposit: 1 },
      maker: MAKER,
      client_id: null,
      hold_id: null,
      comment: null,
    },
    ...{ source_type: 'native', source_data: [], key: null, sold_at: 1, at: 1 },
  };
  const lines: PricedLine[] = [];
  const left = new Map(PRODUCTS.map((id) => [id, stockLevels.free(id)]));
  for (const { product, part } of wanted) {
    const sold_quantity = Math.floor((left.get(product) ?? 0) * part);
    if (sold_quantity === 0) continue;
    left.set(product, (left.get(product) ?? 0) - sold_quantity);
    const own = { product_id: product, bundle_id: null, bundle_key: null, bundle_quantity: null };
    lines.push({ ...own, sold_quantity, price: 0, discount: 0, amount: 0, pricePath: '', quantityPath: '' });
  }
  const issues = new ValidationIssues();
  const basis = { stockLevels, firstLineId: sale * 100, pricing: PRICING };
  const offers = { products: new Map(), vatPercent: null };
  const goods = takeGoods(basis, lines, { ...head, offers }, issues);
  issues.throwIfAny();
  return goods.lines;
}

/** Computes what all that is left on shelves is worth, each batch rounded once. */
function worthOf(stockLevels: StockLevels): number {
  const batches = [...stockLevels.after.values()].flatMap((balance) => balance.batches);
  return batches.reduce((sum, { cost, left, currency }) => {
    const exact = BigInt(cost) * BigInt(left) * BigInt(RATES[currency]);
    return sum + Number(roundHalfUp(exact, BigInt(RATES.uzs) * BigInt(ONE)));
  }, 0);
}

function costIn(lines: readonly { readonly cost: number }[]): number {
  return lines.reduce((sum, { cost }) => sum + cost, 0);
}

test('whatever is in a cart, the costs of its lines and what is left come to what the batches did', () => {
  fc.assert(
    fc.property(stock, cart, (batches, wanted) => {
      const stockLevels = stockLevelsOf(batches);
      const whole = worthOf(stockLevels);
      const lines = sell(stockLevels, wanted, 1);
      for (const { cost } of lines) expect(cost).toBeGreaterThanOrEqual(0);
      expect(costIn(lines) + worthOf(stockLevels)).toBe(whole);
    }),
  );
});

test('in whatever parts and order lines come back, and whatever is sold in between, each takes its cost back', () => {
  const step = fc.record({ line: fc.nat(), part: share, others: fc.option(cart, { nil: [] }) });
  fc.assert(
    fc.property(stock, cart, fc.array(step, { maxLength: 12 }), (batches, wanted, steps) => {
      const stockLevels = stockLevelsOf(batches);
      sell(stockLevels, [{ product: 5, part: 0.3 }], 1);
      let lines = sell(stockLevels, wanted, 2);
      const ends = lines.map((_, line) => ({ line, part: 1, others: [] }));
      const came = new Map<number, number>();
      let sales = 2;
      for (const { line: index, part, others } of [...steps, ...ends]) {
        if (others.length > 0) sell(stockLevels, others, ++sales);
        const line = lines[index % Math.max(1, lines.length)];
        const quantity = line ? Math.ceil(remainderOfLine(line) * part) : 0;
        if (!line || quantity === 0) continue;
        const asked = [{ line, quantity, reason_type: null, comment: null }];
        const back = restock(stockLevels, asked, { rates: RATES, currency: 'uzs' }, RETURN);
        expect(costIn(back)).toBeGreaterThanOrEqual(0);
        came.set(line.id, (came.get(line.id) ?? 0) + costIn(back));
        expect(came.get(line.id)).toBeLessThanOrEqual(line.cost);
        lines = linesAfter(lines, back);
      }
      expect(lines.map(({ id }) => came.get(id) ?? 0)).toEqual(lines.map(({ cost }) => cost));
      expect(lines.map((line) => line.returned_cost ?? 0)).toEqual(lines.map(({ cost }) => cost));
    }),
  );
});

test('goods that come back before others are sold take back what their batches are worth more', () => {
  fc.assert(
    fc.property(stock, cart, fc.array(share, { maxLength: 4 }), (batches, wanted, parts) => {
      const stockLevels = stockLevelsOf(batches);
      let lines = sell(stockLevels, wanted, 1);
      for (const part of parts) {
        const before = worthOf(stockLevels);
        const line = lines.findLast((each) => remainderOfLine(each) > 0);
        if (!line) return;
        const quantity = Math.ceil(remainderOfLine(line) * part) || 1;
        const asked = [{ line, quantity, reason_type: null, comment: null }];
        const back = restock(stockLevels, asked, { rates: RATES, currency: 'uzs' }, RETURN);
        expect(costIn(back)).toBe(worthOf(stockLevels) - before);
        lines = linesAfter(lines, back);
      }
    }),
  );
});
