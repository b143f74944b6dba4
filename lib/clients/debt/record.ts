import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import { madeBy, type Staff } from '#lib/auth/actor.ts';
import { Client, clientEmbed } from '#lib/clients/client.ts';
import { CompanySummary } from '#lib/people/company/known.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { Colleague } from '#lib/people/user/colleague.ts';
import { type DocumentType, listDocuments } from '#lib/records/documents.ts';
import { sameTenantReference } from '#lib/records/query/embeds.ts';
import { exact, exactOrList, MAX_PAGE_SIZE, period } from '#lib/records/query/filters.ts';
import { documentQuery, embedQuery, type ListQuery } from '#lib/records/query/list-query.ts';
import type { Totaled } from '#lib/records/query/totals.ts';
import { parseStored } from '#lib/records/stored.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id } from '#lib/values/fields.ts';
import { Currency, type MinorUnits, Money } from '#lib/values/money.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';

/**
 * States of a debt. One closed by a return is `repaid` too. Without a remainder, and with a part written off,
 * it is `written_off`. Contract 9.53; Part 5, 5A.7, 3.
 */
const DebtStatus = enumeration('debt.status', ['not_repaid', 'partially_repaid', 'repaid', 'written_off']);

const Sums = {
  amount: Money,
  repaid_amount: Money,
  returned_amount: Money,
  written_off_amount: Money.default(0),
};

/** Stored debt of a client, for a sale or from before the first one here. */
export const StoredDebt = z.object({
  id: z.int(),
  ...madeBy,
  company_id: z.int(),
  client_id: z.int(),
  /** Null for an opening debt. Part 5, 5A.7, 1. */
  sale_id: z.int().nullable(),
  currency: Currency,
  ...Sums,
  /** Part of `repaid_amount` from the client's deposit, in 1/100; absent without any. Part 5, 5A.6, 3. */
  repaid_by_deposit: z.int().optional(),
  /** Last second of the day. */
  due_date: Timestamp,
  /** Number of changes of the due date; absent without any. */
  due_date_changes: z.int().optional(),
  comment: z.string().nullable(),
  status: DebtStatus,
  created_at: Timestamp,
  updated_at: Timestamp,
  client: Client.nullish(),
  creator: Colleague.nullish(),
  company: CompanySummary.nullish(),
});

export type StoredDebt = z.input<typeof StoredDebt>;

/** Change of a debt's due date. Part 5, 5A.7, 2. */
export const DueDateChange = z.object({
  /** Last seconds of the days. */
  previous: Timestamp,
  due_date: Timestamp,
  comment: z.string().nullable(),
  ...madeBy,
  created_at: Timestamp,
});

/** Debt with its remainder as of today. Part 3, "Debt payment". */
export const Debt = StoredDebt.omit({ due_date_changes: true, repaid_by_deposit: true }).extend({
  source_type: enumeration('debt.source_type', ['sale', 'opening']),
  /** The newest ones first, of a single debt. */
  due_dates: z.array(DueDateChange.omit({ impersonator_id: true })).optional(),
  remaining_amount: Money,
  overdue_days: z.int(),
  by_currency: z.partialRecord(Currency, z.object({ ...Sums, remaining_amount: Money })),
});

/** Document type of debts. */
export const debts: DocumentType<typeof StoredDebt> = {
  type: 'debt',
  copied: 'client.debt',
  schema: StoredDebt,
  filters: {
    ...familyFilters,
    company_id: exactOrList('company_id', Id),
    client_id: exact('client_id', Id),
    sale_id: exact('sale_id', Id),
    currency: exact('currency', Currency),
    due_date: period('due_date'),
    status: exactOrList('status', DebtStatus),
  },
  reach: (actor) => withinReachOf(actor),
};

/** `with[]=debt`: debt of a document. */
export const debtEmbed = sameTenantReference('debt', debts.type);

const DAY_MS = 86_400_000;

/** Computes the remainder of a debt. */
export function remainderOf({
  amount,
  repaid_amount,
  returned_amount,
  written_off_amount = 0,
}: Pick<StoredDebt, 'amount' | 'repaid_amount' | 'returned_amount' | 'written_off_amount'>): MinorUnits {
  return amount - repaid_amount - returned_amount - written_off_amount;
}

/** Computes a debt's days overdue; 0 without a remainder. */
export function overdueDaysOf(
  debt: Parameters<typeof remainderOf>[0] & Pick<StoredDebt, 'due_date'>,
  at: Instant,
): number {
  return remainderOf(debt) > 0 ? Math.max(0, Math.ceil((at - debt.due_date) / DAY_MS)) : 0;
}

/** Returns a debt in its published form at a time. */
export function debtAt(debt: StoredDebt, at: Instant): z.input<typeof Debt> {
  const { amount, repaid_amount, returned_amount, written_off_amount = 0, currency } = debt;
  const source_type = debt.sale_id === null ? 'opening' : 'sale';
  const remaining_amount = remainderOf(debt);
  const overdue_days = overdueDaysOf(debt, at);
  const sums = { amount, repaid_amount, returned_amount, written_off_amount, remaining_amount };
  return { ...debt, source_type, remaining_amount, overdue_days, by_currency: { [currency]: sums } };
}

const embeds = { ...familyEmbeds, client: clientEmbed };

const Summed = StoredDebt.pick({
  amount: true,
  repaid_amount: true,
  returned_amount: true,
  written_off_amount: true,
});

const debtTotals: Totaled = {
  names: [...Object.keys(Summed.shape), 'remaining_amount'],
  amountsOf: (row) => ({ ...row, remaining_amount: remainderOf(parseStored(Summed, row)) }),
};

/** Query string of the list. */
export const DebtList = documentQuery(debts.filters, {
  sorts: ['id', 'due_date'],
  totals: debtTotals,
  embeds,
  pageSize: MAX_PAGE_SIZE,
});

/** Query string of a single debt. */
export const DebtEmbeds = embedQuery({ embeds });

/** Lists the debts to the companies open to the caller. */
export async function list(actor: Staff, query: ListQuery, at: Instant) {
  const page = await listDocuments(debts, actor, query);
  return { ...page, rows: page.rows.map((debt) => debtAt(debt, at)) };
}
