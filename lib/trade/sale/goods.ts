import type { TakenPart } from '#lib/stock/batch.ts';
import type { Cause } from '#lib/stock/movement.ts';
import { freeOf, type Shelves, takeFrom } from '#lib/stock/shelves.ts';
import { type Cents, MOST_AMOUNT } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import { ONE } from '#lib/values/quantity.ts';
import { costOf } from './cost.ts';
import { noRate, type PricedLine, type Pricing } from './price.ts';
import type { SaleLine } from './record.ts';

/** The lines of a cheque with the goods that were taken for them, and their cost in the cheque's currency. */
export interface Goods {
  readonly lines: readonly SaleLine[];
  readonly cost: Cents;
}

/**
 * Takes the goods of a cheque's lines off the shelves, the oldest batches first. Decisions, 4. A line over
 * what is free goes to `problems` with the free quantity, and so does one whose cost can't be told, or takes
 * the cheque's cost over its limit.
 */
export function takeGoods(
  shelves: Shelves,
  priced: readonly PricedLine[],
  firstLineId: number,
  cause: Omit<Cause, 'lineId'>,
  pricing: Pricing,
  problems: Problems,
): Goods {
  const lines: SaleLine[] = [];
  let cost = 0;
  for (const [index, { pricePath, quantityPath, ...line }] of priced.entries()) {
    const id = firstLineId + index;
    const free = freeOf(shelves, line.product_id);
    const parts = takeFrom(shelves, line.product_id, line.sold_quantity, { ...cause, lineId: id });
    if (!parts) {
      problems.add(quantityPath, { key: 'stock.not_enough', with: { available: free / ONE } });
      continue;
    }
    for (const part of parts) {
      const paid = costOf(part, pricing.rates[part.currency], pricing.rates[pricing.currency]);
      if (paid === undefined) problems.add(pricePath, noRate(part.currency));
      cost += paid ?? 0;
    }
    if (cost > MOST_AMOUNT) problems.add(quantityPath, 'sale.cost_too_large');
    lines.push({ ...line, id, batches: parts.map(kept), returned_quantity: 0, refunded_amount: 0 });
  }
  return { lines, cost };
}

function kept({ left: _, ...part }: TakenPart) {
  return part;
}
