import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import { madeBy, type Staff } from '#lib/auth/actor.ts';
import { Client, clientEmbed } from '#lib/clients/client.ts';
import { CompanySummary } from '#lib/people/company/known.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { Colleague } from '#lib/people/user/colleague.ts';
import { type DocumentType, getDocument, listDocuments } from '#lib/records/documents.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import { exact, exactOrList, MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { documentQuery, embedQuery, type ListQuery } from '#lib/records/query/list-query.ts';
import { amountsIn } from '#lib/records/query/totals.ts';
import { Id } from '#lib/values/fields.ts';
import { Currency, Money } from '#lib/values/money.ts';
import { reversalLinks } from '#lib/values/reversal.ts';
import { Timestamp } from '#lib/values/time.ts';

/** Write-off of a debt, or its reversal, with an amount below zero. Part 5, 5A.7, 4. */
export const DebtWriteOff = z.object({
  id: z.int(),
  ...madeBy,
  debt_id: z.int(),
  client_id: z.int(),
  /** Company of the debt. */
  company_id: z.int(),
  currency: Currency,
  amount: Money,
  comment: z.string(),
  ...reversalLinks,
  created_at: Timestamp,
  creator: Colleague.nullish(),
  company: CompanySummary.nullish(),
  client: Client.nullish(),
});

export type DebtWriteOff = z.input<typeof DebtWriteOff>;

/** Document type of write-offs of debts. */
export const debtWriteOffs: DocumentType<typeof DebtWriteOff> = {
  type: 'debt-writeoff',
  copied: 'client.debt-writeoff',
  schema: DebtWriteOff,
  filters: {
    ...familyFilters,
    company_id: exactOrList('company_id', Id),
    client_id: exact('client_id', Id),
    debt_id: exact('debt_id', Id),
    currency: exact('currency', Currency),
  },
  reach: (actor) => withinReachOf(actor),
};

const embeds = { ...familyEmbeds, client: clientEmbed };

/** Query string of the list. */
export const DebtWriteOffList = documentQuery(debtWriteOffs.filters, {
  sorts: ['id'],
  totals: amountsIn(DebtWriteOff),
  embeds,
  pageSize: MAX_PAGE_SIZE,
});

/** Query string of a single write-off. */
export const DebtWriteOffEmbeds = embedQuery({ embeds });

/** Lists the write-offs of debts to the companies open to the caller. */
export function list(actor: Staff, query: ListQuery) {
  return listDocuments(debtWriteOffs, actor, query);
}

/** Reads a write-off with the requested embeds. */
export function get(actor: Staff, id: number, requestedEmbeds: readonly Embed[]) {
  return getDocument(debtWriteOffs, actor, id, requestedEmbeds);
}
