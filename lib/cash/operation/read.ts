import type { Staff } from '#lib/access/actor.ts';
import * as desks from '#lib/cash/desk/desk.ts';
import { deskPostings, Posting } from '#lib/cash/posting/record.ts';
import { MANUAL, sourceEmbed } from '#lib/cash/posting/source.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { listDocuments } from '#lib/records/documents.ts';
import { exact } from '#lib/records/query/filters.ts';
import { documentQuery, type ListQuery } from '#lib/records/query/list-query.ts';
import { equals, oneOf } from '#lib/table/expression.ts';
import { getItem } from '#lib/table/read/get.ts';
import { Id } from '#lib/values/fields.ts';
import { missing } from '#lib/values/refusal.ts';

const { type, payment_type, currency, status, source_type } = Posting.shape;

const filters = {
  id: familyFilters.id,
  creator_id: familyFilters.creator_id,
  created_at: familyFilters.created_at,
  type: exact('type', type),
  payment_type: exact('payment_type', payment_type),
  currency: exact('currency', currency),
  status: exact('status', status),
  source_type: exact('source_type', source_type),
};

const embeds = { ...familyEmbeds, cashbox: desks.deskEmbed, source: sourceEmbed };

/** The query string of the list of manual movements. Decisions, 9 (39). */
export const OperationList = documentQuery(
  {
    ...filters,
    company_id: familyFilters.company_id,
    cashbox_id: exact('cashbox_id', Id),
    source_id: exact('manual_source_id', Id),
  },
  { sorts: ['id'], embeds },
);

/** The query string of the list of a desk's postings. Decisions, 9 (40). */
export const PostingList = documentQuery(filters, { sorts: ['id'], embeds });

/** Lists the manual movements at the desks open to the caller. */
export function list(actor: Staff, query: ListQuery) {
  return listDocuments(deskPostings, actor, onlyManual(query));
}

/** Lists all postings of a desk. 404 if it is not open to the caller. */
export async function listPostings(actor: Staff, deskId: number, query: ListQuery) {
  const [page] = await Promise.all([
    listDocuments(deskPostings, actor, onlyAt(deskId, query)),
    requireDesk(actor, deskId),
  ]);
  return page;
}

/** Narrows a query to manual movements. */
export function onlyManual<Q extends ListQuery>(query: Q): Q {
  return { ...query, where: [...query.where, oneOf('source_type', MANUAL)] };
}

/** Narrows a query to the postings of one desk. */
export function onlyAt<Q extends ListQuery>(deskId: number, query: Q): Q {
  return { ...query, where: [...query.where, equals('cashbox_id', deskId)] };
}

/** Requires a desk to be open to the caller: 404 if it is not. One round trip. */
export async function requireDesk(actor: Staff, deskId: number): Promise<void> {
  if (!desks.ifVisible(actor, await getItem(desks.keyOf(actor, deskId)))) throw missing();
}
