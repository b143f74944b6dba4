import type { Cause } from '#lib/stock/movement.ts';
import { freeOf, type Shelves, takeFrom } from '#lib/stock/shelves.ts';
import { type Cents, converted } from '#lib/values/money.ts';
import { amountOf, ONE } from '#lib/values/quantity.ts';
import type { PricedLine, Pricing, Wrongs } from './sale-lines.ts';
import type { SaleLine } from './sale-record.ts';

/**
 * Takes the goods of a cheque's lines off the shelves, the oldest batches first. A line over what is free goes to
 * `wrongs`, with what was. Decisions, 4.
 */
export function takeGoods(
  shelves: Shelves,
  lines: readonly PricedLine[],
  firstLineId: number,
  cause: Omit<Cause, 'lineId'>,
  wrongs: Wrongs,
): SaleLine[] {
  return lines.flatMap(({ quantityPath, ...line }, index) => {
    const id = firstLineId + index;
    const free = freeOf(shelves, line.product_id);
    const batches = takeFrom(shelves, line.product_id, line.sold_quantity, { ...cause, lineId: id });
    if (batches) return [{ ...line, id, batches: [...batches], returned_quantity: 0, refunded_amount: 0 }];
    wrongs[quantityPath] ??= { key: 'stock.not_enough', with: { available: free / ONE } };
    return [];
  });
}

/** What the goods of lines had cost, in the cheque's currency. */
export function costOf(lines: readonly SaleLine[], { currency, rates }: Pricing): Cents {
  return lines
    .flatMap(({ batches }) => batches)
    .reduce((sum, { cost, quantity, currency: paidIn }) => {
      return sum + converted(amountOf(cost, quantity), rates[paidIn], rates[currency]);
    }, 0);
}
