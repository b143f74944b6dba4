import * as z from 'zod';
import { among } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { Desk, deskEmbed } from '#lib/cash/desk/desk.ts';
import { familyFilters } from '#lib/people/family-record.ts';
import { Colleague, creatorEmbed } from '#lib/people/user/colleague.ts';
import type { DocumentType } from '#lib/records/documents.ts';
import { exact, exactByConstraint, MAX_PAGE_SIZE, period } from '#lib/records/query/filters.ts';
import { embedQuery, plainQuery } from '#lib/records/query/list-query.ts';
import type { Stored } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { SaleKey } from '#lib/trade/sale/input.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { ErrorParams, FieldTexts } from '#lib/values/error-text.ts';
import { Id, linesOfText } from '#lib/values/fields.ts';
import { type ErrorCode, isErrorCode } from '#lib/values/message.ts';
import { Money } from '#lib/values/money.ts';
import type { Locale } from '#lib/values/text.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';

const Status = enumeration('refused_sale.status', ['waiting', 'sold', 'dismissed']);

const Code = z.custom<ErrorCode>((code) => typeof code === 'string' && isErrorCode(code));

/** Values of a text. */
const Values = z.record(z.string(), z.union([z.string(), z.number()]));

/** Error of a field, not yet translated. */
const FieldError = z.object({ key: Code, with: z.exactOptional(Values) });

/** Header of a stored body: its text is a separate item. */
const BodyHeader = z.object({
  number: z.int(),
  bytes: z.int(),
  /** Digest, equal for all bodies of equal contents. */
  digest: z.string(),
  came_at: z.number(),
});

export type StoredBody = z.output<typeof BodyHeader>;

/** Stored refused sale. Its company is its desk's present one. */
export const StoredRefusedSale = z.object({
  id: z.int(),
  key: z.string(),
  cashbox_id: z.int(),
  /** Seller: the user named by its body, if the sender has the right to name one, else the sender. */
  creator_id: z.int(),
  /** Sender of its newest body that is not a retry's. */
  sent_by: z.int(),
  /** User of the latest retry. */
  retried_by: z.int().nullable(),
  sold_at: Timestamp,
  /** Time of the sale, if it was created as of a later time. Part 4, 4.4, 5. */
  happened_at: Timestamp.nullable().default(null),
  /** Sum of the payments of its newest body, or of the resulting sale. */
  amount: Money,
  code: Code,
  /** Values of the code's text. Part 5, 5B.4. */
  values: Values.default({}),
  /** Errors by field; null if it was refused for no field. */
  errors: z.record(z.string(), FieldError).nullable(),
  attempts: z.int(),
  status: Status,
  /** Reason for the dismissal. */
  comment: z.string().nullable(),
  sale_id: z.int().nullable(),
  /** The first of its bodies and the newest others, newest last. */
  bodies: z.array(BodyHeader),
  created_at: z.number(),
  updated_at: z.number(),
  creator: Colleague.nullish(),
  cashbox: Desk.nullish(),
});

export type StoredRefusedSale = z.input<typeof StoredRefusedSale>;

/** Refused sale as read, with its version. */
export type VersionedRefusedSale = Stored<typeof StoredRefusedSale>;

/** Published refused sale. Part 4, 4.4, 5. */
export const RefusedSale = StoredRefusedSale.omit({
  values: true,
  created_at: true,
  updated_at: true,
}).extend({
  company_id: z.int(),
  code: z.string(),
  bodies: z
    .array(
      z.unknown().meta({ type: 'object', additionalProperties: true, description: 'The body of a sale.' }),
    )
    .nullable(),
  bodies_left_out: z.literal(true).optional(),
  errors: FieldTexts,
  codes: FieldTexts,
  params: ErrorParams,
  refused_at: Timestamp,
});

export type RefusedSale = z.input<typeof RefusedSale>;

/** Context of a change of a refused sale. */
export interface RefusedSaleContext {
  readonly at: Instant;
  readonly locale: Locale;
  readonly saveResponse: (response: RefusedSale) => Write[];
}

/**
 * Document type of refused sales. Reach: those of the desks now open to the caller, whichever company a desk
 * had when they were received; `lib/trade/refused/desk.ts` resolves it.
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

/** Query string of the list. */
export const RefusedSaleList = plainQuery(refusedSales.filters, {
  sorts: ['id'],
  embeds,
  pageSize: MAX_PAGE_SIZE,
});

/** Query string of a single refused sale. */
export const RefusedSaleEmbeds = embedQuery({ embeds });

/** Input to dismiss a refused sale. */
export const DismissalInput = z.object({
  comment: linesOfText(1000).min(1, { error: 'validation.required' }),
});
