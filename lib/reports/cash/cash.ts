import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { desks } from '#lib/cash/desk/desk.ts';
import { DaysFilter, Ids, reportParameters } from '#lib/reports/frame/query.ts';
import { companiesFor, pick, placesFor } from '#lib/reports/frame/reach.ts';
import { keyed, type Report } from '#lib/reports/frame/report.ts';
import { reportSheet } from '#lib/reports/frame/sheet.ts';
import { canceledCashFlowRollups, cashFlowRollups } from '#lib/reports/rollups/cash-flow.ts';
import { readRollups } from '#lib/table/rollups/read.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import { Currency, LargeAmount, MONEY_KINDS, PaymentType } from '#lib/values/money.ts';
import { type Day, daysOf } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { addUp, type CashFlow, type Flow, flowsOf, NO_CASH, type Period, periodRollups } from './flows.ts';

/** A row of the cash report: flows of one kind of money, with opening and closing balances. Part 4, 4.5. */
export const CashRow = z.object({
  ...keyed,
  payment_type: PaymentType,
  currency: Currency,
  opening: LargeAmount,
  income: LargeAmount,
  outcome: LargeAmount,
  closing: LargeAmount,
});

type Row = z.input<typeof CashRow>;

/** The report as a workbook. */
export const cashSheet = reportSheet(CashRow, 'report.cash');

/** Query string of the report. */
export const CashQuery = z.strictObject(
  reportParameters(['day', 'cashbox'], { date: DaysFilter, company_id: Ids, cashbox_id: Ids }),
);

/**
 * Sums the money flows of desks open to the caller, main ones too, by day or desk and by kind of money. A
 * kind has rows if it had a balance or a flow. 422 on a filter by a desk or company out of reach. Two round
 * trips.
 */
export async function cashReport(
  actor: Staff,
  { group, filter }: Pick<z.output<typeof CashQuery>, 'group' | 'filter'>,
): Promise<Report<Row>> {
  const { tenant } = actor;
  const { date: period } = filter;
  const reading = inBackground(readPlaces(actor, filter));
  const selection = inBackground(
    reading.then(({ names }) => ({
      isGroup: (desk: string) => names.has(Number(desk)),
      periods: periodRollups(period),
    })),
  );
  const [{ names, isOfCompany }, moved, back] = await Promise.all([
    reading,
    readRollups(cashFlowRollups, tenant, selection),
    readRollups(canceledCashFlowRollups, tenant, selection),
  ]);
  const flows = flowsOf([...moved, ...back], period, isOfCompany);
  const data = group === 'day' ? rowsByDay(flows, period) : rowsByDesk(flows, names);
  const totals = [...byKind(flows)].map(([kind, each]) => rowOf(null, null, kind, sumsOf(each)));
  return { data, totals, period };
}

/** Reads the filtered desks by id, and a predicate of the filtered companies. One round trip. */
async function readPlaces(actor: Staff, { company_id, cashbox_id }: z.output<typeof CashQuery>['filter']) {
  const [open, companies] = await Promise.all([
    placesFor(actor, desks.type, actor.cashDesks),
    company_id ? companiesFor(actor) : [],
  ]);
  const issues = new ValidationIssues();
  const picked = pick(open, cashbox_id, 'filter.cashbox_id', issues);
  const companyIds = new Set(pick(companies, company_id, 'filter.company_id', issues).map(({ id }) => id));
  issues.throwIfAny();
  return {
    names: new Map(picked.map(({ id, name }) => [id, name])),
    isOfCompany: (id: number) => company_id === undefined || companyIds.has(id),
  };
}

function rowsByDesk(flows: readonly Flow[], names: ReadonlyMap<number, string>): Row[] {
  return flows.map((flow) => rowOf(flow.desk, names.get(flow.desk) ?? null, flow.kind, sumsOf([flow])));
}

/**
 * Builds a row for each day of each kind, also without flows: a day opens with the closing balance before it.
 */
function rowsByDay(flows: readonly Flow[], { from, to }: Period): Row[] {
  const kinds = [...byKind(flows)].map(([kind, each]) => ({ kind, each, opening: sumsOf(each).opening }));
  const rows: Row[] = [];
  for (const day of daysOf(from, to)) {
    for (const kind of kinds) {
      const moved = addUp(kind.each.map(({ days }) => days.get(day) ?? NO_CASH));
      rows.push(rowOf(day, day, kind.kind, { opening: kind.opening, ...moved }));
      kind.opening += moved.income - moved.outcome;
    }
  }
  return rows;
}

function byKind(flows: readonly Flow[]): Map<number, Flow[]> {
  return new Map([...Map.groupBy(flows, ({ kind }) => kind)].sort(([a], [b]) => a - b));
}

function sumsOf(flows: readonly Flow[]): CashFlow & Pick<Flow, 'opening'> {
  const moved = addUp(flows.flatMap(({ days }) => [...days.values()]));
  return { opening: flows.reduce((sum, { opening }) => sum + opening, 0n), ...moved };
}

function rowOf(
  key: number | Day | null,
  label: string | null,
  kind: number,
  { opening, income, outcome }: CashFlow & Pick<Flow, 'opening'>,
): Row {
  const money = MONEY_KINDS[kind];
  if (!money) throw new Error(`There is no kind of money ${kind}`);
  return { key, label, ...money, opening, income, outcome, closing: opening + income - outcome };
}
