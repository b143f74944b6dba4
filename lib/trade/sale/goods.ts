import { bareParts, type TakenBatchPart } from '#lib/stock/batch-part.ts';
import type { Cause } from '#lib/stock/movement.ts';
import { insufficientStock } from '#lib/stock/stock-levels.ts';
import { missingRateMessage, type PricedLine } from '#lib/trade/pricing/price.ts';
import { addTrackingCodes, type SoldTrackingCode } from '#lib/trade/tracking-codes/claims.ts';
import type { TrackingCodesByLine } from '#lib/trade/tracking-codes/validate.ts';
import { MAX_AMOUNT, type MinorUnits, roundHalfUp } from '#lib/values/money.ts';
import { ONE } from '#lib/values/quantity.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { Cart } from './cart.ts';
import type { SaleLine } from './record.ts';
import type { SaleContext, SaleHeader } from './sale-context.ts';

/** A line with its goods. */
export type TakenLine = PricedLine & { readonly id: number; readonly parts: readonly TakenBatchPart[] };

/**
 * The lines of a cheque with the goods that were taken for them, and what those had cost in the cheque's
 * currency.
 */
export interface Goods {
  readonly lines: readonly SaleLine[];
  /** Marks that go out with them. */
  readonly marks: readonly SoldTrackingCode[];
}

/** Takes the goods of a cheque's lines as `takeForLines` says, and computes what they had cost. */
export function takeGoods(
  basis: Pick<SaleContext, 'stockLevels' | 'firstLineId' | 'pricing'>,
  priced: readonly PricedLine[],
  { ids, maker, at, marks = new Map() }: SaleHeader & { readonly marks?: TrackingCodesByLine },
  issues: ValidationIssues,
): Goods {
  const cause = { document: 'sale', documentId: ids.sale, by: maker, at } as const;
  const taken = takeForLines(basis, priced, cause, issues);
  const costs = costsOfLines(taken, basis, issues);
  checkDiscounts(taken, issues);
  const lines = taken.map(({ pricePath: _, quantityPath: __, parts, ...line }, index) => ({
    ...line,
    batches: bareParts(parts),
    returned_quantity: 0,
    cost: costs[index] ?? 0,
  }));
  return addTrackingCodes(lines, marks);
}

/**
 * Takes the goods of lines off the shelves, the oldest batches first, and gives lines their ids, unless they
 * add to a line that has one. A line of more than is free is left out. It goes to `problems` with what is
 * free, unless the warehouse itself is wrong. Contract 4.
 */
export function takeForLines(
  { stockLevels, firstLineId }: Pick<Cart, 'stockLevels' | 'firstLineId'>,
  priced: readonly (PricedLine & { readonly id?: number | undefined })[],
  cause: Omit<Cause, 'lineId'>,
  issues: ValidationIssues,
): TakenLine[] {
  return priced.flatMap((line, index) => {
    const id = line.id ?? firstLineId + index;
    const parts = stockLevels.take(line.product_id, line.sold_quantity, { ...cause, lineId: id });
    if (parts) return [{ ...line, id, parts }];
    issues.unless('stock_id').add(line.quantityPath, insufficientStock(stockLevels.free(line.product_id)));
    return [];
  });
}

/** Checks that the discounts of a cheque make a sum that it can keep. Contract 9.117. */
function checkDiscounts(
  lines: readonly Pick<TakenLine, 'discount' | 'quantityPath'>[],
  issues: ValidationIssues,
): void {
  let whole = 0;
  for (const { discount, quantityPath } of lines) {
    whole += discount;
    if (whole > MAX_AMOUNT) issues.add(quantityPath, 'sale.amount_too_large');
  }
}

/**
 * Computes what the goods of each line had cost. A cost that can't be told, or makes too much of the whole,
 * goes to `problems`.
 */
function costsOfLines(
  lines: readonly TakenLine[],
  { pricing: { rates, currency } }: Pick<SaleContext, 'pricing'>,
  issues: ValidationIssues,
): MinorUnits[] {
  const wrong = issues.unless('stock_id', 'cashbox_id');
  let whole = 0;
  return lines.map(({ parts, pricePath, quantityPath }) => {
    const cost = parts.reduce((sum, part) => {
      const paid = costOf(part, rates[part.currency], rates[currency]);
      if (paid === undefined) wrong.add(pricePath, missingRateMessage(part.currency));
      return sum + (paid ?? 0);
    }, 0);
    whole += cost;
    if (whole > MAX_AMOUNT) wrong.add(quantityPath, 'sale.cost_too_large');
    return cost;
  });
}

/*
 * The cost of a part of a batch is the difference between the batch's worth with it and without it, each
 * rounded once, of cost × quantity × rate. Rounded by itself, a part would be up to half of 1/100 off, and a
 * batch that is sold in a thousand parts up to five units. So the parts of a batch always add up to what the
 * whole of it costs at that rate, however it is cut. Goods that go back into it take back exactly what the
 * batch is then worth more. Contract 8.
 */

/**
 * Computes the cost of a part of a batch, in the currency of the second rate. Undefined if either currency
 * has no rate.
 */
export function costOf(
  { cost, quantity, left }: TakenBatchPart,
  from: MinorUnits,
  to: MinorUnits,
): MinorUnits | undefined {
  if (from === 0 || to === 0) return undefined;
  const worth = (units: number) =>
    roundHalfUp(BigInt(cost) * BigInt(units) * BigInt(from), BigInt(to) * BigInt(ONE));
  return Number(worth(left + quantity) - worth(left));
}
