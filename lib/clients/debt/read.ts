import type { Staff } from '#lib/access/actor.ts';
import { clientEmbed } from '#lib/clients/client.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { getDocument, listDocuments } from '#lib/records/documents.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import { exact, exactOrList, period } from '#lib/records/query/filters.ts';
import { documentQuery, embedQuery, type ListQuery } from '#lib/records/query/list-query.ts';
import { Id } from '#lib/values/fields.ts';
import { Currency } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { DebtStatus, debtAt, debts } from './record.ts';

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
    status: exactOrList('status', DebtStatus),
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
  return { ...page, rows: page.rows.map((debt) => debtAt(debt, at)) };
}

/** Reads one debt, with what was asked for. */
export async function get(actor: Staff, id: number, wanted: readonly Embed[], at: Instant) {
  return debtAt(await getDocument(debts, actor, id, wanted), at);
}
