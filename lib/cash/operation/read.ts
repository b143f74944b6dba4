import type { Staff } from '#lib/auth/actor.ts';
import * as desks from '#lib/cash/desk/desk.ts';
import { deskEmbed } from '#lib/cash/desk/desk.ts';
import { deskPostings, MANUAL, Posting, sourceEmbed } from '#lib/cash/posting/record.ts';
import { companyColumn, creatorColumn, familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { listDocuments } from '#lib/records/documents.ts';
import { exact, MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { documentQuery, type ListQuery } from '#lib/records/query/list-query.ts';
import type { Totaled } from '#lib/records/query/totals.ts';
import { inCapitals, linkColumn, rowColumn } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { equals, oneOf } from '#lib/table/expression.ts';
import { getItem } from '#lib/table/read/get.ts';
import { notFound } from '#lib/values/api-error.ts';
import { Id } from '#lib/values/fields.ts';
import { Direction } from '#lib/values/money.ts';

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

const totals: Totaled = {
  names: Direction.options,
  amountsOf: ({ type: direction, amount }) => ({ [String(direction)]: amount }),
};

/** Query string of the list of manual movements. Contract 9.39. */
export const OperationList = documentQuery(
  {
    ...filters,
    company_id: familyFilters.company_id,
    cashbox_id: exact('cashbox_id', Id),
    source_id: exact('manual_source_id', Id),
  },
  { sorts: ['id'], embeds, totals },
);

/** Query string of the list of a desk's postings. Contract 9.40. */
export const PostingList = documentQuery(filters, {
  sorts: ['id'],
  embeds,
  totals,
  pageSize: MAX_PAGE_SIZE,
});

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

/** Restricts a query to manual movements. */
function onlyManual<Q extends ListQuery>(query: Q): Q {
  return { ...query, where: [...query.where, oneOf('source_type', MANUAL)] };
}

/** Restricts a query to the postings of one desk. */
function onlyAt<Q extends ListQuery>(deskId: number, query: Q): Q {
  return { ...query, where: [...query.where, equals('cashbox_id', deskId)] };
}

/** Requires a desk open to the caller. 404 otherwise. One round trip. */
async function requireDesk(actor: Staff, deskId: number): Promise<void> {
  if (!desks.ifVisible(actor, await getItem(desks.keyOf(actor, deskId)))) throw notFound();
}

const State = Posting.pick({ status: true, is_returned: true });
const Comments = Posting.pick({ comment: true, cancel_comment: true });

const whole = documentSheet(deskPostings, Posting, 'sheet.operations', ({ column }) => [
  column('id', 'number'),
  column('created_at', 'moment'),
  rowColumn('column.status', 'text', State, ({ status, is_returned }) => ({
    key: `operation.status.${is_returned ? 'returned' : status}`,
  })),
  column('type', 'text', (type) => ({ key: `operation.type.${type}` })),
  column('source_type', 'text', (source_type) => ({ key: `operation.source.${source_type}` })),
  linkColumn('column.source', sourceEmbed),
  companyColumn,
  linkColumn('column.cashbox', deskEmbed),
  creatorColumn,
  column('payment_type', 'text', (payment_type) => ({ key: `column.${payment_type}` })),
  column('currency', 'text', inCapitals),
  column('amount', 'money'),
  rowColumn('column.comment', 'text', Comments, ({ cancel_comment, comment }) => cancel_comment ?? comment),
]);

type SheetCall = Parameters<typeof whole.give>[0];

/** Workbook of manual movements. */
export const operationSheet = {
  give: (call: SheetCall) => whole.give({ ...call, query: onlyManual(call.query) }),
};

/** Workbook of a desk's postings. */
export const postingSheet = {
  async give(call: SheetCall & { readonly id: number }) {
    await requireDesk(call.actor, call.id);
    return whole.give({ ...call, query: onlyAt(call.id, call.query) });
  },
};
