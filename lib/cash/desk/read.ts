import { withinReachOf } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { companies } from '#lib/people/company/record.ts';
import { ShiftSettings } from '#lib/people/company/settings.ts';
import { findRecord } from '#lib/records/record.ts';
import { parseRecord, type Stored } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { all } from '#lib/table/expression.ts';
import { type Key, PLATFORM } from '#lib/table/keys.ts';
import { badRequest } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import * as desks from './desk.ts';
import { DeskMoney, deskMoneyKey } from './money.ts';

/** A desk and the money in it, as they were read at one moment. */
export interface DeskState extends Readonly<Pick<DeskRecord, 'id' | 'company_id' | 'type'>> {
  readonly money: DeskMoney;
}

/** A desk with its record, for answers. */
export interface DeskWithRecord extends DeskState {
  readonly record: DeskRecord;
}

type DeskRecord = Stored<typeof desks.Desk>;

/** Lists the keys of a desk and its money, for `deskIn`. */
export function deskKeys(actor: Staff, id: number): Key[] {
  return [desks.keyOf(actor, id), deskMoneyKey(actor.tenant, id)];
}

/**
 * Gives the desk that was read at `deskKeys`; undefined if it is not there or not open to the caller, and if
 * the caller has signed in at another till: a till's token moves the money of its own.
 */
export function deskIn(
  actor: Staff,
  [item, money]: readonly (Item | undefined)[],
): DeskWithRecord | undefined {
  const record = desks.ifVisible(actor, item);
  const isTheirTill = actor.pos === undefined || actor.pos.cashboxId === record?.id;
  return record && isTheirTill ? deskOf(record, money) : undefined;
}

/** A desk that the caller reaches, deleted or not. */
export type ReachedDesk = Readonly<Pick<DeskRecord, 'id' | 'company_id'>>;

/**
 * Gives a desk that was read if it is open to the caller, deleted or not: what was sold at it is told for
 * good. As for `deskIn`, a till's token reaches its own.
 */
export function deskWithinReach(actor: Staff, item: Item | undefined): ReachedDesk | undefined {
  const record = item && parseRecord(desks.Desk, item);
  const isTheirTill = actor.pos === undefined || actor.pos.cashboxId === record?.id;
  if (!record || !isTheirTill) return undefined;
  return all(withinReachOf(actor, actor.cashDesks)).matches(record) ? record : undefined;
}

/** Joins a desk's record and what was read of its money. */
export function deskOf(record: DeskRecord, money: Item | undefined): DeskWithRecord {
  const { id, company_id, type } = record;
  return { id, company_id, type, money: DeskMoney.parse(money), record };
}

/** Gives the place and company of postings at a desk. */
export function atDesk({ id, company_id }: Pick<DeskState, 'id' | 'company_id'>) {
  return { cashbox_id: id, company_id };
}

/**
 * Requires the open shift that a sale desk needs for its money to move, if its company works with shifts.
 * Whatever moves a desk's money asks this of the money that it is about to write: `deskMoneyWrite` guards its
 * version, so a shift that is closed meanwhile is noticed. 400 without one. Contract 9.44. No round trip
 * at a desk of the caller's own company, or if a shift is open.
 */
export async function requireShift(actor: Staff, { company_id, type, money }: DeskState): Promise<void> {
  if (type === 'main' || money.shift) return;
  if (await hasShifts(actor, company_id)) throw badRequest('shift.required');
}

/**
 * Refuses a sale in a shift whose hours are over, if it is one that blocks. A late one may have been sold up
 * to their end. Contract 9.49; Part 4, 4.4, 6.
 */
export function requireInTime(
  { shift }: DeskMoney,
  { sold_at, at }: { readonly sold_at: Instant; readonly at: Instant },
): void {
  if (shift?.overdue_action !== 'block' || shift.closes_at === null) return;
  if (sold_at > shift.closes_at || (sold_at === at && at === shift.closes_at))
    throw badRequest('shift.overdue');
}

/** Tells whether a company works with shifts. */
export async function hasShifts(actor: Staff, companyId: number): Promise<boolean> {
  if (companyId === actor.companyId && actor.hasShifts !== undefined) return actor.hasShifts;
  return (await shiftSettingsOf(companyId)).is_enabled;
}

/** Reads the shift rules of a company. One round trip. */
export async function shiftSettingsOf(id: number) {
  return ShiftSettings.parse((await companyAt(id))?.cashbox_shift_settings);
}

/** Payments of a body. */
type Asked = readonly { readonly payment_type: string }[];

/**
 * Tells whether a desk's company lets these payments be: it may refuse what comes by bank. No round trip
 * without such a payment, or at a desk of the caller's own company. Contract 9.116.
 */
export async function takesPayments(
  actor: Staff,
  { company_id }: Pick<DeskState, 'company_id'>,
  payments: Asked = [],
): Promise<boolean> {
  if (payments.every(({ payment_type }) => payment_type !== 'bank')) return true;
  if (company_id === actor.companyId && actor.takesBank !== undefined) return actor.takesBank;
  return (await companyAt(company_id))?.has_bank_payment_type !== false;
}

/** Refuses payments by bank, each on its way of paying. `field` is the list's. */
export function refuseBank(
  payments: Asked,
  field: 'transactions' | 'payments',
  issues: ValidationIssues,
): void {
  for (const [index, { payment_type }] of payments.entries()) {
    if (payment_type === 'bank') issues.add(`${field}.${index}.payment_type`, 'sale.bank_not_taken');
  }
}

function companyAt(id: number) {
  return findRecord({ type: companies, tenant: PLATFORM, id });
}
