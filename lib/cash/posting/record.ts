import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import { madeBy } from '#lib/auth/actor.ts';
import { Desk } from '#lib/cash/desk/desk.ts';
import { CompanySummary } from '#lib/people/company/known.ts';
import { Colleague } from '#lib/people/user/colleague.ts';
import type { DocumentType } from '#lib/records/documents.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import { sameTenantKey } from '#lib/table/keys.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { SourceData } from '#lib/values/fields.ts';
import { Currency, Direction, Money, PaymentType } from '#lib/values/money.ts';
import { Timestamp } from '#lib/values/time.ts';

/**
 * Cause of a money movement. For a conversion and a move between desks or payment types, `source_id` is the
 * outcome. Part 3, "Cash operation"; Contract 9.63; Part 5, 5.0, 2.
 */
export const PostingSourceType = enumeration('operation.source', [
  'reason',
  'collection',
  'conversion',
  'transfer',
  'tender',
  'supplier',
  'shift',
  'sale',
  'change',
  'sale_return',
  'sale_tender',
  'deposit',
  'debt_payment',
  'collection_difference',
]);

type PostingSourceType = z.output<typeof PostingSourceType>;

/** Sources of manual movements; all others are posted by the service. Part 3, "Cash operations". */
export const MANUAL = ['reason', 'collection', 'conversion', 'transfer', 'tender', 'supplier'] as const;

/** Source of a posting in `with[]=source`, with its identifying fields. */
const PostingSource = z.object({
  id: z.int(),
  type: z.string().optional(),
  name: z.string().optional(),
  code: z.string().optional(),
  status: z.string().optional(),
});

/** Record types of sources: a conversion and a move reference their outcome. */
const RECORDS: Readonly<Record<PostingSourceType, string>> = {
  reason: 'reason',
  collection: 'collection',
  conversion: 'posting',
  transfer: 'posting',
  tender: 'posting',
  supplier: 'supplier',
  shift: 'cashbox-shift',
  sale: 'sale',
  change: 'sale',
  sale_return: 'sale',
  sale_tender: 'sale',
  deposit: 'deposit',
  debt_payment: 'debt-payment',
  collection_difference: 'collection',
};

/** `with[]=source`: record that caused a posting. */
export const sourceEmbed: Embed = {
  field: 'source',
  keysOf: ({ pk, source_type, source_id }) => {
    const type = PostingSourceType.safeParse(source_type).data;
    return [(type && sameTenantKey(RECORDS[type], pk, source_id)) ?? []].flat();
  },
  shape: ([item]) => item ?? null,
};

/** Checks whether a posting is a manual movement. */
export function isManual({ source_type }: { readonly source_type: PostingSourceType }): boolean {
  return MANUAL.some((manual) => manual === source_type);
}

/** Money by kind, as decimal strings: `cash: { uzs: '15000.00' }`. */
export const DecimalSums = z.record(PaymentType, z.partialRecord(Currency, z.string()));

/** Money of a desk after a posting. */
export const Additional = z.object({
  balances_after: DecimalSums,
  /** Money on hold for the main desk. */
  on_hold_after: z
    .object({ outcome: z.partialRecord(PaymentType, z.partialRecord(Currency, z.string())) })
    .or(z.array(z.never()))
    .default([]),
});

/** Money movement at a desk. Part 3, "Cash operation". */
export const Posting = z.object({
  id: z.int(),
  company_id: z.int(),
  cashbox_id: z.int(),
  ...madeBy,
  /** Shift that counts it; null outside shifts. */
  shift_id: z.int().nullable().default(null),
  type: Direction,
  payment_type: PaymentType,
  currency: Currency,
  amount: Money,
  status: enumeration('operation.status', ['completed', 'on_hold', 'canceled']),
  source_type: PostingSourceType,
  source_id: z.int(),
  source_data: SourceData,
  additional: Additional,
  /** Posting reversed by this one; null if it is no reversal. */
  reversal_of_id: z.int().nullable().default(null),
  /** True once reversed, with the id of its reversal. Contract 9.37. */
  is_returned: z.boolean().default(false),
  reversal_id: z.int().nullable().default(null),
  cancel_comment: z.string().nullable().default(null),
  canceled_by_id: z.int().nullable().default(null),
  contract_number: z.string().nullable().default(null),
  comment: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  creator: Colleague.nullish(),
  company: CompanySummary.nullish(),
  cashbox: Desk.nullish(),
  source: PostingSource.nullable().default(null),
});

/** Stored posting. Fields with a default are stored only with another value. */
const StoredPosting = Posting.extend({
  /** Source of a manual movement, again: the list's filter uses this field, so that the index omits sales. */
  manual_source_id: z.int().optional(),
  /** Money of the desk after the cancellation, which is a movement without a posting of its own. */
  balances_after_cancel: DecimalSums.optional(),
  /** Shift that counts the cancellation. */
  canceled_shift_id: z.int().optional(),
});

export type StoredPosting = z.input<typeof StoredPosting>;

/** Type in the keys of postings, and name of their counter. */
export const POSTING = 'posting';

/** Document type of postings. Reach: postings of the desks open to the caller. */
export const deskPostings: DocumentType<typeof StoredPosting> = {
  type: POSTING,
  copied: 'cashbox.transfer',
  schema: StoredPosting,
  indexes: [
    'creator_id',
    'company_id',
    ...['cashbox_id', 'type', 'payment_type', 'currency', 'status', 'source_type', 'manual_source_id'],
  ],
  reach: (actor) => withinReachOf(actor, actor.cashDesks, 'cashbox_id'),
};
