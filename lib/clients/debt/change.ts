import { documentInsertion, documentReplacement } from '#lib/records/documents.ts';
import type { Stored } from '#lib/records/stored.ts';
import { check, type Write } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import type { MinorUnits } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { openDebtWrites } from './open.ts';
import { debts, remainderOf, type StoredDebt } from './record.ts';

/** A document's changes of a debt; `repaid` is negative for a refund. */
interface DebtChanges {
  readonly repaid?: MinorUnits;
  readonly returned?: MinorUnits;
}

/** Builds the writes of a new debt, unpaid. */
export function newDebtWrites(
  tenant: Tenant,
  debt: Omit<StoredDebt, 'repaid_amount' | 'returned_amount' | 'status'>,
): Write[] {
  const made = { ...debt, repaid_amount: 0, returned_amount: 0, status: 'not_repaid' } as const;
  return [documentInsertion(debts, tenant, made), ...openDebtWrites(tenant, undefined, made)];
}

/** Computes a debt after a change, with the status by its remainder. Contract 9.53. */
export function debtAfter(
  before: StoredDebt,
  { repaid = 0, returned = 0 }: DebtChanges,
  updated_at: Instant,
): StoredDebt {
  const repaid_amount = before.repaid_amount + repaid;
  const returned_amount = before.returned_amount + returned;
  const after = { ...before, repaid_amount, returned_amount, updated_at };
  return { ...after, status: statusOf(after) };
}

/** Builds the writes of a debt after a change. `Contention` if it has changed since the read. */
export function debtWrites(tenant: Tenant, before: Stored<typeof debts.schema>, after: StoredDebt): Write[] {
  return [...documentReplacement(debts, tenant, before, after), ...openDebtWrites(tenant, before, after)];
}

/**
 * Builds the writes by which a return closes a part of a debt. The return depends on the repaid amount even
 * if it closes nothing: it then only requires that the debt is unchanged.
 */
export function closingWrites(
  tenant: Tenant,
  before: Stored<typeof debts.schema>,
  returned: MinorUnits,
  at: Instant,
): Write[] {
  if (returned > 0) return debtWrites(tenant, before, debtAfter(before, { returned }, at));
  return [check(recordKey(debts.type, tenant, before.id), { if: equals('version', before.version) })];
}

function statusOf(debt: StoredDebt): StoredDebt['status'] {
  if (remainderOf(debt) === 0) return 'repaid';
  return debt.repaid_amount > 0 ? 'partially_repaid' : 'not_repaid';
}
