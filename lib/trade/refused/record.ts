import * as z from 'zod';
import { among } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { Desk, deskEmbed } from '#lib/cash/desk/desk.ts';
import { familyFilters } from '#lib/people/family-record.ts';
import { Colleague, creatorEmbed } from '#lib/people/user/user.ts';
import type { DocumentType } from '#lib/records/documents.ts';
import { exact, exactByConstraint, MAX_PAGE_SIZE, period } from '#lib/records/query/filters.ts';
import { embedQuery, plainQuery } from '#lib/records/query/list-query.ts';
import type { Stored } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { SaleKey } from '#lib/trade/sale/input.ts';
import { Id, linesOfText } from '#lib/values/fields.ts';
import { type ErrorCode, isErrorCode } from '#lib/values/message.ts';
import { Money } from '#lib/values/money.ts';
import type { Locale } from '#lib/values/text.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';

const Status = z.enum(['waiting', 'sold', 'dismissed']);

const Code = z.custom<ErrorCode>((code) => typeof code === 'string' && isErrorCode(code));

/** What was wrong with a field, still to be said in a language. */
const Wrong = z.object({
  key: Code,
  with: z.exactOptional(z.record(z.string(), z.union([z.string(), z.number()]))),
});

/** What is known of a body that is kept: its text is an item of its own. */
const KeptBody = z.object({
  number: z.int(),
  bytes: z.int(),
  /** What it has in common with every body of equal contents. */
  digest: z.string(),
  came_at: z.number(),
});

export type StoredBody = z.output<typeof KeptBody>;

/** A late sale that was refused, as the table holds it: its company is its desk's, wherever that is. */
export const StoredRefusedSale = z.object({
  id: z.int(),
  key: z.string(),
  cashbox_id: z.int(),
  /** Who sold it: whom its body names, if its sender may say so, else who sent it. */
  creator_id: z.int(),
  /** Who sent its newest body that is not a retry's. */
  sent_by: z.int(),
  /** Who retried it last. */
  retried_by: z.int().nullable(),
  sold_at: Timestamp,
  /** When it was sold, if it was made as of a later moment. Part 4, 4.4, 5. */
  happened_at: Timestamp.nullable().default(null),
  /** The sum of the payments of its newest body, or of what was sold. */
  amount: Money,
  code: Code,
  /** What was wrong by field; null if no field was. */
  errors: z.record(z.string(), Wrong).nullable(),
  attempts: z.int(),
  status: Status,
  /** Why it was dismissed. */
  comment: z.string().nullable(),
  sale_id: z.int().nullable(),
  /** The first of its bodies and the newest others, the newest last. */
  bodies: z.array(KeptBody),
  created_at: z.number(),
  updated_at: z.number(),
  creator: Colleague.nullish(),
  cashbox: Desk.nullish(),
});

export type StoredRefusedSale = z.input<typeof StoredRefusedSale>;

/** A refused sale as it was read. */
export type VersionedRefusedSale = Stored<typeof StoredRefusedSale>;

/** A late sale that was refused, as callers see it. Part 4, 4.4, 5. */
export const RefusedSale = StoredRefusedSale.omit({ created_at: true, updated_at: true }).extend({
  company_id: z.int(),
  code: z.string(),
  bodies: z
    .array(
      z.unknown().meta({ type: 'object', additionalProperties: true, description: 'The body of a sale.' }),
    )
    .nullable(),
  bodies_left_out: z.literal(true).optional(),
  errors: z.record(z.string(), z.array(z.string())).nullable(),
  refused_at: Timestamp,
});

export type RefusedSale = z.input<typeof RefusedSale>;

/** How a change of a refused sale is answered. */
export interface RefusedSaleContext {
  readonly at: Instant;
  readonly locale: Locale;
  readonly saveResponse: (answer: RefusedSale) => Write[];
}

/**
 * Document type of refused sales. A caller reaches those of the desks that are open to them now, in whatever
 * company a desk was when they came: `lib/trade/refused/desk.ts` asks the desks for it.
 */
export const refusedSales: DocumentType<typeof StoredRefusedSale> = {
  type: 'refused-sale',
  schema: StoredRefusedSale,
  filters: {
    ...familyFilters,
    company_id: exactByConstraint('company_id', Id),
    cashbox_id: exact('cashbox_id', Id),
    status: exact('status', Status),
    key: exact('key', SaleKey),
    sold_at: period('sold_at'),
  },
  reach: (actor: Staff) => among('cashbox_id', actor.cashDesks),
};

const embeds = { 'creator.profile': creatorEmbed, cashbox: deskEmbed };

/** The list's query string. */
export const RefusedSaleList = plainQuery(refusedSales.filters, {
  sorts: ['id'],
  embeds,
  pageSize: MAX_PAGE_SIZE,
});

/** The query string of one of them. */
export const RefusedSaleEmbeds = embedQuery({ embeds });

/** Input to dismiss one. */
export const DismissalInput = z.object({
  comment: linesOfText(1000).min(1, { error: 'validation.required' }),
});
