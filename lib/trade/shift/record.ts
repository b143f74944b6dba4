import * as z from 'zod';
import { madeBy, type Staff } from '#lib/auth/actor.ts';
import { Desk, deskEmbed } from '#lib/cash/desk/desk.ts';
import { CompanySummary } from '#lib/people/company/known.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { Colleague } from '#lib/people/user/colleague.ts';
import type { DocumentType } from '#lib/records/documents.ts';
import { exact, period } from '#lib/records/query/filters.ts';
import { documentQuery, embedQuery } from '#lib/records/query/list-query.ts';
import { Warehouse, warehouseEmbed } from '#lib/stock/warehouse.ts';
import { type Key, uniqueNameKey } from '#lib/table/keys.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { distinct, Id, optionalText, orNull } from '#lib/values/fields.ts';
import { amount, Currency, MAX_AMOUNT, Money, PaymentType, requireDistinctKinds } from '#lib/values/money.ts';
import { Timestamp } from '#lib/values/time.ts';
import { shiftsClosedBy, shiftsSeenBy } from './reach.ts';
import { ShiftSummary, SummaryResponse } from './summary.ts';

const Status = enumeration('shift.status', ['open', 'closed']);

/** Destination of the money at the end of a shift. */
const ClosingAction = enumeration('shift.closing_action', ['keep', 'transfer_all', 'transfer_part']);

/**
 * Stored shift at a cash desk. The sums of an open one are in the item of its desk's money; those of a closed
 * one are frozen here.
 */
export const StoredShift = z.object({
  id: z.int(),
  ...madeBy,
  company_id: z.int(),
  cashbox_id: z.int(),
  stock_id: z.int(),
  closed_by_id: z.int().nullable(),
  collection_id: z.int().nullable(),
  status: Status,
  /** As sent. Contract 9.62. */
  opening_balances: z.array(z.object({ amount: Money, currency: Currency, payment_type: PaymentType })),
  opening_amount: Money,
  opening_currency: Currency,
  opening_comment: z.string().nullable(),
  closing_action: ClosingAction.nullable(),
  closing_comment: z.string().nullable(),
  summary: ShiftSummary.nullable(),
  opened_at: Timestamp,
  /** Null without a time limit. */
  closes_at: Timestamp.nullable(),
  closed_at: Timestamp.nullable(),
  overdue_action: enumeration('shift.overdue_action', ['remind', 'block']).nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  company: CompanySummary.nullish(),
  creator: Colleague.nullish(),
  cashbox: Desk.nullish(),
  stock: Warehouse.nullish(),
});

export type StoredShift = z.input<typeof StoredShift>;

/** Published shift. Part 3, "Cash shift". */
export const CashboxShift = StoredShift.extend({
  summary: SummaryResponse,
  /** Number of refused sales of its desk. Part 4, 4.4, 5. */
  refused_sales: z.int(),
  /** Seconds until the end of working hours, negative after it; for a closed shift, as of its closing. */
  closes_in: z.int().nullable(),
});

export type CashboxShift = z.input<typeof CashboxShift>;

/**
 * Document type of shifts. Reach: a cashier's own, and with the right all of the desks open to them; all of
 * the companies open to a director; all of an API key's desks.
 */
export const shifts: DocumentType<typeof StoredShift> = {
  type: 'cashbox-shift',
  copied: 'trade.cashbox-shift',
  schema: StoredShift,
  filters: {
    ...familyFilters,
    cashbox_id: exact('cashbox_id', Id),
    stock_id: exact('stock_id', Id),
    status: exact('status', Status),
    opened_at: period('opened_at'),
    closed_at: period('closed_at'),
  },
  reach: shiftsSeenBy,
};

/** The same with the reach for closing shifts and paying expenses. */
export const closableShifts: DocumentType<typeof StoredShift> = { ...shifts, reach: shiftsClosedBy };

const embeds = { ...familyEmbeds, cashbox: deskEmbed, stock: warehouseEmbed };

/** Query string of the list. */
export const ShiftList = documentQuery(shifts.filters, { sorts: ['id'], embeds });

/** Query string of a single shift. */
export const ShiftEmbeds = embedQuery({ embeds });

/** Returns the key of the item with a user's open shift, of which there is at most one. Contract 9.46. */
export function currentKey({ tenant, id }: Pick<Staff, 'tenant' | 'id'>): Key {
  return uniqueNameKey(shifts.type, tenant, 'creator_id', String(id));
}

const kind = { payment_type: PaymentType, currency: Currency };

const MAX_COUNT = MAX_AMOUNT / 100;

/** Input to open a shift. Part 3, "Cash shifts". */
export const OpeningInput = z.object({
  cashbox_id: Id,
  stock_id: Id,
  opening_balances: requireDistinctKinds(z.array(z.object({ ...kind, amount: amount(0) })).max(20)).default(
    [],
  ),
  opening_comment: optionalText(1000),
});

export type OpeningInput = z.output<typeof OpeningInput>;

/** Input to close a shift. Part 3, "Cash shifts". */
export const ClosingInput = z.object({
  actuals: requireDistinctKinds(
    z.array(z.object({ ...kind, payment_type_id: orNull(z.int()), amount: amount(-MAX_COUNT) })).max(50),
  ).default([]),
  closing_action: ClosingAction,
  leave_amounts: distinct(
    'currency',
    z.array(z.object({ currency: Currency, amount: amount(0) })).max(20),
  ).default([]),
  closing_comment: optionalText(1000),
});

export type ClosingInput = z.output<typeof ClosingInput>;
