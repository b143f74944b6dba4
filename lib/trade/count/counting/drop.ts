import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { stockLevelKey } from '#lib/stock/stock-level.ts';
import { standingUnlockWrite } from '#lib/table/journal/standing-lock.ts';
import { totalsOf } from '#lib/trade/count/line.ts';
import { readPlan, readTraces, traceWrite } from '#lib/trade/count/positions.ts';
import { countPlace, counts, lockOfCount, requireInProgress } from '#lib/trade/count/record.ts';
import { difference } from '#lib/trade/count/totals.ts';
import { Id } from '#lib/values/fields.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { type CountCall, MOST_A_CALL, makeSteps, type PositionChange } from './steps.ts';

/** Positions that are not to be counted. */
export const RemovedProducts = z.object({
  products_tmp: z
    .array(Id)
    .min(1)
    .max(MOST_A_CALL)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'validation.duplicate' }),
});

/**
 * Takes positions out of a count, by the ids of their lines; what was counted of them is given back as it
 * was. What is out already is passed over, so that a call that dies in the middle is made again as it was.
 * 400 for a count that is over, 422 on what has never been in it.
 */
export function dropProducts(
  actor: Staff,
  id: number,
  { products_tmp: ids }: z.output<typeof RemovedProducts>,
  call: CountCall,
): Promise<void> {
  const { home } = actor;
  const place = countPlace(home, id);
  return makeSteps(actor, id, call, async (getCount) => {
    const [count, plan, traces] = await Promise.all([
      getCount(counts, actor, id),
      readPlan(place),
      readTraces(place, ids),
    ]);
    requireInProgress(count);
    const planned = new Map(plan.map((row) => [row.id, row]));
    const problems = new ValidationIssues();
    const steps = ids.flatMap((rowId, index): PositionChange[] => {
      const trace = traces[index];
      if (trace && !trace.line) return [];
      const row = trace?.line ?? planned.get(rowId);
      if (!row) {
        problems.add(`products_tmp.${index}`, 'validation.not_found');
        return [];
      }
      const removed = { id: rowId, product_id: row.product_id, is_removed: true } as const;
      const key = stockLevelKey(home, count.stock_id, row.product_id);
      const unlocking = trace ? [standingUnlockWrite(lockOfCount(place), key)] : [];
      return [
        {
          writes: [traceWrite(place, removed, trace), ...unlocking],
          change: { ...difference(totalsOf(trace?.line), totalsOf(undefined)), products_count: -1 },
          bytes: 0,
        },
      ];
    });
    problems.throwIfAny();
    return { count, steps };
  });
}
