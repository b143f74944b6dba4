import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import { madeBy, type Staff } from '#lib/auth/actor.ts';
import { Desk, deskEmbed } from '#lib/cash/desk/desk.ts';
import { CompanySummary } from '#lib/people/company/known.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { Colleague } from '#lib/people/user/colleague.ts';
import { type DocumentType, listDocuments } from '#lib/records/documents.ts';
import { exact, MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { documentQuery, type ListQuery } from '#lib/records/query/list-query.ts';
import { amountsIn } from '#lib/records/query/totals.ts';
import { Id } from '#lib/values/fields.ts';
import { amount, Currency, Money, PaymentType, paymentList } from '#lib/values/money.ts';
import { Timestamp } from '#lib/values/time.ts';

/** Type in the keys of corrections, which reports and the feed read, too. */
export const SALE_TENDER = 'sale-tender';

/** Money of a sale by payment type. */
const TenderSum = z.object({ payment_type: PaymentType, amount: Money });

/** Correction of a sale's payment types; it never changes. Part 5, 5A.8, 3. */
export const SaleTender = z.object({
  id: z.int(),
  ...madeBy,
  sale_id: z.int(),
  company_id: z.int(),
  cashbox_id: z.int(),
  currency: Currency,
  /** Money of the sale before the correction, and after it. */
  before: z.array(TenderSum),
  after: z.array(TenderSum),
  created_at: Timestamp,
  creator: Colleague.nullish(),
  company: CompanySummary.nullish(),
  cashbox: Desk.nullish(),
});

/** Correction as stored. */
const StoredSaleTender = SaleTender.extend({
  /** Creator of the sale, under whom the report of sales counts the correction. */
  sale_creator_id: z.int(),
  /** Its postings. */
  transfer_ids: z.array(z.int()),
});

export type StoredSaleTender = z.input<typeof StoredSaleTender>;

/** Document type of corrections. Reach: those of the desks open to the caller. */
export const saleTenders: DocumentType<typeof StoredSaleTender> = {
  type: SALE_TENDER,
  copied: 'trade.sale.tender',
  schema: StoredSaleTender,
  filters: {
    ...familyFilters,
    sale_id: exact('sale_id', Id),
    cashbox_id: exact('cashbox_id', Id),
    currency: exact('currency', Currency),
  },
  reach: (actor) => withinReachOf(actor, actor.cashDesks, 'cashbox_id'),
};

/** Query string of the list. */
export const SaleTenderList = documentQuery(saleTenders.filters, {
  sorts: ['id'],
  totals: amountsIn(SaleTender),
  embeds: { ...familyEmbeds, cashbox: deskEmbed },
  pageSize: MAX_PAGE_SIZE,
});

/** Lists the corrections at the desks open to the caller. */
export function list(actor: Staff, query: ListQuery) {
  return listDocuments(saleTenders, actor, query);
}

/** Input to correct the payment types of a sale. Part 5, 5A.8, 2. */
export const SaleTenderInput = z.object({
  transactions: paymentList(z.object({ payment_type: PaymentType, amount: amount(0.01) })),
});

export type SaleTenderInput = z.output<typeof SaleTenderInput>;
