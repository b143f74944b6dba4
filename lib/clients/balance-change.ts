import { BALANCE_TOO_LARGE, canChangeCounters, VERSION_INCREMENT } from '#lib/records/links/counters.ts';
import { update, type Write } from '#lib/table/change/write.ts';
import { absent, all, equals } from '#lib/table/expression.ts';
import type { Tenant } from '#lib/table/keys.ts';
import type { MessageDescriptor } from '#lib/values/message.ts';
import { type Currency, MAX_AMOUNT, type MinorUnits, totalAmount } from '#lib/values/money.ts';
import type { Day, Instant } from '#lib/values/time.ts';
import { type BonusChanges, bonusesAfter, NO_BONUSES, waitingSum } from './bonuses.ts';
import {
  bonusesIn,
  type ClientBalances,
  clientBalancesKey,
  debtIn,
  depositIn,
  hasDepositOf,
} from './client-balances.ts';
import { isWithinLimit } from './debt-limits.ts';

/** Change of a client's debt by a debt payment or a refund; negative for a payment. */
export interface Repayment {
  readonly debt: MinorUnits;
  /** Change of the deposit: spent on the debt, or refunded to it. */
  readonly deposit?: MinorUnits;
  readonly currency: Currency;
  /** Time of the payment; absent for a refund. */
  readonly paidAt?: Instant;
}

/** A document's changes of a client's bonuses and deposit, and the debt that it adds. Contract 5. */
export interface ClientBalanceChange extends BonusChanges {
  readonly debt: MinorUnits;
  /** Change of the deposit, in the same currency; negative if it is spent. */
  readonly deposit?: MinorUnits | undefined;
  readonly currency: Currency;
  /** Set if the debt may exceed the client's limit. */
  readonly mayExceed?: boolean;
}

/** Checks whether a client can spend the bonuses on a day. */
export function hasBonus(
  sums: ClientBalances,
  { spent, currency }: ClientBalanceChange,
  today: Day,
): boolean {
  return bonusesIn(sums, currency, today).spendable >= spent;
}

/** Checks whether a client's bonuses can grow by the earned amount. */
export function canEarn(sums: ClientBalances, change: ClientBalanceChange, today: Day): boolean {
  const after = bonusesAfter(sums.bonuses[change.currency] ?? NO_BONUSES, change, today);
  return after.spendable + waitingSum(after) <= MAX_AMOUNT;
}

/** Change of a client's deposit; negative if it falls. */
interface DepositChange {
  readonly deposit: MinorUnits;
  readonly currency: Currency;
}

/** Checks whether a client's deposit can change by an amount: never below zero, nor above the maximum. */
export function canChangeDeposit(sums: ClientBalances, { deposit, currency }: DepositChange): boolean {
  const after = sums[depositIn(currency)] + deposit;
  return !sums.is_deleted && after >= 0 && after <= MAX_AMOUNT;
}

/** Returns the reason why a deposit cannot change. */
export function depositShortage(
  sums: ClientBalances,
  { deposit, currency }: DepositChange,
): MessageDescriptor {
  const available = sums[depositIn(currency)] / 100;
  return deposit > 0 ? BALANCE_TOO_LARGE : { key: 'deposit.not_enough', with: { available } };
}

/** Checks whether a client's debt can grow by the change. */
export function canOwe(
  sums: ClientBalances,
  { debt, currency }: Pick<ClientBalanceChange, 'debt' | 'currency'>,
): boolean {
  return canChangeCounters({ [debtIn(currency)]: debt }).matches(sums);
}

/**
 * Builds the write of a balance change on a day, a single one, as an item may occur only once in a
 * transaction; none if nothing changes. `Contention` if the debt would exceed the maximum or the limit, if
 * bonuses or debt have changed since the read, or if the client has been deleted: a deleted client's bonuses
 * can only be taken back.
 */
export function balanceChangeWrites(
  { tenant, id }: { readonly tenant: Tenant; readonly id: number },
  sums: ClientBalances,
  change: ClientBalanceChange,
  today: Day,
): Write[] {
  const { debt, deposit = 0, currency, spent, earned, takenBack = [], mayExceed } = change;
  const owed = debt === 0 ? {} : { [debtIn(currency)]: debt };
  const areBonusesUnchanged = spent === 0 && !earned && totalAmount(takenBack) === 0;
  if (areBonusesUnchanged && debt === 0 && deposit === 0) return [];
  const key = clientBalancesKey(tenant, id);
  // Bonuses are taken back from a deleted client too: a restore would make them spendable again.
  const isOnlyTakenBack = debt === 0 && deposit === 0 && spent === 0 && !earned;
  // Unchanged since the read, because the document records the debt before it.
  const guards = [
    ...(isOnlyTakenBack ? [] : [canChangeCounters(owed)]),
    equals(debtIn(currency), sums[debtIn(currency)]),
    ...(debt > 0 && !mayExceed ? [isWithinLimit(currency, sums[debtIn(currency)] + debt)] : []),
    ...(deposit === 0 ? [] : [hasDepositOf(currency, sums[depositIn(currency)])]),
  ];
  const add = { ...owed, ...depositAdded(currency, deposit), ...VERSION_INCREMENT };
  if (areBonusesUnchanged) return [update(key, { add }, { if: all(guards) })];
  const { bonuses, bonus_version } = sums;
  const after = bonusesAfter(bonuses[currency] ?? NO_BONUSES, change, today);
  const changes = {
    set: { bonuses: { ...bonuses, [currency]: after }, bonus_version: bonus_version + 1 },
    add,
  };
  return [update(key, changes, { if: all([...guards, equals('bonus_version', bonus_version)]) })];
}

/**
 * Builds the write of a client's debt after a payment or a refund. It is conditional on the debt and the
 * latest payment as read, on which the last payment day is based. `Contention` if they have changed, or if
 * the client has been deleted.
 */
export function repaymentWrite(
  { tenant, id }: { readonly tenant: Tenant; readonly id: number },
  sums: ClientBalances,
  { debt, deposit = 0, currency, paidAt }: Repayment,
): Write {
  const owed = { [debtIn(currency)]: debt };
  const latest = sums.debt_paid_at;
  const isLatest = latest === undefined ? absent('debt_paid_at') : equals('debt_paid_at', latest);
  const guards = [
    canChangeCounters(owed),
    equals(debtIn(currency), sums[debtIn(currency)]),
    ...(deposit === 0 ? [] : [hasDepositOf(currency, sums[depositIn(currency)])]),
    isLatest,
  ];
  const set = paidAt === undefined ? {} : { debt_paid_at: Math.max(paidAt, latest ?? 0) };
  const add = { ...owed, ...depositAdded(currency, deposit), ...VERSION_INCREMENT };
  return update(clientBalancesKey(tenant, id), { set, add }, { if: all(guards) });
}

function depositAdded(currency: Currency, deposit: MinorUnits): Record<string, MinorUnits> {
  return deposit === 0 ? {} : { [depositIn(currency)]: deposit };
}
