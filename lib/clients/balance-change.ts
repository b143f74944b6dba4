import { canChangeCounters, VERSION_INCREMENT } from '#lib/records/links/counters.ts';
import { update, type Write } from '#lib/table/change/write.ts';
import { absent, all, equals } from '#lib/table/expression.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { type Currency, MAX_AMOUNT, type MinorUnits, totalAmount } from '#lib/values/money.ts';
import type { Day, Instant } from '#lib/values/time.ts';
import { type BonusChanges, bonusesAfter, NO_BONUSES, waitingSum } from './bonuses.ts';
import { bonusesIn, type ClientBalances, clientBalancesKey, debtIn } from './client-balances.ts';
import { isWithinLimit } from './debt-limits.ts';

/** A debt payment's change of what a client owes, or a refund's: below zero for a payment. */
export interface Repayment {
  readonly debt: MinorUnits;
  readonly currency: Currency;
  /** When it was paid; left out by a refund. */
  readonly paidAt?: Instant;
}

/** A document's changes of a client's bonuses, and the debt that it adds. Contract 5. */
export interface ClientBalanceChange extends BonusChanges {
  readonly debt: MinorUnits;
  readonly currency: Currency;
  /** Set if the debt may pass the client's limit. */
  readonly mayExceed?: boolean;
}

/** Tells whether a client has enough bonuses to spend on a day. */
export function hasBonus(
  sums: ClientBalances,
  { spent, currency }: ClientBalanceChange,
  today: Day,
): boolean {
  return bonusesIn(sums, currency, today).spendable >= spent;
}

/** Tells whether a client's bonuses can grow by what a charge earns. */
export function canEarn(sums: ClientBalances, charge: ClientBalanceChange, today: Day): boolean {
  const after = bonusesAfter(sums.bonuses[charge.currency] ?? NO_BONUSES, charge, today);
  return after.spendable + waitingSum(after) <= MAX_AMOUNT;
}

/** Tells whether a client's debt can grow by a charge. */
export function canOwe(
  sums: ClientBalances,
  { debt, currency }: Pick<ClientBalanceChange, 'debt' | 'currency'>,
): boolean {
  return canChangeCounters({ [debtIn(currency)]: debt }).matches(sums);
}

/**
 * Builds the write of a charge on a day, one for all of it, as an item may come only once in a transaction;
 * none if there is nothing to charge. `Contention` if the client owes too much, or more than the limit, has
 * other bonuses or another debt than were read, or has been deleted: of a deleted one, bonuses are only taken
 * back.
 */
export function balanceChangeWrites(
  { tenant, id }: { readonly tenant: Tenant; readonly id: number },
  sums: ClientBalances,
  charge: ClientBalanceChange,
  today: Day,
): Write[] {
  const { debt, currency, spent, earned, takenBack = [], mayExceed } = charge;
  const owed = debt === 0 ? {} : { [debtIn(currency)]: debt };
  const areBonusesLeft = spent === 0 && !earned && totalAmount(takenBack) === 0;
  if (areBonusesLeft && debt === 0) return [];
  const key = clientBalancesKey(tenant, id);
  // Bonuses are taken back of a deleted client too: a restore would give them to spend again.
  const isOnlyTakenBack = debt === 0 && spent === 0 && !earned;
  // The document keeps what was owed before it.
  const guards = [
    ...(isOnlyTakenBack ? [] : [canChangeCounters(owed)]),
    equals(debtIn(currency), sums[debtIn(currency)]),
    ...(debt > 0 && !mayExceed ? [isWithinLimit(currency, sums[debtIn(currency)] + debt)] : []),
  ];
  const add = { ...owed, ...VERSION_INCREMENT };
  if (areBonusesLeft) return [update(key, { add }, { if: all(guards) })];
  const { bonuses, bonus_version } = sums;
  const after = bonusesAfter(bonuses[currency] ?? NO_BONUSES, charge, today);
  const changes = {
    set: { bonuses: { ...bonuses, [currency]: after }, bonus_version: bonus_version + 1 },
    add,
  };
  return [update(key, changes, { if: all([...guards, equals('bonus_version', bonus_version)]) })];
}

/**
 * Builds the write by which a client owes what a payment or a refund leaves. It asks for the debt and the
 * latest payment that were read, as the last day of payments rests on them. `Contention` if they have
 * changed, or if the client has been deleted.
 */
export function repaymentWrite(
  { tenant, id }: { readonly tenant: Tenant; readonly id: number },
  sums: ClientBalances,
  { debt, currency, paidAt }: Repayment,
): Write {
  const owed = { [debtIn(currency)]: debt };
  const latest = sums.debt_paid_at;
  const isLatest = latest === undefined ? absent('debt_paid_at') : equals('debt_paid_at', latest);
  const guards = [canChangeCounters(owed), equals(debtIn(currency), sums[debtIn(currency)]), isLatest];
  const set = paidAt === undefined ? {} : { debt_paid_at: Math.max(paidAt, latest ?? 0) };
  const add = { ...owed, ...VERSION_INCREMENT };
  return update(clientBalancesKey(tenant, id), { set, add }, { if: all(guards) });
}
