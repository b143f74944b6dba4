import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { ShiftSettings } from '#lib/people/company/shift-settings.ts';
import { parseRecord, parseStored, type Stored } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { all } from '#lib/table/expression.ts';
import { type Key, PLATFORM, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { badRequest } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import * as desks from './desk.ts';
import { DeskMoney, deskMoneyKey } from './money.ts';

/** Desk with its money, from one read. */
export interface DeskState extends Readonly<Pick<DeskRecord, 'id' | 'company_id' | 'type'>> {
  readonly money: DeskMoney;
}

/** Desk with its record, for responses. */
export interface DeskWithRecord extends DeskState {
  readonly record: DeskRecord;
}

type DeskRecord = Stored<typeof desks.Desk>;

/** Returns the keys of a desk and its money, for `deskIn`. */
export function deskKeys(actor: Staff, id: number): Key[] {
  return [desks.keyOf(actor, id), deskMoneyKey(actor.tenant, id)];
}

/**
 * Returns the desk read at `deskKeys`; undefined if it does not exist or is not open to the caller, or if the
 * caller has signed in at another till, whose token only moves its own money.
 */
export function deskIn(
  actor: Staff,
  [item, money]: readonly (Item | undefined)[],
): DeskWithRecord | undefined {
  const record = desks.ifVisible(actor, item);
  const isOwnTill = actor.pos === undefined || actor.pos.cashboxId === record?.id;
  return record && isOwnTill ? deskOf(record, money) : undefined;
}

/** Desk within the caller's reach, deleted or not. */
export type ReachedDesk = Readonly<Pick<DeskRecord, 'id' | 'company_id'>>;

/**
 * Returns a desk that was read if it is open to the caller, deleted or not, because its sales stay readable.
 * As in `deskIn`, a till's token reaches its own desk only.
 */
export function deskWithinReach(actor: Staff, item: Item | undefined): ReachedDesk | undefined {
  const record = item && parseRecord(desks.Desk, item);
  const isOwnTill = actor.pos === undefined || actor.pos.cashboxId === record?.id;
  if (!record || !isOwnTill) return undefined;
  return all(withinReachOf(actor, actor.cashDesks)).matches(record) ? record : undefined;
}

/** Combines a desk's record with its money as read. */
export function deskOf(record: DeskRecord, money: Item | undefined): DeskWithRecord {
  const { id, company_id, type } = record;
  return { id, company_id, type, money: DeskMoney.parse(money), record };
}

/** The part of a company with rules of its desks. */
const DeskRules = z.object({ cashbox_shift_settings: ShiftSettings, has_bank_payment_type: z.boolean() });

/** Returns the desk and company fields of postings. */
export function atDesk({ id, company_id }: Pick<DeskState, 'id' | 'company_id'>) {
  return { cashbox_id: id, company_id };
}

/**
 * Requires the open shift that a sale desk needs to move money, if its company works with shifts. Every
 * movement checks this on the money that it is about to write: `deskMoneyWrite` is conditional on its
 * version, so a shift closed concurrently is detected. 400 without a shift. Contract 9.44. No round trip at a
 * desk of the caller's own company, or if a shift is open.
 */
export async function requireShift(actor: Staff, { company_id, type, money }: DeskState): Promise<void> {
  if (type === 'main' || money.shift) return;
  if (await hasShifts(actor, company_id)) throw badRequest('shift.required');
}

/**
 * Rejects a sale in a shift past its working hours with 400, if the shift blocks such sales. An offline sale
 * may have been sold up to their end. Contract 9.49; Part 4, 4.4, 6.
 */
export function requireInTime(
  { shift }: DeskMoney,
  { sold_at, at }: { readonly sold_at: Instant; readonly at: Instant },
): void {
  if (shift?.overdue_action !== 'block' || shift.closes_at === null) return;
  if (sold_at > shift.closes_at || (sold_at === at && at === shift.closes_at))
    throw badRequest('shift.overdue');
}

/** Checks whether a company works with shifts. */
export async function hasShifts(actor: Staff, companyId: number): Promise<boolean> {
  if (companyId === actor.companyId && actor.hasShifts !== undefined) return actor.hasShifts;
  return (await shiftSettingsOf(companyId)).is_enabled;
}

/** Reads a company's shift settings. One round trip. */
export async function shiftSettingsOf(id: number) {
  return ShiftSettings.parse((await companyAt(id))?.cashbox_shift_settings);
}

/** Payments of a request. */
type RequestedPayments = readonly { readonly payment_type: string }[];

/**
 * Checks whether a desk's company accepts these payments: it may not accept bank payments. No round trip
 * without such a payment, or at a desk of the caller's own company. Contract 9.116.
 */
export async function takesPayments(
  actor: Staff,
  { company_id }: Pick<DeskState, 'company_id'>,
  payments: RequestedPayments = [],
): Promise<boolean> {
  if (payments.every(({ payment_type }) => payment_type !== 'bank')) return true;
  if (company_id === actor.companyId && actor.takesBank !== undefined) return actor.takesBank;
  return (await companyAt(company_id))?.has_bank_payment_type !== false;
}

/** Rejects each bank payment on its `payment_type`; `field` is the name of the list. */
export function refuseBank(
  payments: RequestedPayments,
  field: 'transactions' | 'payments',
  issues: ValidationIssues,
): void {
  for (const [index, { payment_type }] of payments.entries()) {
    if (payment_type === 'bank') issues.add(`${field}.${index}.payment_type`, 'sale.bank_not_taken');
  }
}

async function companyAt(id: number) {
  const item = await getItem(recordKey('company', PLATFORM, id));
  return item && parseStored(DeskRules, item);
}
