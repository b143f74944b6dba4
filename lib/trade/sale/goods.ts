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

/** Lines of a sale with the goods taken for them, and their cost in the currency of the sale. */
export interface Goods {
  readonly lines: readonly SaleLine[];
  /** Tracking codes sold with them. */
  readonly marks: readonly SoldTrackingCode[];
}

/** Takes the goods of a sale's lines as `takeForLines` does, and computes their cost. */
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
 * Takes goods for lines from stock, the oldest batches first, and assigns line ids, unless they add to an
 * existing line. A line without enough free stock is omitted, and goes to `issues` with the free quantity,
 * unless the warehouse itself is invalid. Contract 4.
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

/** Validates that the total discount is within the limit of an amount. Contract 9.117. */
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
 * Computes the cost of each line's goods. A cost without a rate, or a total over the limit, goes to `issues`.
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
 * The cost of a part of a batch is the difference between the values of the batch with it and without it,
 * each rounded once, of cost × quantity × rate. Rounded by itself, a part would be up to half of 1/100 off,
 * and a batch sold in a thousand parts up to five units. So the parts of a batch always add up to the cost of
 * the whole at that rate, however it is split. Goods returned to it increase its value by exactly their cost.
 * Contract 8.
 */

/**
 * Computes the cost of a part of a batch in the currency of the second rate. Undefined if either currency has
 * no rate.
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
