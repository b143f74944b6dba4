import { COST } from '#bench/support/shop.ts';
import type { Reply } from '#bin/cli/person.ts';
import { ONE } from '#lib/values/quantity.ts';
import { dayOf } from '#lib/values/time.ts';
import type { ChaosFamily } from './family.ts';
import { countSales } from './list-check.ts';
import { attempt, type Caller, type RunHistory } from './perform.ts';

/*
 * Reports equal the documents at every moment, also while these change. The exact figures of that moment are
 * unknown, but impossible ones are not: sums that only grow never shrink, no acknowledged operation is
 * missing, goods that are only moved are complete, no debt exceeds its limit, and rows add up to totals.
 */

const DAY_MS = 86_400_000;

/** More than the maximum age of an offline sale. */
const BACK_DAYS = 40;

/** Invariant of a report; returns its violations. */
interface Check {
  readonly path: string;
  /** Further filters, if a check is of a part. */
  readonly filters?: (scene: ChaosFamily) => string;
  /** Fields of rows that add up to totals. */
  readonly sums: readonly string[];
  readonly violationsIn: (report: Reply, scene: ChaosFamily) => readonly string[];
}

/** Figures of the sales report that only grow while nothing is deleted. */
const GROWING = ['sales_count', 'returns_count', 'sold_amount', 'returned_amount', 'discount_amount'];

const CHECKS: readonly Check[] = [
  {
    path: 'sales?group=cashbox',
    sums: [...GROWING, 'revenue', 'cost', 'profit'],
    violationsIn: salesViolations,
  },
  {
    path: 'sales?group=month',
    sums: [...GROWING, 'revenue', 'cost', 'profit'],
    violationsIn: salesViolations,
  },
  {
    path: 'products?group=product&page-size=200',
    sums: ['revenue', 'cost', 'profit'],
    violationsIn: noViolations,
  },
  {
    path: 'cash?group=cashbox',
    sums: ['opening', 'income', 'outcome', 'closing'],
    violationsIn: cashViolations,
  },
  // For each branch: a desk moves when it is empty, so none of its money is another's.
  ...[0, 1].map((index) => ({
    path: 'cash?group=cashbox',
    filters: ({ mobile: { deskId, branches } }: ChaosFamily) =>
      `&filter[company_id][]=${branches[index]}&filter[cashbox_id][]=${deskId}`,
    sums: ['opening', 'income', 'outcome', 'closing'],
    violationsIn: cashViolations,
  })),
  { path: 'payables?group=supplier', sums: ['total', 'prepaid', 'not_due'], violationsIn: noViolations },
  { path: 'expenses?group=day', sums: ['income', 'outcome'], violationsIn: noViolations },
  {
    path: 'stock?group=product',
    sums: ['quantity', 'held_quantity', 'in_transit_quantity'],
    violationsIn: stockViolations,
  },
  {
    path: 'vat?group=cashbox',
    sums: ['sold_amount', 'sold_vat', 'returned_amount', 'returned_vat', 'amount', 'vat_amount'],
    violationsIn: vatViolations,
  },
  { path: 'deposits?group=client', sums: ['amount'], violationsIn: depositViolations },
  { path: 'debts?group=client', sums: ['total', 'not_due'], violationsIn: debtViolations },
];

/** Reads a report under load, and returns its impossible figures. */
export async function checkReport(caller: Caller, scene: ChaosFamily, record: RunHistory): Promise<string[]> {
  const { path, filters, sums, violationsIn } = caller.chance.oneOf(CHECKS);
  const request = `GET /company/report/${path}${periodOf(path)}${filters?.(scene) ?? ''}`;
  const { acknowledged } = countSales(record, scene);
  const floors = new Map(record.floors);
  const reply = await attempt(caller, { name: 'report', request, scene });
  if (!reply || reply.status >= 500) return [];
  const where = `family ${scene.familyId}: ${request}`;
  if (reply.status !== 200) return [`${where}: ${reply.status} ${JSON.stringify(reply.body)}`];
  const wrong = [...unlikeTotals(reply, sums), ...violationsIn(reply, scene)];
  if (violationsIn === salesViolations) {
    wrong.push(...shrunkSums(reply, scene, { before: floors, record }));
    const count = total(reply, 'sales_count');
    const { begun } = countSales(record, scene);
    if (count < acknowledged) wrong.push(`${count} sales, ${acknowledged} had been acknowledged`);
    if (count > begun) wrong.push(`${count} sales, ${begun} had been begun`);
  }
  return wrong.map((each) => `${where}: ${each}`);
}

