import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { desks } from '#lib/cash/desk/desk.ts';
import { reasons } from '#lib/cash/reason.ts';
import { companies } from '#lib/people/company/record.ts';
import { readNames } from '#lib/reports/frame/names.ts';
import { inOrderOfCurrency, inOrderOfKey } from '#lib/reports/frame/order.ts';
import { keyed, type Report } from '#lib/reports/frame/report.ts';
import { reportSheet } from '#lib/reports/frame/sheet.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { Currency, LargeAmount } from '#lib/values/money.ts';
import { dayOf } from '#lib/values/time.ts';
import { type ReasonMovement, readMovements } from './movements.ts';
import type { ExpensesQuery } from './query.ts';

/** A row of the report. Part 5, 5A.10. */
export const ExpensesRow = z.object({
  ...keyed,
  currency: Currency,
  count: z.int(),
  income: LargeAmount,
  outcome: LargeAmount,
});

type Row = z.input<typeof ExpensesRow>;

/** The report as a workbook. */
export const expensesSheet = reportSheet(ExpensesRow, 'report.expenses');

/**
 * Sums manual incomes and expenses of a period within the caller's reach. 422 on a filter out of reach, and
 * on the period if there are over 100 000.
 */
export async function expensesReport(actor: Staff, { group, filter }: ExpensesQuery): Promise<Report<Row>> {
  const movements = await readMovements(actor, filter);
  const keyOf = KEYS[group];
  const labelOf = await labelsFor(actor.tenant, group, movements.map(keyOf));
  return {
    data: addUp(movements, keyOf, labelOf),
    totals: addUp(
      movements,
      () => null,
      () => null,
    ),
    period: filter.date,
  };
}

type Key = Row['key'];

const KEYS: Readonly<Record<ExpensesQuery['group'], (movement: ReasonMovement) => string | number>> = {
  reason: ({ reason_id }) => reason_id,
  day: ({ created_at }) => dayOf(created_at),
  month: ({ created_at }) => dayOf(created_at).slice(0, 7),
  company: ({ company_id }) => company_id,
  cashbox: ({ cashbox_id }) => cashbox_id,
};

const TYPES = { reason: reasons.type, company: companies.type, cashbox: desks.type } as const;

/** Reads the labels of rows. One round trip; none for days and months, which are their own. */
async function labelsFor(tenant: Tenant, group: ExpensesQuery['group'], keys: readonly (string | number)[]) {
  if (group === 'day' || group === 'month') return (key: Key) => (key === null ? null : String(key));
  const nameOf = await readNames({ type: TYPES[group], tenant }, keys.map(Number));
  return (key: Key) => nameOf(Number(key));
}

function addUp(
  movements: readonly ReasonMovement[],
  keyOf: (movement: ReasonMovement) => Key,
  labelOf: (key: Key) => string | null,
): Row[] {
  const rows = new Map<string, Row>();
  for (const movement of movements) {
    const [key, { currency, type, amount }] = [keyOf(movement), movement];
    const name = `${key} ${currency}`;
    const row = rows.get(name) ?? { key, label: labelOf(key), currency, count: 0, income: 0n, outcome: 0n };
    rows.set(name, { ...row, count: row.count + 1, [type]: row[type] + BigInt(amount) });
  }
  return [...rows.values()].sort((one, other) => inOrderOfKey(one, other) || inOrderOfCurrency(one, other));
}
