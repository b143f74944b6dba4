import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { clients } from '#lib/clients/client.ts';
import { debts, overdueDaysOf, remainderOf, StoredDebt } from '#lib/clients/debt/record.ts';
import { companies } from '#lib/people/company/record.ts';
import { documentConditions } from '#lib/records/documents.ts';
import { sourceOf } from '#lib/records/stored.ts';
import { type Expression, oneOf } from '#lib/table/expression.ts';
import { Currency } from '#lib/values/money.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { agedFields, sumAged } from './frame/aging.ts';
import { readNames } from './frame/names.ts';
import { inOrderOfCurrency, inOrderOfId } from './frame/order.ts';
import { Ids, reportParameters } from './frame/query.ts';
import { companiesFor, pick } from './frame/reach.ts';
import { keyed, type Report } from './frame/report.ts';
import { readRowsOf } from './frame/rows.ts';
import { reportSheet } from './frame/sheet.ts';

/** A row of the debts report: outstanding debts by days overdue. Part 4, 4.5. */
export const DebtsRow = z.object({
  ...keyed,
  currency: Currency,
  ...agedFields,
  /** Last second of the day. */
  oldest_due_date: Timestamp,
});

type Row = z.input<typeof DebtsRow>;

/** The report as a workbook. */
export const debtsSheet = reportSheet(DebtsRow, 'report.debts');

/** Query string of the report. */
export const DebtsQuery = z.strictObject(reportParameters(['client', 'company'], { company_id: Ids }));

/** Fields of a debt to read. */
const OpenDebt = StoredDebt.pick({
  client_id: true,
  company_id: true,
  currency: true,
  amount: true,
  repaid_amount: true,
  returned_amount: true,
  written_off_amount: true,
  due_date: true,
});

type OpenDebt = z.input<typeof OpenDebt>;

/**
 * Sums the open debts to companies open to the caller, by client or company and by currency. 422 on the
 * filter by a company out of reach, and if there are over 200 000 debts.
 */
export async function debtsReport(
  actor: Staff,
  { group, filter }: z.output<typeof DebtsQuery>,
  at: Instant,
): Promise<Report<Row>> {
  const where: Expression[] = [oneOf('status', ['not_repaid', 'partially_repaid'])];
  if (filter.company_id) {
    const issues = new ValidationIssues();
    const selected = pick(await companiesFor(actor), filter.company_id, 'filter.company_id', issues);
    issues.throwIfAny();
    where.push(
      oneOf(
        'company_id',
        selected.map(({ id }) => id),
      ),
    );
  }
  const open = await readOpenDebts(actor, where);
  const keyOf = (debt: OpenDebt) => (group === 'client' ? debt.client_id : debt.company_id);
  const nameOf = await readNames(
    { type: group === 'client' ? clients.type : companies.type, tenant: actor.tenant },
    open.map(keyOf),
    group === 'client' ? 'full_name' : 'name',
  );
  const data = addUp(open, keyOf, nameOf, at);
  return {
    data,
    totals: addUp(
      open,
      () => null,
      () => null,
      at,
    ),
    period: null,
  };
}

/** Reads the fields of open debts. */
async function readOpenDebts(actor: Staff, conditions: readonly Expression[]): Promise<OpenDebt[]> {
  const where = await documentConditions(debts, actor, { where: conditions });
  return readRowsOf(sourceOf(debts, actor.tenant), { fields: OpenDebt, where, filter: 'filter.company_id' });
}

function addUp(
  open: readonly OpenDebt[],
  keyOf: (debt: OpenDebt) => number | null,
  nameOf: (key: number | null) => string | null,
  at: Instant,
): Row[] {
  const groups = Map.groupBy(open, (debt) => `${keyOf(debt)} ${debt.currency}`);
  const rows = [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const key = keyOf(first);
    return { key, label: nameOf(key), currency: first.currency, ...sumsOf([first, ...others], at) };
  });
  return rows.sort((one, other) => inOrderOfId(one, other) || inOrderOfCurrency(one, other));
}

function sumsOf(open: readonly OpenDebt[], at: Instant): Omit<Row, 'key' | 'label' | 'currency'> {
  const parts = open.map((debt) => ({ left: BigInt(remainderOf(debt)), days: overdueDaysOf(debt, at) }));
  const oldest_due_date = open.reduce(
    (oldest, { due_date }) => Math.min(oldest, due_date),
    Number.POSITIVE_INFINITY,
  );
  return { ...sumAged(parts), oldest_due_date };
}
