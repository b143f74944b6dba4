import type * as z from 'zod';
import { POSTING_CANCELLATION, PostingCancellation } from '#lib/cash/posting/cancellation.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import type { Item } from '#lib/table/client.ts';
import { DEFAULT_UPDATE_SIZE, type Fact, type RollupKind } from '#lib/table/rollups/kind.ts';
import { MONEY_KINDS } from '#lib/values/money.ts';
import { dayOf } from '#lib/values/time.ts';

/** A header's fields that tell of a movement of money, or of one back: they never change once it is there. */
const MovedHeader = PostingCancellation.omit({ posting_id: true });

/** The period of a desk's cube of all months: what it had before a day follows from these. */
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
 * Postings by desk: in each month's cube for each day, kind of money and company, what came in and what went
 * out; in that of all months the same for each month. Part 4, 4.5, 6.
 */
export const cashFlowRollups: RollupKind = { ...MOVES, name: 'moved', source: POSTING };

/** Money that moved back when postings were canceled, by desk in the same way. */
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

/** Numbers months in their order: `2026-11`. */
export function numberOfMonth(month: string): number {
  const [year = 0, rank = 0] = month.split('-').map(Number);
  return year * 12 + rank;
}

function kindOf({ payment_type, currency }: Pick<z.output<typeof MovedHeader>, 'payment_type' | 'currency'>) {
  return MONEY_KINDS.findIndex((kind) => kind.payment_type === payment_type && kind.currency === currency);
}
