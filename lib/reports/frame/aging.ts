import { LargeAmount } from '#lib/values/money.ts';

/** Columns of amounts owed by days overdue, which add up to the total. */
export const agedFields = {
  not_due: LargeAmount,
  overdue_1_30: LargeAmount,
  overdue_31_60: LargeAmount,
  overdue_61_90: LargeAmount,
  overdue_over_90: LargeAmount,
  total: LargeAmount,
};

/** Columns by days overdue: the first whose maximum fits. */
const COLUMNS = [
  ['not_due', 0],
  ['overdue_1_30', 30],
  ['overdue_31_60', 60],
  ['overdue_61_90', 90],
  ['overdue_over_90', Number.POSITIVE_INFINITY],
] as const;

/** An amount owed, with its days overdue: 0 or less if it is not due. */
export interface Aged {
  readonly left: bigint;
  readonly days: number;
}

/** Sums amounts owed by days overdue. */
export function sumAged(parts: Iterable<Aged>) {
  const sums = {
    ...{ not_due: 0n, overdue_1_30: 0n, overdue_31_60: 0n, overdue_61_90: 0n, overdue_over_90: 0n },
    total: 0n,
  };
  for (const { left, days } of parts) {
    const [column] = COLUMNS.find(([, max]) => days <= max) ?? ['overdue_over_90'];
    sums[column] += left;
    sums.total += left;
  }
  return sums;
}
