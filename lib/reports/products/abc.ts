import type * as z from 'zod';
import type { ReportSettings } from '#lib/people/company/report-settings.ts';
import type { AbcSegment, GoodsGroup } from './figures.ts';

/** 100 % in hundredths of a percent. */
const WHOLE = 10_000n;

/**
 * Computes the ABC segment of each product of one currency. In falling order of revenue, then by id, a
 * product is A if the share before it is below a percentage, then B; the rest, and those of negative revenue,
 * are C. Part 4, 4.5, 4.
 */
export function abcOf(
  products: readonly GoodsGroup[],
  { abc_segment_a, abc_segment_b }: ReportSettings,
): Map<number | null, z.output<typeof AbcSegment>> {
  const whole = products.reduce((sum, { revenue }) => sum + revenue, 0n);
  const found = new Map<number | null, z.output<typeof AbcSegment>>();
  let before = 0n;
  const isBelow = (percent: number) => before === 0n || before * WHOLE < BigInt(percent) * whole;
  for (const { key, revenue } of [...products].sort(byRevenue)) {
    if (revenue < 0n) found.set(key, 'C');
    else if (isBelow(abc_segment_a)) found.set(key, 'A');
    else found.set(key, isBelow(abc_segment_b) ? 'B' : 'C');
    before += revenue;
  }
  return found;
}

function byRevenue(one: GoodsGroup, other: GoodsGroup): number {
  if (one.revenue !== other.revenue) return one.revenue > other.revenue ? -1 : 1;
  return Number(one.key) - Number(other.key);
}
