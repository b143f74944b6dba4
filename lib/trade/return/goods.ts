import type { Cause } from '#lib/stock/movement.ts';
import { splitParts } from '#lib/stock/part.ts';
import type { Shelves } from '#lib/stock/shelves.ts';
import { costOf } from '#lib/trade/sale/goods.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import type { ReturnedLine } from '#lib/trade/sale/returns-of.ts';
import { type Returning, refundOf, remainderOfLine } from './lines.ts';

/**
 * Puts goods back into the very batches that they were taken from, the last taken first. Their cost is what
 * the batches are worth more with them, by the rates of the sale. Decisions, 9 (21).
 */
export function putReturned(
  shelves: Shelves,
  returning: readonly Returning[],
  { rates, currency }: Pick<Sale, 'rates' | 'currency'>,
  cause: Omit<Cause, 'lineId'>,
): ReturnedLine[] {
  return returning.map(({ line, quantity, reason_type, comment }) => {
    const { id, product_id } = line;
    const left = remainderOfLine(line);
    const [out] = splitParts(line.batches, left);
    const [, batches] = splitParts(out, left - quantity);
    const inBatches = new Map(shelves.after.get(product_id)?.batches.map((batch) => [batch.id, batch.left]));
    const cost = batches.reduce((sum, part) => {
      const whole = { ...part, left: inBatches.get(part.id) ?? 0 };
      return sum + (costOf(whole, rates[part.currency], rates[currency]) ?? 0);
    }, 0);
    shelves.put(product_id, batches, { ...cause, lineId: id });
    const amount = refundOf({ line, quantity });
    return { id, product_id, returned_quantity: quantity, reason_type, comment, amount, cost, batches };
  });
}
