import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import { madeBy, type Staff } from '#lib/auth/actor.ts';
import { Desk, deskEmbed } from '#lib/cash/desk/desk.ts';
import { Client, clientEmbed } from '#lib/clients/client.ts';
import { type ClientBalances, depositIn } from '#lib/clients/client-balances.ts';
import { CompanySummary } from '#lib/people/company/known.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { Colleague } from '#lib/people/user/colleague.ts';
import { type DocumentType, documentInsertion, getDocument, listDocuments } from '#lib/records/documents.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import { exact, exactOrList, MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { documentQuery, embedQuery, type ListQuery } from '#lib/records/query/list-query.ts';
import { amountsIn } from '#lib/records/query/totals.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id } from '#lib/values/fields.ts';
import { Currency, Money } from '#lib/values/money.ts';
import { NOT_REVERSED, reversalLinks } from '#lib/values/reversal.ts';
import { Timestamp } from '#lib/values/time.ts';

/** Kinds of entries. Part 5, 5A.6, 1. */
const DepositKind = enumeration('deposit.type', [
  'income',
  'outcome',
  'correction',
  'sale',
  'return',
  'debt_payment',
  'reversal',
]);

/** Change of a client's deposit, which always equals the sum of its entries. Part 5, 5A.6, 1. */
export const DepositEntry = z.object({
  id: z.int(),
  ...madeBy,
  client_id: z.int(),
  company_id: z.int(),
  /** Desk of the document; null for a correction. */
  cashbox_id: z.int().nullable(),
  type: DepositKind,
  currency: Currency,
  /** Negative if the deposit falls. */
  amount: Money,
  balance_after: Money,
  /** Sale, return or debt payment; null for other kinds. */
  source_id: z.int().nullable(),
  /** Hold that an income is for. */
  hold_id: z.int().nullable(),
  /** Posting of an income or outcome, and of its reversal. */
  transfer_id: z.int().nullable(),
  ...reversalLinks,
  comment: z.string().nullable(),
  created_at: Timestamp,
  creator: Colleague.nullish(),
  company: CompanySummary.nullish(),
  client: Client.nullish(),
  cashbox: Desk.nullish(),
});

export type DepositEntry = z.input<typeof DepositEntry>;

/** Document type of the entries of deposits. */
export const deposits: DocumentType<typeof DepositEntry> = {
  type: 'deposit',
  copied: 'client.deposit',
  schema: DepositEntry,
  filters: {
    ...familyFilters,
    company_id: exactOrList('company_id', Id),
    client_id: exact('client_id', Id),
    cashbox_id: exact('cashbox_id', Id),
    hold_id: exact('hold_id', Id),
    type: exactOrList('type', DepositKind),
    currency: exact('currency', Currency),
  },
  reach: (actor) => withinReachOf(actor),
};

const embeds = { ...familyEmbeds, client: clientEmbed, cashbox: deskEmbed };

/** Query string of the list. */
export const DepositList = documentQuery(deposits.filters, {
  sorts: ['id'],
  totals: amountsIn(DepositEntry, ['balance_after']),
  embeds,
  pageSize: MAX_PAGE_SIZE,
});

/** Query string of a single entry. */
export const DepositEmbeds = embedQuery({ embeds });

/** Lists the entries of the companies open to the caller. */
export function list(actor: Staff, query: ListQuery) {
  return listDocuments(deposits, actor, query);
}

/** Reads an entry with the requested embeds. */
export function get(actor: Staff, id: number, requestedEmbeds: readonly Embed[]) {
  return getDocument(deposits, actor, id, requestedEmbeds);
}

/** Fields of a new entry, without the balance and links that a source may leave out. */
type NewEntry = Omit<
  DepositEntry,
  'balance_after' | 'source_id' | 'hold_id' | 'transfer_id' | 'reversal_of_id' | 'reversal_id' | 'comment'
> &
  Partial<DepositEntry>;

/** Returns an entry with the balance after it, from the deposit as read. */
export function newEntry(sums: ClientBalances, entry: NewEntry): DepositEntry {
  const balance_after = sums[depositIn(entry.currency)] + entry.amount;
  const none = { source_id: null, hold_id: null, transfer_id: null, comment: null };
  return { ...none, ...NOT_REVERSED, balance_after, ...entry };
}

/** Builds the write of an entry; the same transaction changes the deposit as it was read. */
export function entryWrite(tenant: Tenant, entry: DepositEntry): Write {
  return documentInsertion(deposits, tenant, entry);
}
