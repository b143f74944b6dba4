import * as z from 'zod';
import { areZero, type Counters, counterKey } from '#lib/records/links/counters.ts';
import { check, update, type Write } from '#lib/table/change/write.ts';
import { absent, all, any, equals } from '#lib/table/expression.ts';
import type { Key, Tenant } from '#lib/table/keys.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { KindSums, type MinorUnits, MONEY_KINDS, type MoneyKind, nameOf } from '#lib/values/money.ts';
import { DeskDay } from './day.ts';
import { OpenShift } from './open-shift.ts';

const sum = z.int().min(0);

/** Money of a desk by kind, in minor units, under `nameOf`, with the sums that change along with it. */
export const DeskMoney = z.object({
  ...{ cash_uzs: sum, cash_usd: sum, cash_eur: sum, cash_rub: sum },
  ...{ card_uzs: sum, card_usd: sum, card_eur: sum, card_rub: sum },
  ...{ bank_uzs: sum, bank_usd: sum, bank_eur: sum, bank_rub: sum },
  version: z.int(),
  /** Latest day with a movement; null before the first. */
  day: DeskDay.nullable().default(null),
  /** Open shift; null if none. */
  shift: OpenShift.nullable().default(null),
  /** Money sent to the main desk and not confirmed there yet; null if none. */
  on_hold: KindSums.nullable().default(null),
});

export type DeskMoney = Readonly<z.output<typeof DeskMoney>>;

/** Counters of a desk's money, stored apart from the desk. */
export const DESK_MONEY: Counters = {
  of: 'cashbox',
  names: MONEY_KINDS.map(nameOf),
  mayGo: {
    if: isIdle(MONEY_KINDS.map(nameOf)),
    otherwise: badRequest('cashbox.not_empty'),
  },
};

/** Returns the counters of a desk with its company. */
export function deskMoneyOf({ company_id }: { readonly company_id: number }): Counters {
  return { ...DESK_MONEY, beside: { company_id } };
}

/** Returns the key of a desk's money. */
export function deskMoneyKey(tenant: Tenant, cashboxId: number): Key {
  return counterKey(DESK_MONEY, tenant, cashboxId);
}

/** Money of an empty desk. */
export const NO_MONEY: DeskMoney = DeskMoney.parse({
  ...Object.fromEntries(MONEY_KINDS.map((kind) => [nameOf(kind), 0])),
  version: 0,
});

/** Returns a desk's money of one kind. */
export function moneyIn(money: DeskMoney, kind: MoneyKind): MinorUnits {
  return money[nameOf(kind)];
}

/** Returns a desk's money by kind, without zeros. */
export function sumsIn(money: DeskMoney): KindSums {
  const sums = MONEY_KINDS.map((kind) => [nameOf(kind), moneyIn(money, kind)] as const);
  return KindSums.parse(Object.fromEntries(sums.filter(([, sum]) => sum !== 0)));
}

/** Desk as needed to move money. */
export interface MoneyDesk {
  readonly id: number;
  readonly company_id: number;
  readonly money: DeskMoney;
}

/**
 * Builds the write that changes a desk's money; `Contention` if it has changed since the read.
 *
 * The version decides, not the sums. Money that comes in and goes out again leaves the sums unchanged, but
 * matters to a caller that has summed up the desk's postings in between. Every change to a desk's day writes
 * this item, even one without money (a sale on debt), so records of a day outside the sums can neither miss
 * nor double it. The company is compared too: of two items read at once, the desk may be older than its
 * money.
 */
export function deskMoneyWrite(
  tenant: Tenant,
  { id, company_id, money: { version } }: MoneyDesk,
  after: DeskMoney,
): Write {
  const unchanged = all([
    equals('version', version),
    equals('is_deleted', false),
    equals('company_id', company_id),
  ]);
  return update(deskMoneyKey(tenant, id), { set: { ...after, version: version + 1 } }, { if: unchanged });
}

/**
 * Builds the write that moves a desk to another company and makes callers that have read the desk retry. 400
 * with money in it.
 */
export function deskMoveWrite(
  tenant: Tenant,
  { id, company_id }: { readonly id: number; readonly company_id: number },
): Write {
  const guard = { if: isIdle(DESK_MONEY.names), otherwise: badRequest('cashbox.moves_with_money') };
  return update(deskMoneyKey(tenant, id), { set: { company_id }, add: { version: 1 } }, guard);
}

/** Builds the check that a desk may change its kind. 400 while a shift is open at it. */
export function deskKindCheck(tenant: Tenant, id: number): Write {
  return check(deskMoneyKey(tenant, id), { if: noShift(), otherwise: badRequest('cashbox.shift_open') });
}

/** Returns the condition that a desk has no money, none on hold, and no open shift. */
function isIdle(names: readonly string[]) {
  return all([areZero(names), noShift(), isNull('on_hold')]);
}

function noShift() {
  return isNull('shift');
}

function isNull(name: string) {
  return any([absent(name), equals(name, null)]);
}
