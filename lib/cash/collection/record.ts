import * as z from 'zod';
import { among, withinReachOf } from '#lib/auth/account-manager.ts';
import { madeBy, type Staff } from '#lib/auth/actor.ts';
import { Desk, deskEmbed } from '#lib/cash/desk/desk.ts';
import { Additional, POSTING, Posting } from '#lib/cash/posting/record.ts';
import { CompanySummary } from '#lib/people/company/known.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { Colleague } from '#lib/people/user/colleague.ts';
import { type DocumentType, listDocuments } from '#lib/records/documents.ts';
import { type Embed, references } from '#lib/records/query/embeds.ts';
import { exact, MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { documentQuery, type ListQuery } from '#lib/records/query/list-query.ts';
import { any } from '#lib/table/expression.ts';
import { sameTenantKey } from '#lib/table/keys.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id } from '#lib/values/fields.ts';
import { Currency, Money, PaymentType } from '#lib/values/money.ts';
import { Timestamp } from '#lib/values/time.ts';

const Status = enumeration('operation.status', ['on_hold', 'completed', 'canceled']);

/** Money of one kind. */
const CollectedMoney = z.object({ payment_type: PaymentType, currency: Currency, amount: Money });

/** Money taken from a sale desk to the main desk. Part 3, "Collection". */
export const Collection = z.object({
  id: z.int(),
  cashbox_id: z.int(),
  /** Receiving desk: the company's main desk. */
  main_cashbox_id: z.int(),
  /** Creator: the employee who hands over the money. */
  ...madeBy,
  company_id: z.int(),
  status: Status,
  code: z.string(),
  comment: z.string().nullable(),
  cancel_comment: z.string().nullable(),
  /** Employee who confirmed it; null before confirmation. */
  received_by_id: z.int().nullable(),
  /** Balances of the sale desk after the collection. */
  additional: Additional,
  /** Counted less than sent, below zero, or more, by kind; empty before confirmation. Part 5, 5A.5 (4). */
  differences: z.array(CollectedMoney).default([]),
  created_at: Timestamp,
  updated_at: Timestamp,
  creator: Colleague.nullish(),
  company: CompanySummary.nullish(),
  cashbox: Desk.nullish(),
  transactions_data: z.array(Posting).optional(),
});

/** Stored collection; its postings are separate items. */
const StoredCollection = Collection.extend({
  items: z.array(CollectedMoney),
  /** Outcomes at the sale desk. */
  posting_ids: z.array(z.int()),
  /** Incomes at the main desk; empty before confirmation. */
  received_ids: z.array(z.int()),
  /** Postings of the differences at the main desk, if any. */
  difference_ids: z.array(z.int()).optional(),
});

export type StoredCollection = z.input<typeof StoredCollection>;

/** Document type of collections. Reach: collections from and to the desks open to the caller. */
export const collections: DocumentType<typeof StoredCollection> = {
  type: 'collection',
  copied: 'cashbox.operation.collection',
  schema: StoredCollection,
  filters: {
    ...familyFilters,
    cashbox_id: exact('cashbox_id', Id),
    main_cashbox_id: exact('main_cashbox_id', Id),
    status: exact('status', Status),
  },
  reach: (actor) => {
    const sides = ['cashbox_id', 'main_cashbox_id'].flatMap((side) => among(side, actor.cashDesks));
    return [...withinReachOf(actor), ...(sides.length > 0 ? [any(sides)] : [])];
  },
};

/** Postings of a collection, in every response. */
const transactionsEmbed: Embed = references('transactions_data', ({ pk, posting_ids }) =>
  Array.isArray(posting_ids) ? posting_ids.flatMap((id) => sameTenantKey(POSTING, pk, id) ?? []) : [],
);

/** Query string of the list. Contract 7, "Collections at the main desk". */
export const CollectionList = documentQuery(collections.filters, {
  sorts: ['id'],
  embeds: familyEmbeds,
  pageSize: MAX_PAGE_SIZE,
});

/** Lists the collections from and to the desks open to the caller, each with its postings and desk. */
export function list(actor: Staff, query: ListQuery) {
  const embeds = [transactionsEmbed, deskEmbed, ...query.embeds];
  return listDocuments(collections, actor, { ...query, embeds });
}
