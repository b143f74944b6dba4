import type { Staff } from '#lib/access/actor.ts';
import { clientEmbed } from '#lib/clients/client.ts';
import { familyEmbeds } from '#lib/people/family-record.ts';
import { getDocument, listDocuments } from '#lib/records/documents.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import { documentQuery, embedQuery, type ListQuery } from '#lib/records/query/list-query.ts';
import type { Instant } from '#lib/values/time.ts';
import { debtAt, debts } from './record.ts';

const embeds = { ...familyEmbeds, client: clientEmbed };

/** The list's query string. */
export const DebtList = documentQuery(debts.filters, { sorts: ['id', 'due_date'], embeds });

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
