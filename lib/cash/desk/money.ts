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

/** The money of a desk by kind, in 1/100, under `nameOf`, with what moves with it. */
export const DeskMoney = z.object({
  ...{ cash_uzs: sum, cash_usd: sum, cash_eur: sum, cash_rub: sum },
  ...{ card_uzs: sum, card_usd: sum, card_eur: sum, card_rub: sum },
  ...{ bank_uzs: sum, bank_usd: sum, bank_eur: sum, bank_rub: sum },
  version: z.int(),
  /** The latest day on which something moved; null if nothing has yet. */
  day: DeskDay.nullable().default(null),
  /** Null if none is open. */
  shift: OpenShift.nullable().default(null),
  /** What has left the desk for the main one, and is not confirmed there yet; null if nothing is. */
  on_hold: KindSums.nullable().default(null),
});

export type DeskMoney = Readonly<z.output<typeof DeskMoney>>;

/** The counters of a desk's money, which are kept apart from the desk. */
export const DESK_MONEY: Counters = {
  of: 'cashbox',
  names: MONEY_KINDS.map(nameOf),
  mayGo: {
    if: isIdle(MONEY_KINDS.map(nameOf)),
    otherwise: badRequest('cashbox.not_empty'),
  },
};

/** Gives the counters of a desk that belongs to a company. */
export function deskMoneyOf({ company_id }: { readonly company_id: number }): Counters {
  return { ...DESK_MONEY, beside: { company_id } };
}

/** Gives the key of a desk's money. */
export function deskMoneyKey(tenant: Tenant, cashboxId: number): Key {
  return counterKey(DESK_MONEY, tenant, cashboxId);
}

/** Money of a desk that has none. */
export const NO_MONEY: DeskMoney = DeskMoney.parse({
  ...Object.fromEntries(MONEY_KINDS.map((kind) => [nameOf(kind), 0])),
  version: 0,
});

/** Tells how much a desk has of one kind of money. */
export function moneyIn(money: DeskMoney, kind: MoneyKind): MinorUnits {
  return money[nameOf(kind)];
}

/** Lists what a desk has, without what it has nothing of. */
export function sumsIn(money: DeskMoney): KindSums {
  const sums = MONEY_KINDS.map((kind) => [nameOf(kind), moneyIn(money, kind)] as const);
  return KindSums.parse(Object.fromEntries(sums.filter(([, sum]) => sum !== 0)));
}

/** A desk, as far as money moves in it. */
export interface MoneyDesk {
  readonly id: number;
  readonly company_id: number;
  readonly money: DeskMoney;
}

/**
 * Builds the write that changes a desk's money from what was read; `Contention` if it has changed since.
 *
 * The version decides, not the sums. Money that comes in and goes out again leaves the sums as they were, but
 * it matters to whoever summed up the desk's postings meanwhile. Whatever belongs to a desk's day writes
 * this item, even if it brings no money (a sale on debt). So the records of a day beside the sums can neither
 * miss nor double it. The company is asked for too: of two items that are read at once, the desk may be older
 * than its money.
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
 * Builds the write of a desk's move to another company, after which whoever read the desk before reads it
 * again. 400 with money in it.
 */
export function deskMoveWrite(
  tenant: Tenant,
  { id, company_id }: { readonly id: number; readonly company_id: number },
): Write {
  const guard = { if: isIdle(DESK_MONEY.names), otherwise: badRequest('cashbox.moves_with_money') };
  return update(deskMoneyKey(tenant, id), { set: { company_id }, add: { version: 1 } }, guard);
}

/** Builds the check that a desk may become another kind of desk. 400 while a shift is open at it. */
export function deskKindCheck(tenant: Tenant, id: number): Write {
  return check(deskMoneyKey(tenant, id), { if: noShift(), otherwise: badRequest('cashbox.shift_open') });
}

/** Holds if a desk has no money, none of it is on its way, and no shift is open. */
function isIdle(names: readonly string[]) {
  return all([areZero(names), noShift(), isNull('on_hold')]);
}

function noShift() {
  return isNull('shift');
}

function isNull(name: string) {
  return any([absent(name), equals(name, null)]);
}
