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

/** Input to record counts of positions. Part 2, "Inventories". */
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
 * Records counts: each stock level is locked, with its state after the stocktake's completion
 * (`standing-lock.ts`), and the figures of its line are added to the stocktake's. A repeated count replaces
 * the earlier one. All positions are validated before the first write; an interrupted call can be repeated
 * unchanged. 400 for an ended stocktake, 422 on positions of another warehouse, on those with nothing in the
 * books or counted, and over ten thousand positions.
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
      return changeOf(stocktakeRef(actor.tenant, id), position, checked);
    });
    issues.throwIfAny();
    return { count: read.count, steps };
  });
}

/** Builds the lock of a stock level with its pending state, and the write of its position's line. */
function changeOf(
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
