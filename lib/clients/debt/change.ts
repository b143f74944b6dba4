import { documentInsertion, documentReplacement } from '#lib/records/documents.ts';
import type { Stored } from '#lib/records/stored.ts';
import { check, type Write } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import type { MinorUnits } from '#lib/values/money.ts';
import { type Day, endOfDay, type Instant } from '#lib/values/time.ts';
import { openDebtWrites } from './open.ts';
import { debts, remainderOf, type StoredDebt } from './record.ts';

/** A document's changes of a debt; below zero are a refund, and a reversed or returned write-off. */
interface DebtChanges {
  readonly repaid?: MinorUnits;
  /** Part of `repaid` from the client's deposit. */
  readonly byDeposit?: MinorUnits;
  readonly returned?: MinorUnits;
  readonly writtenOff?: MinorUnits;
}

/** A new debt without payments, returns and write-offs. */
type NewDebt = Omit<StoredDebt, 'repaid_amount' | 'returned_amount' | 'status'>;

/** Returns a new debt, of which all is left. */
export function unpaid(debt: NewDebt): StoredDebt {
  return { ...debt, repaid_amount: 0, returned_amount: 0, status: 'not_repaid' };
}

/** Builds the writes of a new debt, unpaid. */
export function newDebtWrites(tenant: Tenant, debt: NewDebt): Write[] {
  const made = unpaid(debt);
  return [documentInsertion(debts, tenant, made), ...openDebtWrites(tenant, undefined, made)];
}

/** Returns the due time of a debt: the last second of its day. */
export function dueAtEndOf(day: Day): Instant {
  return endOfDay(day) - 1000;
}

/** Computes a debt after a change, with the status by its remainder. Contract 9.53; Part 5, 5A.7, 3. */
export function debtAfter(
  before: StoredDebt,
  { repaid = 0, byDeposit = 0, returned = 0, writtenOff = 0 }: DebtChanges,
  updated_at: Instant,
): StoredDebt {
  const repaid_amount = before.repaid_amount + repaid;
  const returned_amount = before.returned_amount + returned;
  const written_off_amount = (before.written_off_amount ?? 0) + writtenOff;
  const sums = { repaid_amount, returned_amount, written_off_amount };
  const repaid_by_deposit = (before.repaid_by_deposit ?? 0) + byDeposit;
  const after = { ...before, ...sums, ...(byDeposit !== 0 && { repaid_by_deposit }), updated_at };
  return { ...after, status: statusOf(after) };
}

/** Builds the writes of a debt after a change. `Contention` if it has changed since the read. */
export function debtWrites(tenant: Tenant, before: Stored<typeof debts.schema>, after: StoredDebt): Write[] {
  return [...documentReplacement(debts, tenant, before, after), ...openDebtWrites(tenant, before, after)];
}

/** Parts of a debt that a return closes: still owed, and written off. Part 5, 5A.7, 4. */
export interface DebtClosing {
  readonly owed: MinorUnits;
  readonly writtenOff: MinorUnits;
}

/**
 * Builds the writes by which a return closes a part of a debt. The return depends on the repaid amount even
 * if it closes nothing: it then only requires that the debt is unchanged.
 */
export function closingWrites(
  tenant: Tenant,
  before: Stored<typeof debts.schema>,
  { owed, writtenOff }: DebtClosing,
  at: Instant,
): Write[] {
  const returned = owed + writtenOff;
  if (returned > 0) {
    return debtWrites(tenant, before, debtAfter(before, { returned, writtenOff: -writtenOff }, at));
  }
  return [check(recordKey(debts.type, tenant, before.id), { if: equals('version', before.version) })];
}

function statusOf(debt: StoredDebt): StoredDebt['status'] {
  if (remainderOf(debt) === 0) return (debt.written_off_amount ?? 0) > 0 ? 'written_off' : 'repaid';
  return debt.repaid_amount > 0 ? 'partially_repaid' : 'not_repaid';
}
