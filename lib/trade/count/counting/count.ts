import * as z from 'zod';
import { makerOf, type Staff } from '#lib/access/actor.ts';

import { balanceKey, MOST_PIECES } from '#lib/stock/balance.ts';
import { bytesOf } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { takeUnder } from '#lib/table/journal/standing.ts';
import { newCheckedLine, totalsOf } from '#lib/trade/count/line.ts';
import { lineWrite, type Trace } from '#lib/trade/count/positions.ts';
import { countPlace, lockOfCount } from '#lib/trade/count/record.ts';
import { difference } from '#lib/trade/count/totals.ts';
import { distinct, Id } from '#lib/values/fields.ts';
import { MOST_AMOUNT } from '#lib/values/money.ts';
import { Problems } from '#lib/values/problems.ts';
import { quantity } from '#lib/values/quantity.ts';
import { type CountedPosition, originsOf, readCounted, requireSomething } from './counted.ts';
import { type CountCall, MOST_A_CALL, makeSteps, type PositionChange } from './steps.ts';

/** Input to count positions. Part 2, "Inventories". */
export const CountedProducts = z.object({
  products_tmp: distinct(
    'stock_product_id',
    z
      .array(z.object({ stock_product_id: Id, actual_quantity: quantity(4, 0, MOST_PIECES) }))
      .min(1)
      .max(MOST_A_CALL),
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
export function countProducts(
  actor: Staff,
  id: number,
  { products_tmp: counted }: z.output<typeof CountedProducts>,
  call: CountCall,
): Promise<void> {
  const place = countPlace(actor.home, id);
  const ids = counted.map(({ stock_product_id }) => stock_product_id);
  return makeSteps(actor, place, call, async (getCount) => {
    const read = await readCounted(actor, place, ids, getCount);
    const { count, kinds } = read;
    const positions = positionsIn(read, counted);
    requireSomething(positions, read.planned);
    const origins = await originsOf(read, place, positions);
    const problems = new Problems();
    const steps = positions.map(({ balance, actual, trace }, index): PositionChange => {
      const { id: rowId, product_id, version } = balance;
      const origin = origins.get(product_id) ?? NO_ORIGIN;
      const counting = { countId: id, actual, by: makerOf(actor), at: call.at, origin };
      const { line, pending } = newCheckedLine(balance, counting);
      if ((line.surplus?.amount ?? 0) > MOST_AMOUNT) {
        problems.add(`products_tmp.${index}.actual_quantity`, 'sale.amount_too_large');
      }
      const key = balanceKey(place.home, count.stock_id, product_id);
      const after = pending && { ...pending, version: version + 1 };
      const lock = takeUnder(lockOfCount(place), key, after, { if: equals('version', version) });
      return {
        writes: [lock, lineWrite(place, line, trace)],
        change: {
          ...difference(totalsOf(trace?.line), totalsOf(line)),
          products_count: isAmong(read.planned, rowId, trace) ? 0 : 1,
        },
        bytes: 2 * bytesOf({ ...balance }) + bytesOf({ ...line }),
        kind: kinds.get(product_id),
      };
    });
    problems.throwIfAny();
    return { count, steps };
  });
}

/** Puts what was counted beside what is in the books, and what somebody has done with it before. */
function positionsIn(
  { balances, traces }: Awaited<ReturnType<typeof readCounted>>,
  counted: z.output<typeof CountedProducts>['products_tmp'],
): CountedPosition[] {
  return counted.flatMap(({ actual_quantity: actual }, index) => {
    const balance = balances[index];
    return balance ? [{ balance, actual, trace: traces[index] }] : [];
  });
}

/** Tells whether a position is among those of the count. */
function isAmong(planned: ReadonlySet<number>, id: number, trace: Trace | undefined): boolean {
  return trace ? trace.line !== undefined : planned.has(id);
}
