import { bareParts, type TakenBatchPart } from '#lib/stock/batch-part.ts';
import type { Cause } from '#lib/stock/movement.ts';
import { insufficientStock } from '#lib/stock/stock-levels.ts';
import { missingRateMessage, type Offers, type PricedLine } from '#lib/trade/pricing/price.ts';
import type { PricedService } from '#lib/trade/pricing/services.ts';
import { addTrackingCodes, type SoldTrackingCode } from '#lib/trade/tracking-codes/claims.ts';
import type { TrackingCodesByLine } from '#lib/trade/tracking-codes/validate.ts';
import { MAX_AMOUNT, type MinorUnits, roundHalfUp } from '#lib/values/money.ts';
import { ONE } from '#lib/values/quantity.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { withVat } from '#lib/values/vat.ts';
import type { Cart } from './cart.ts';
import type { SaleLine, ServiceLine } from './record.ts';
import type { SaleContext, SaleHeader } from './sale-context.ts';

/** A line with its goods. */
export type TakenLine = PricedLine & { readonly id: number; readonly parts: readonly TakenBatchPart[] };

/** Lines of a sale with the goods taken for them, and their cost in the currency of the sale. */
export interface Goods {
  readonly lines: readonly SaleLine[];
  /** Services sold beside them. */
  readonly services: readonly ServiceLine[];
  /** Tracking codes sold with them. */
  readonly marks: readonly SoldTrackingCode[];
}

/** Lines of a sale to be taken, with their tracking codes, services and VAT rates. */
interface RequestedSale extends SaleHeader {
  readonly marks?: TrackingCodesByLine;
  readonly services?: readonly PricedService[];
  readonly offers: Pick<Offers, 'products' | 'vatPercent'>;
}

/**
 * Takes the goods of a sale's lines as `takeForLines` does, and computes their cost; services have their own.
 * Part 5, 5A.1, 3; Part 5, 5A.2, 2.
 */
export function takeGoods(
  basis: Pick<SaleContext, 'stockLevels' | 'firstLineId' | 'pricing'>,
  priced: readonly PricedLine[],
  { ids, maker, at, marks = new Map(), services = [], offers }: RequestedSale,
  issues: ValidationIssues,
): Goods {
  const cause = { document: 'sale', documentId: ids.sale, by: maker, at } as const;
  const taken = takeForLines(basis, priced, cause, issues);
  const costs = costsOfLines(taken, basis, issues);
  checkSums([...taken, ...services], [...costs, ...services.map(({ cost }) => cost)], issues);
  const lines = taken.map(({ pricePath: _, quantityPath: __, parts, ...line }, index) => {
    const percent = offers.products.get(line.product_id)?.vat_percent ?? offers.vatPercent;
    const goods = { batches: bareParts(parts), returned_quantity: 0, cost: costs[index] ?? 0 };
    return { ...withVat(line, percent), ...goods };
  });
  return {
    ...addTrackingCodes(lines, marks),
    services: services.map((service, index) => sell(service, basis.firstLineId + priced.length + index)),
  };
}

function sell({ quantityPath: _, vat_percent, ...service }: PricedService, id: number): ServiceLine {
  return { id, ...withVat(service, vat_percent), returned_quantity: 0 };
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

/** Validates that the total discount and cost are within the limit of an amount. Contract 9.117. */
function checkSums(
  lines: readonly Pick<TakenLine, 'discount' | 'quantityPath'>[],
  costs: readonly MinorUnits[],
  issues: ValidationIssues,
): void {
  const wrong = issues.unless('stock_id', 'cashbox_id');
  let [discounts, cost] = [0, 0];
  for (const [index, { discount, quantityPath }] of lines.entries()) {
    discounts += discount;
    cost += costs[index] ?? 0;
    if (discounts > MAX_AMOUNT) issues.add(quantityPath, 'sale.amount_too_large');
    if (cost > MAX_AMOUNT) wrong.add(quantityPath, 'sale.cost_too_large');
  }
}

/** Computes the cost of each line's goods. A cost without a rate goes to `issues`. */
function costsOfLines(
  lines: readonly TakenLine[],
  { pricing: { rates, currency } }: Pick<SaleContext, 'pricing'>,
  issues: ValidationIssues,
): MinorUnits[] {
  const wrong = issues.unless('stock_id', 'cashbox_id');
  return lines.map(({ parts, pricePath }) =>
    parts.reduce((sum, part) => {
      const paid = costOf(part, rates[part.currency], rates[currency]);
      if (paid === undefined) wrong.add(pricePath, missingRateMessage(part.currency));
      return sum + (paid ?? 0);
    }, 0),
  );
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
