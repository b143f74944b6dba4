import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { documentConditions } from '#lib/records/documents.ts';
import { sourceOf } from '#lib/records/stored.ts';
import { SupplierOperation, supplierOperations } from '#lib/stock/supplier/operation.ts';
import { suppliers } from '#lib/stock/supplier/supplier.ts';
import { oneOf } from '#lib/table/expression.ts';
import { partition } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { Currency, LargeAmount } from '#lib/values/money.ts';
import {
  type Day,
  dayOf,
  daysAfter,
  daysBetween,
  endOfDay,
  type Instant,
  Timestamp,
} from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { type Aged, agedFields, sumAged } from './frame/aging.ts';
import { inOrderOfCurrency, inOrderOfId } from './frame/order.ts';
import { Ids, reportParameters } from './frame/query.ts';
import { pick } from './frame/reach.ts';
import { keyed, type Report } from './frame/report.ts';
import { readRowsOf } from './frame/rows.ts';
import { reportSheet } from './frame/sheet.ts';

/** A row of the report: the debt to a supplier by days overdue, or an advance. Part 5, 5A.10. */
export const PayablesRow = z.object({
  ...keyed,
  currency: Currency,
  ...agedFields,
  /** Last second of the day. */
  oldest_due_date: Timestamp.nullable(),
  prepaid: LargeAmount,
});

type Row = z.input<typeof PayablesRow>;

/** The report as a workbook. */
export const payablesSheet = reportSheet(PayablesRow, 'report.payables');

/** Query string of the report. */
export const PayablesQuery = z.strictObject(reportParameters(['supplier'], { supplier_id: Ids }));

const FILTER = 'filter.supplier_id';

/** Fields of an operation to read. */
const Operation = SupplierOperation.pick({
  supplier_id: true,
  currency: true,
  amount: true,
  reversal_of_id: true,
  reversal_id: true,
  created_at: true,
});

type Operation = z.input<typeof Operation>;

const Creditor = z.object({ id: z.int(), name: z.string(), payment_days: z.int().nullish() });

type Creditor = z.output<typeof Creditor>;

/**
 * Sums today's debts to suppliers, and advances, by the operations within the caller's reach. 422 on the
 * filter by an unknown supplier, and if there are over 200 000 operations.
 */
export async function payablesReport(
  actor: Staff,
  { filter }: Pick<z.output<typeof PayablesQuery>, 'filter'>,
  at: Instant,
): Promise<Report<Row>> {
  const creditors = await creditorsOf(actor, filter.supplier_id);
  const standing = await readStanding(actor, filter.supplier_id);
  const groups = Map.groupBy(standing, ({ supplier_id, currency }) => `${supplier_id} ${currency}`);
  const balances = [...groups.values()].flatMap((own) => balanceOf(own, creditors, dayOf(at)));
  const data = balances.map((balance) => {
    const { id, name } = balance.creditor;
    return { key: id, label: name, currency: balance.currency, ...sumsOf([balance]) };
  });
  const byCurrency = Map.groupBy(balances, ({ currency }) => currency);
  const totals = [...byCurrency].map(([currency, own]) => {
    return { key: null, label: null, currency, ...sumsOf(own) };
  });
  return {
    data: data.sort((one, other) => inOrderOfId(one, other) || inOrderOfCurrency(one, other)),
    totals: totals.sort(inOrderOfCurrency),
    period: null,
  };
}

/** Reads the family's suppliers, deleted ones too: those picked by the filter. 422 for an unknown one. */
async function creditorsOf({ tenant }: Staff, ids: readonly number[] | undefined) {
  const items = await wholePartition(partition(suppliers.type, tenant));
  const issues = new ValidationIssues();
  const picked = pick(
    items.map((item) => Creditor.parse(item)),
    ids,
    FILTER,
    issues,
  );
  issues.throwIfAny();
  return new Map(picked.map((each) => [each.id, each]));
}

/** Reads the operations that stand: a reversed one and its reversal cancel each other. */
async function readStanding(actor: Staff, ids: readonly number[] | undefined): Promise<Operation[]> {
  const conditions = ids ? [oneOf('supplier_id', ids)] : [];
  const where = await documentConditions(supplierOperations, actor, { where: conditions });
  const source = sourceOf(supplierOperations, actor.tenant);
  const found = await readRowsOf(source, { fields: Operation, where, filter: FILTER });
  return found.filter(({ reversal_of_id, reversal_id }) => reversal_of_id === null && reversal_id === null);
}

/** Balance of a supplier in a currency: its unpaid parts, or an advance. */
interface Balance {
  readonly creditor: Creditor;
  readonly currency: Currency;
  readonly owed: readonly (Aged & { readonly due: Day })[];
  readonly prepaid: bigint;
}

/** Computes a balance from the operations that stand, in the order of their ids; none if it is zero. */
function balanceOf(
  operations: readonly Operation[],
  creditors: ReadonlyMap<number, Creditor>,
  today: Day,
): Balance | [] {
  const [first] = operations;
  const creditor = first && creditors.get(first.supplier_id);
  const balance = operations.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  if (!creditor || balance === 0n) return [];
  const { currency } = first;
  if (balance < 0n) return { creditor, currency, owed: [], prepaid: -balance };
  const owed = unpaidOf(operations, balance).map(({ left, day }) => {
    const due = daysAfter(day, creditor.payment_days ?? 0);
    return { left, due, days: daysBetween(due, today) };
  });
  return { creditor, currency, owed, prepaid: 0n };
}

/** Attributes a balance to the newest operations that raised it; the older ones are paid. */
export function unpaidOf(
  operations: readonly Pick<Operation, 'amount' | 'created_at'>[],
  balance: bigint,
): { left: bigint; day: Day }[] {
  const unpaid: { left: bigint; day: Day }[] = [];
  let rest = balance;
  for (const { amount, created_at } of operations.toReversed()) {
    if (rest === 0n) break;
    if (amount <= 0) continue;
    const left = BigInt(amount) < rest ? BigInt(amount) : rest;
    unpaid.push({ left, day: dayOf(created_at) });
    rest -= left;
  }
  return unpaid;
}

function sumsOf(balances: readonly Balance[]): Omit<Row, 'key' | 'label' | 'currency'> {
  const owed = balances.flatMap((balance) => balance.owed);
  const [oldest] = owed.map(({ due }) => due).toSorted();
  return {
    ...sumAged(owed),
    oldest_due_date: oldest === undefined ? null : endOfDay(oldest) - SECOND_MS,
    prepaid: balances.reduce((sum, { prepaid }) => sum + prepaid, 0n),
  };
}

const SECOND_MS = 1000;