/** Returns a period that includes everything, with any clock; reports of the current state have none. */
function periodOf(path: string): string {
  if (/^(stock|debts|deposits|payables)/.test(path)) return '';
  const days = [Date.now() - BACK_DAYS * DAY_MS, Date.now() + DAY_MS].map(dayOf);
  return days.map((day, index) => `&filter[date][${index}]=${day}`).join('');
}

/** Lists sums of rows that differ from the totals, for each currency and type of payment. */
function unlikeTotals(report: Reply, fields: readonly string[]): string[] {
  const rows = Map.groupBy(report.rows(), kindOf);
  const totals = Map.groupBy(report.rows('totals'), kindOf);
  const kinds = new Set([...rows.keys(), ...totals.keys()]);
  return [...kinds].flatMap((kind) =>
    fields.flatMap((field) => {
      const [sum, total] = [rows, totals].map((each) => sumOf(each.get(kind) ?? [], field));
      return sum === total ? [] : [`${field} of ${kind} is ${total} in all, and ${sum} by rows`];
    }),
  );
}

function kindOf({ body }: Reply): string {
  const { currency = '', payment_type = '', vat_percent = '' }: Record<string, unknown> = Object(body);
  return `${currency} ${payment_type}${vat_percent}`;
}

/** Adds up in the smallest units, as sums of fractions differ in their last digits. */
function sumOf(rows: readonly Reply[], field: string): number {
  const unit = field.includes('quantity') ? ONE : 100;
  return rows.reduce((sum, row) => sum + Math.round(row.number(field) * unit), 0) / unit;
}

function total(report: Reply, field: string): number {
  return sumOf(report.rows('totals'), field);
}

/** Lists sums smaller than those returned before this report was requested. */
function shrunkSums(
  report: Reply,
  { familyId }: ChaosFamily,
  { before, record }: { readonly before: ReadonlyMap<string, number>; readonly record: RunHistory },
): string[] {
  return GROWING.flatMap((field) => {
    const name = `${field} of ${familyId}`;
    const [now, was] = [total(report, field), before.get(name) ?? 0];
    record.floors.set(name, Math.max(now, record.floors.get(name) ?? 0));
    return now < was ? [`${field} is ${now}, and was ${was}`] : [];
  });
}

function noViolations(): readonly string[] {
  return [];
}

function salesViolations(report: Reply): readonly string[] {
  return report.rows().flatMap((row) => {
    const ways = ['cash', 'card', 'bank', 'bonus', 'debt', 'deposit', 'exchange'];
    const paid = ways.reduce((sum, way) => sum + Math.round(row.number(`by_payment_type.${way}`) * 100), 0);
    const sold = Math.round(row.number('sold_amount') * 100);
    return paid === sold ? [] : [`sold for ${sold / 100}, and paid by ${paid / 100}`];
  });
}

function cashViolations(report: Reply): readonly string[] {
  return report.rows().flatMap((row) => {
    const [opening, income, outcome, closing] = ['opening', 'income', 'outcome', 'closing'].map((field) =>
      Math.round(row.number(field) * 100),
    );
    const sum = (opening ?? 0) + (income ?? 0) - (outcome ?? 0);
    return [
      ...(sum === closing
        ? []
        : [`closing is not opening, income and outcome in ${JSON.stringify(row.body)}`]),
      ...(sum >= 0 ? [] : [`more went out than came in ${JSON.stringify(row.body)}`]),
    ];
  });
}

/** Requires that goods which are only moved between their warehouses, and held there, are complete. */
function stockViolations(report: Reply, { steady }: ChaosFamily): readonly string[] {
  const row = report.rows().find((each) => each.number('key') === steady.productId);
  const there = row ? row.number('quantity') + row.number('in_transit_quantity') : 0;
  const cost = row?.number('costs.uzs');
  const isWhole = there === steady.pieces && cost === steady.pieces * COST;
  return isWhole ? [] : [`${there} of ${steady.pieces} pieces that only move, at ${cost}`];
}

/** Requires that VAT is at most the sold amount, and at most the returned one. */
function vatViolations(report: Reply): readonly string[] {
  return report.rows().flatMap((row) => {
    const isWithin = (what: string) => row.number(`${what}_vat`) <= row.number(`${what}_amount`);
    return isWithin('sold') && isWithin('returned') ? [] : [`VAT of ${JSON.stringify(row.body)}`];
  });
}

function depositViolations(report: Reply): readonly string[] {
  return report
    .rows()
    .flatMap((row) => (row.number('amount') > 0 ? [] : [`a deposit of ${row.number('amount')}`]));
}

function debtViolations(report: Reply, { limited }: ChaosFamily): readonly string[] {
  const own = report.rows().filter((row) => row.number('key') === limited.clientId);
  const max = Math.max(0, ...own.map((row) => row.number('total')));
  return max > limited.max ? [`${max} is owed by who may owe ${limited.max}`] : [];
}
