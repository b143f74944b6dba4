import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { madeBy } from '#lib/access/impersonation.ts';
import { Company } from '#lib/people/company/company.ts';
import { familyEmbeds, familyFilters, familyIndexes } from '#lib/people/family-record.ts';
import { User } from '#lib/people/user/user.ts';
import { openTo } from '#lib/people/workplace.ts';
import { type DocumentType, documentInsertion, getDocument, listDocuments } from '#lib/records/documents.ts';
import type { Embed } from '#lib/records/embeds.ts';
import { exact, exactOrList, period } from '#lib/records/filters.ts';
import { documentQuery, embedQuery, type ListQuery } from '#lib/records/list-query.ts';
import type { Home } from '#lib/table/keys.ts';
import type { Write } from '#lib/table/transaction/write.ts';
import { Id } from '#lib/values/fields.ts';
import { type Cents, Currency, Money } from '#lib/values/money.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import { Client, clientEmbed } from './client.ts';

const Status = z.enum(['not_repaid', 'partially_repaid', 'repaid']);

const Sums = { amount: Money, repaid_amount: Money, returned_amount: Money };

/** A client's debt for a cheque, as the table holds it. */
export const StoredDebt = z.object({
  id: z.int(),
  ...madeBy,
  company_id: z.int(),
  client_id: z.int(),
  sale_id: z.int(),
  currency: Currency,
  ...Sums,
  /** The last second of the day. */
  due_date: Timestamp,
  comment: z.string().nullable(),
  status: Status,
  created_at: Timestamp,
  updated_at: Timestamp,
  client: Client.nullish(),
  creator: User.nullish(),
  company: Company.nullish(),
});

/** A debt with what is left of it today. Part 3, "Debt payment". */
export const Debt = StoredDebt.extend({
  remaining_amount: Money,
  overdue_days: z.int(),
  by_currency: z.partialRecord(Currency, z.object({ ...Sums, remaining_amount: Money })),
});

type StoredDebt = z.input<typeof StoredDebt>;

/** Document type of debts. */
export const debts: DocumentType<typeof StoredDebt> = {
  type: 'debt',
  schema: StoredDebt,
  indexes: [...familyIndexes, 'client_id', 'sale_id', 'currency', 'status'],
  reach: (actor) => openTo(actor),
};

const DAY_MS = 86_400_000;

const embeds = { ...familyEmbeds, client: clientEmbed };

/** The list's query string. */
export const DebtList = documentQuery({
  filters: {
    ...familyFilters,
    company_id: exactOrList('company_id', Id),
    client_id: exact('client_id', Id),
    sale_id: exact('sale_id', Id),
    currency: exact('currency', Currency),
    due_date: period('due_date'),
    status: exactOrList('status', Status),
  },
  sorts: ['id', 'due_date'],
  embeds,
  pageSize: 20,
});

/** The query string of a single debt. */
export const DebtEmbeds = embedQuery({ embeds });

/** Lists the debts to the companies open to the caller. */
export async function list(actor: Staff, query: ListQuery, at: Instant) {
  const page = await listDocuments(debts, actor, query);
  return { ...page, rows: page.rows.map((debt) => shown(debt, at)) };
}

/** Reads one debt, with what was asked for. */
export async function get(actor: Staff, id: number, wanted: readonly Embed[], at: Instant) {
  return shown(await getDocument(debts, actor, id, wanted), at);
}

/** Builds the write of a new debt, of which nothing is paid yet. */
export function debtInsertion(
  home: Home,
  debt: Omit<StoredDebt, 'repaid_amount' | 'returned_amount' | 'status'>,
): Write {
  return documentInsertion(debts, home, {
    ...debt,
    repaid_amount: 0,
    returned_amount: 0,
    status: 'not_repaid',
  });
}

/** What is left of a debt. */
export function remainderOf({
  amount,
  repaid_amount,
  returned_amount,
}: Pick<StoredDebt, 'amount' | 'repaid_amount' | 'returned_amount'>): Cents {
  return amount - repaid_amount - returned_amount;
}

/** How many days a debt is overdue: none once nothing is left of it. */
export function overdueDaysOf(
  debt: Parameters<typeof remainderOf>[0] & Pick<StoredDebt, 'due_date'>,
  at: Instant,
): number {
  return remainderOf(debt) > 0 ? Math.max(0, Math.ceil((at - debt.due_date) / DAY_MS)) : 0;
}

function shown(debt: StoredDebt, at: Instant): z.input<typeof Debt> {
  const { amount, repaid_amount, returned_amount, currency } = debt;
  const remaining_amount = remainderOf(debt);
  const overdue_days = overdueDaysOf(debt, at);
  const sums = { amount, repaid_amount, returned_amount, remaining_amount };
  return { ...debt, remaining_amount, overdue_days, by_currency: { [currency]: sums } };
}
