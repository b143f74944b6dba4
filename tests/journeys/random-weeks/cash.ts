import { daysOf } from '#lib/values/time.ts';
import type { MoneyMoved } from './documents.ts';
import { cents, dayOf } from './sales.ts';

/* What the report of cash must be by the movements of money. Amounts are in 1/100 here. */

interface Movement {
  readonly day: string;
  readonly desk: number;
  readonly kind: string;
  readonly change: number;
}

/** Lists what moved: what was canceled has moved back on the day on which it was. */
export function movementsOf(transfers: readonly MoneyMoved[]): Movement[] {
  return transfers.flatMap(({ payment_type, currency, cashbox_id: desk, ...each }) => {
    const change = each.type === 'income' ? cents(each.amount) : -cents(each.amount);
    const moved = {
      desk,
      kind: JSON.stringify({ payment_type, currency }),
      change,
      day: dayOf(each.created_at),
    };
    return each.status === 'canceled'
      ? [moved, { ...moved, change: -change, day: dayOf(each.updated_at) }]
      : [moved];
  });
}

/** Adds up movements of some days: a row for each kind of money on each day, or at each desk, or in all. */
export function cashRows(
  movements: readonly Movement[],
  { from, to, group }: { from: string; to: string; group: 'day' | 'cashbox' | null },
) {
  const until = movements.filter(({ day }) => day <= to);
  const groups = Map.groupBy(until, ({ kind, desk }) => (group === 'cashbox' ? `${desk} ${kind}` : kind));
  return [...groups.values()].flatMap((of) => {
    const [{ kind, desk } = { kind: '{}', desk: 0 }] = of;
    const isThere = sumOf(of, (day) => day < from) !== 0 || of.some(({ day }) => day >= from);
    if (!isThere) return [];
    if (group === 'day') return daysOf(from, to).map((day) => rowOf(day, kind, of, day, day));
    return [rowOf(group === 'cashbox' ? desk : null, kind, of, from, to)];
  });
}

function rowOf(key: string | number | null, kind: string, of: readonly Movement[], from: string, to: string) {
  const opening = sumOf(of, (day) => day < from);
  const within = of.filter(({ day }) => from <= day && day <= to);
  const income = sumOf(
    within.filter(({ change }) => change > 0),
    () => true,
  );
  const outcome =
    0 -
    sumOf(
      within.filter(({ change }) => change < 0),
      () => true,
    );
  const sums = { opening, income, outcome, closing: opening + income - outcome };
  const amounts = Object.entries(sums).map(([name, sum]) => [name, sum / 100]);
  return { key, ...JSON.parse(kind), ...Object.fromEntries(amounts) };
}

function sumOf(movements: readonly Movement[], isOn: (day: string) => boolean): number {
  return movements.filter(({ day }) => isOn(day)).reduce((sum, { change }) => sum + change, 0);
}
