import type * as z from 'zod';
import { POSTING_CANCELLATION, PostingCancellation } from '#lib/cash/posting/cancellation.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import type { Item } from '#lib/table/client.ts';
import { DEFAULT_UPDATE_SIZE, type Fact, type RollupKind } from '#lib/table/rollups/kind.ts';
import { MONEY_KINDS } from '#lib/values/money.ts';
import { dayOf } from '#lib/values/time.ts';

/** Fields of a posting or its cancellation that never change once written. */
const MovedHeader = PostingCancellation.omit({ posting_id: true });

/** Period of a desk's rollup of all months, from which the balance before a day is computed. */
export const ALL_MONTHS = 'all';

const MOVES = {
  edition: 1,
  only: Object.keys(MovedHeader.shape),
  numbers: 3,
  sums: 2,
  ...DEFAULT_UPDATE_SIZE,
  factsOf: (_: unknown, headers: readonly Item[]) => Promise.resolve(headers.flatMap(factsOfMove)),
} as const;

/**
 * Postings by desk: a month's rollup has income and outcome by day, kind of money and company; that of all
 * months has the same by month. Part 4, 4.5, 6.
 */
export const cashFlowRollups: RollupKind = { ...MOVES, name: 'moved', source: POSTING };

/** Canceled postings by desk, in the same form. */
export const canceledCashFlowRollups: RollupKind = {
  ...MOVES,
  name: 'moved-back',
  source: POSTING_CANCELLATION,
};

function factsOfMove(header: Item): Fact[] {
  const { id, company_id, cashbox_id, type, amount, created_at, ...moved } = MovedHeader.parse(header);
  const [day, group] = [dayOf(created_at), String(cashbox_id)];
  const [month, kind] = [day.slice(0, 7), kindOf(moved)];
  const sums = type === 'income' ? [amount, 0] : [0, amount];
  return [
    { id, group, period: month, of: [Number(day.slice(8)), kind, company_id], sums },
    { id, group, period: ALL_MONTHS, of: [numberOfMonth(month), kind, company_id], sums },
  ];
}

/** Returns the ordinal of a month such as `2026-11`. */
export function numberOfMonth(month: string): number {
  const [year = 0, rank = 0] = month.split('-').map(Number);
  return year * 12 + rank;
}

function kindOf({ payment_type, currency }: Pick<z.output<typeof MovedHeader>, 'payment_type' | 'currency'>) {
  return MONEY_KINDS.findIndex((kind) => kind.payment_type === payment_type && kind.currency === currency);
}
