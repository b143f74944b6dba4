import * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { checkAccuracy } from '#lib/catalog/accuracy.ts';
import { MAX_PIECES, stockLevelKey } from '#lib/stock/stock-level.ts';
import { bytesOf } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { standingLockWrite } from '#lib/table/journal/standing-lock.ts';
import type { RecordRef } from '#lib/table/keys.ts';
import { newCheckedLine, totalsOf } from '#lib/trade/stocktake/line.ts';
import { positionRecordWrite } from '#lib/trade/stocktake/positions.ts';
import { stocktakeLock, stocktakeRef } from '#lib/trade/stocktake/record.ts';
import { difference } from '#lib/trade/stocktake/totals.ts';
import { distinct, Id } from '#lib/values/fields.ts';
import { MAX_AMOUNT } from '#lib/values/money.ts';
import { quantity } from '#lib/values/quantity.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { type CountedPosition, readCountedPositions, surplusOrigins } from './counted-position.ts';
import { type CountingContext, MAX_POSITIONS_PER_CALL, type PositionChange, writeInSteps } from './steps.ts';

/** Input to count positions. Part 2, "Inventories". */
export const CountedProductsInput = z.object({
  products_tmp: distinct(
    'stock_product_id',
    z
      .array(z.object({ stock_product_id: Id, actual_quantity: quantity(4, 0, MAX_PIECES) }))
      .min(1)
      .max(MAX_POSITIONS_PER_CALL),
  ),
});

const NO_ORIGIN = { id: 0, cost: 0, currency: 'uzs' } as const;

/**
 * Counts positions: each balance is locked, with what it will be once the count is completed (`standing.ts`),
 * and its line's figures are added to the count's. A position that was counted before is counted anew.
 * Everything is checked before anything is written; a call that dies in the middle is made again as it was.
 * 400 for a count that is over, 422 on what is not of the warehouse, on what is neither in the books nor
 * there, and over ten thousand positions.
 */
export function recordCounts(
  actor: Staff,
  id: number,
  { products_tmp: counted }: z.output<typeof CountedProductsInput>,
  call: CountingContext,
): Promise<void> {
  return writeInSteps(actor, id, call, async (getCount) => {
    const read = await readCountedPositions(actor, id, counted, getCount);
    const origins = await surplusOrigins(actor, read);
    const issues = new ValidationIssues();
    const quantities = read.positions.map(({ balance: { product_id }, actual: quantity }, index) => {
      return { product_id, quantity, path: `products_tmp.${index}.actual_quantity` };
    });
    await checkAccuracy(actor, quantities, issues);
    const steps = read.positions.map((position, index) => {
      const origin = origins.get(position.balance.product_id) ?? NO_ORIGIN;
      const counting = { countId: id, actual: position.actual, by: makerOf(actor), at: call.at, origin };
      const checked = newCheckedLine(position.balance, counting);
      if ((checked.line.surplus?.amount ?? 0) > MAX_AMOUNT) {
        issues.add(`products_tmp.${index}.actual_quantity`, 'sale.amount_too_large');
      }
      return stepOf(stocktakeRef(actor.tenant, id), position, checked);
    });
    issues.throwIfAny();
    return { count: read.count, steps };
  });
}

/** Locks a balance with what it will be, and writes down the line of its position. */
function stepOf(
  place: RecordRef,
  { balance, trace, kind, isPlanned }: CountedPosition,
  { line, pending }: ReturnType<typeof newCheckedLine>,
): PositionChange {
  const { stock_id, product_id, version } = balance;
  const key = stockLevelKey(place.tenant, stock_id, product_id);
  const lock = standingLockWrite(stocktakeLock(place), key, pending, { if: equals('version', version) });
  const isNew = trace ? trace.line === undefined : !isPlanned;
  return {
    writes: [lock, positionRecordWrite(place, line, trace)],
    change: { ...difference(totalsOf(trace?.line), totalsOf(line)), products_count: isNew ? 1 : 0 },
    bytes: 2 * bytesOf({ ...balance }) + bytesOf({ ...line }),
    kind,
  };
}
