import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import { madeBy } from '#lib/auth/actor.ts';
import { Desk } from '#lib/cash/desk/desk.ts';
import { CompanySummary } from '#lib/people/company/record.ts';
import { Colleague } from '#lib/people/user/user.ts';
import type { DocumentType } from '#lib/records/documents.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import { sameTenantKey } from '#lib/table/keys.ts';
import { SourceData } from '#lib/values/fields.ts';
import { Currency, Direction, Money, PaymentType } from '#lib/values/money.ts';
import { Timestamp } from '#lib/values/time.ts';

/**
 * The cause of a movement of money. For a conversion or a move between desks `source_id` is the outcome. Part
 * 3, "Cash operation"; Contract 9.63.
 */
export const PostingSourceType = z.enum([
  'reason',
  'collection',
  'conversion',
  'transfer',
  'supplier',
  'shift',
  'sale',
  'change',
  'sale_return',
  'debt_payment',
]);

type PostingSourceType = z.output<typeof PostingSourceType>;

/** The sources of manual movements; the desk itself posts all others. Part 3, "Cash operations". */
export const MANUAL = ['reason', 'collection', 'conversion', 'transfer', 'supplier'] as const;

/** A posting's source as `with[]=source` shows it: what it is known by. */
const PostingSource = z.object({
  id: z.int(),
  type: z.string().optional(),
  name: z.string().optional(),
  code: z.string().optional(),
  status: z.string().optional(),
});

/** The records to which sources belong: a conversion and a move point at their outcome. */
const RECORDS: Readonly<Record<PostingSourceType, string>> = {
  reason: 'reason',
  collection: 'collection',
  conversion: 'posting',
  transfer: 'posting',
  supplier: 'supplier',
  shift: 'cashbox-shift',
  sale: 'sale',
  change: 'sale',
  sale_return: 'sale',
  debt_payment: 'debt-payment',
};

/** `with[]=source`: the record that a posting came of. */
export const sourceEmbed: Embed = {
  field: 'source',
  keysOf: ({ pk, source_type, source_id }) => {
    const type = PostingSourceType.safeParse(source_type).data;
    return [(type && sameTenantKey(RECORDS[type], pk, source_id)) ?? []].flat();
  },
  shape: ([item]) => item ?? null,
};

/** Tells whether a posting is a manual movement. */
export function isManual({ source_type }: { readonly source_type: PostingSourceType }): boolean {
  return MANUAL.some((manual) => manual === source_type);
}

/** Money by its kind, as decimal strings: `cash: { uzs: '15000.00' }`. */
export const DecimalSums = z.record(PaymentType, z.partialRecord(Currency, z.string()));

/** The money of a desk after a posting. */
export const Additional = z.object({
  balances_after: DecimalSums,
  /** What is on its way from the desk to the main one. */
  on_hold_after: z
    .object({ outcome: z.partialRecord(PaymentType, z.partialRecord(Currency, z.string())) })
    .or(z.array(z.never()))
    .default([]),
});

/** One movement of money at a desk. Part 3, "Cash operation". */
export const Posting = z.object({
  id: z.int(),
  company_id: z.int(),
  cashbox_id: z.int(),
  ...madeBy,
  /** The shift in which it counts; null outside shifts. */
  shift_id: z.int().nullable().default(null),
  type: Direction,
  payment_type: PaymentType,
  currency: Currency,
  amount: Money,
  status: z.enum(['completed', 'on_hold', 'canceled']),
  source_type: PostingSourceType,
  source_id: z.int(),
  source_data: SourceData,
  additional: Additional,
  /** Of a reversal: the posting that it takes back. */
  reversal_of_id: z.int().nullable().default(null),
  /** Of one that was taken back: its reversal. Contract 9.37. */
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

/** A posting as the table holds it. What has a default is not written until it is something else. */
const StoredPosting = Posting.extend({
  /**
   * The source of a manual movement again. Lists look for it here, so that it has an index without one for
   * each cheque.
   */
  manual_source_id: z.int().optional(),
  /** The money of the desk after it was canceled: that is a movement too, without a posting of its own. */
  balances_after_cancel: DecimalSums.optional(),
  /** Of a cancellation: the shift in which it counts. */
  canceled_shift_id: z.int().optional(),
});

export type StoredPosting = z.input<typeof StoredPosting>;

/** The type in postings' keys, and the name of their counter. */
export const POSTING = 'posting';

/** Document type of postings. A caller reaches those of the desks open to them. */
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
