import type { OwedDocument } from './documents.ts';

/* What the report of debts must be by the debts. */

const DAY_MS = 86_400_000;

/** Adds up what is left of debts on a day by what a group asks for. */
export function debtRows(
  debts: readonly OwedDocument[],
  day: string,
  keyOf: (debt: OwedDocument) => number | null,
) {
  const open = debts.filter(({ remaining_amount }) => remaining_amount > 0);
  const groups = Map.groupBy(open, (debt) => `${keyOf(debt)} ${debt.currency}`);
  return [...groups.values()].map((of) => {
    const within = (from: number, to: number) => {
      const some = of.filter((debt) => overdueOn(debt, day) >= from && overdueOn(debt, day) <= to);
      return some.reduce((sum, { remaining_amount }) => sum + Math.round(remaining_amount * 100), 0) / 100;
    };
    const [first] = of;
    return {
      ...{ key: first ? keyOf(first) : null, currency: first?.currency },
      not_due: within(-1000, 0),
      overdue_1_30: within(1, 30),
      overdue_31_60: within(31, 60),
      overdue_61_90: within(61, 90),
      overdue_over_90: within(91, 10_000),
      total: within(-1000, 10_000),
      oldest_due_date: of.map(({ due_date }) => due_date).sort()[0],
    };
  });
}

function overdueOn({ due_date }: OwedDocument, day: string): number {
  return Math.round((Date.parse(day) - Date.parse(due_date.slice(0, 10))) / DAY_MS);
}
