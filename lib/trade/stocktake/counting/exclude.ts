import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { stockLevelKey } from '#lib/stock/stock-level.ts';
import { standingUnlockWrite } from '#lib/table/journal/standing-lock.ts';
import { totalsOf } from '#lib/trade/stocktake/line.ts';
import { positionRecordWrite, readPlan, readPositionRecords } from '#lib/trade/stocktake/positions.ts';
import { requireInProgress, stocktakeLock, stocktakeRef, stocktakes } from '#lib/trade/stocktake/record.ts';
import { difference } from '#lib/trade/stocktake/totals.ts';
import { Id } from '#lib/values/fields.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { type CountingContext, MAX_POSITIONS_PER_CALL, type PositionChange, writeInSteps } from './steps.ts';

/** Positions to be excluded. */
export const ExcludedProductsInput = z.object({
  products_tmp: z
    .array(Id)
    .min(1)
    .max(MAX_POSITIONS_PER_CALL)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'validation.duplicate' }),
});

/**
 * Excludes positions from a stocktake, by the ids of their lines, and reverses their counts. Positions
 * already excluded are skipped, so an interrupted call can be repeated unchanged. 400 for an ended stocktake,
 * 422 on positions never included.
 */
export function excludeProducts(
  actor: Staff,
  id: number,
  { products_tmp: ids }: z.output<typeof ExcludedProductsInput>,
  call: CountingContext,
): Promise<void> {
  const { tenant } = actor;
  const ref = stocktakeRef(tenant, id);
  return writeInSteps(actor, id, call, async (getCount) => {
    const [count, plan, records] = await Promise.all([
      getCount(stocktakes, actor, id),
      readPlan(ref),
      readPositionRecords(ref, ids),
    ]);
    requireInProgress(count);
    const planned = new Map(plan.map((row) => [row.id, row]));
    const issues = new ValidationIssues();
    const steps = ids.flatMap((rowId, index): PositionChange[] => {
      const record = records[index];
      if (record && !record.line) return [];
      const row = record?.line ?? planned.get(rowId);
      if (!row) {
        issues.add(`products_tmp.${index}`, 'validation.not_found');
        return [];
      }
      const removed = { id: rowId, product_id: row.product_id, is_removed: true } as const;
      const key = stockLevelKey(tenant, count.stock_id, row.product_id);
      const unlocking = record ? [standingUnlockWrite(stocktakeLock(ref), key)] : [];
      return [
        {
          writes: [positionRecordWrite(ref, removed, record), ...unlocking],
          change: { ...difference(totalsOf(record?.line), totalsOf(undefined)), products_count: -1 },
          bytes: 0,
        },
      ];
    });
    issues.throwIfAny();
    return { count, steps };
  });
}
