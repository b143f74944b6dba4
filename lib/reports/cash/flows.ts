import { ALL_MONTHS, numberOfMonth } from '#lib/reports/rollups/cash-flow.ts';
import type { Rollup } from '#lib/table/rollups/read.ts';
import { type Day, monthsOf } from '#lib/values/time.ts';

/** Days of a report. */
export interface Period {
  readonly from: Day;
  readonly to: Day;
}

/** Income and outcome. */
export interface CashFlow {
  readonly income: bigint;
  readonly outcome: bigint;
}

/** Money of one kind at a desk: the balance before the first day, and flows by day. */
export interface Flow {
  readonly desk: number;
  /** Index in `MONEY_KINDS`. */
  readonly kind: number;
  readonly opening: bigint;
  readonly days: ReadonlyMap<Day, CashFlow>;
}

/** Flow of a day, or total flow up to some time before the first day. */
interface Movement extends Pick<Flow, 'desk' | 'kind'>, CashFlow {
  /** Null before the first day. */
  readonly day: Day | null;
}

export const NO_CASH: CashFlow = { income: 0n, outcome: 0n };

/** Lists the rollups of a period and of the balance before it. */
export function periodRollups({ from, to }: Period): string[] {
  return [ALL_MONTHS, ...monthsOf(from, to)];
}

/** Sums the flows of companies by desk and kind of money, leaving out kinds without any. */
export function flowsOf(
  rollups: readonly Rollup[],
  period: Period,
  isOfCompany: (company: number) => boolean,
): Flow[] {
  const movements = rollups.flatMap((rollup) => movementsIn(rollup, period, isOfCompany));
  const byFlow = Map.groupBy(movements, ({ desk, kind }) => `${desk} ${kind}`);
  return [...byFlow.values()]
    .flatMap(([first, ...others]) => (first ? flowOf(first, [first, ...others]) : []))
    .filter(({ opening, days }) => opening !== 0n || days.size > 0)
    .sort((a, b) => a.desk - b.desk || a.kind - b.kind);
}

/** Sums flows. */
export function addUp(movements: Iterable<CashFlow>): CashFlow {
  let { income, outcome } = NO_CASH;
  for (const each of movements) {
    income += each.income;
    outcome += each.outcome;
  }
  return { income, outcome };
}

function flowOf({ desk, kind }: Movement, movements: readonly Movement[]): Flow {
  const byDay = Map.groupBy(movements, ({ day }) => day);
  const before = addUp(byDay.get(null) ?? []);
  const days = [...byDay].flatMap(([day, each]) => (day === null ? [] : [[day, addUp(each)] as const]));
  return { desk, kind, opening: before.income - before.outcome, days: new Map(days) };
}

/**
 * Lists the movements of a rollup. Whole months before the first day come from the rollup of all months,
 * earlier days of the first month from that month's.
 */
function movementsIn(
  { group, period: month, cells }: Rollup,
  { from, to }: Period,
  isOfCompany: (company: number) => boolean,
): Movement[] {
  const first = numberOfMonth(from.slice(0, 7));
  return cells.flatMap(({ of: [rank = 0, kind = 0, company = 0], sums: [income = 0n, outcome = 0n] }) => {
    if (!isOfCompany(company)) return [];
    const moved = { desk: Number(group), kind, income, outcome };
    if (month === ALL_MONTHS) return rank < first ? { ...moved, day: null } : [];
    const day = `${month}-${String(rank).padStart(2, '0')}`;
    if (day > to) return [];
    return { ...moved, day: day < from ? null : day };
  });
}
