import { canChangeDeposit, depositShortage } from '#lib/clients/balance-change.ts';
import type { ClientBalances } from '#lib/clients/client-balances.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import type { SaleReturn } from '#lib/trade/sale/returns-of.ts';
import type { MinorUnits } from '#lib/values/money.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { Purse } from './purse.ts';

/*
 * Money that came from a client's deposit goes back there: of each refund, after a credit company's bank
 * money, as much as is left of it. More may go there, less only with the right to pay out of deposits. Part
 * 5, 5A.6, 3.
 */

type Payouts = readonly Pick<SaleReturn['transactions'][number], 'payment_type' | 'amount'>[];

/** Computes the least amount of a refund for the deposit that the sale's money came from. */
export function leastDepositOf({ bank, own, deposit }: Purse, due: MinorUnits): MinorUnits {
  const afterBank = due - Math.min(due, bank ?? 0);
  return Math.max(0, Math.min(afterBank, own, deposit));
}

/** Validates payouts to a deposit: it needs a client, not deleted, and room. */
export function checkDeposited(
  { currency }: Pick<Sale, 'currency'>,
  clientSums: ClientBalances | undefined,
  payouts: Payouts,
  issues: ValidationIssues,
): void {
  for (const [index, { payment_type, amount: deposit }] of payouts.entries()) {
    if (payment_type !== 'deposit') continue;
    const path = `transactions.${index}`;
    if (!clientSums || clientSums.is_deleted)
      issues.add(`${path}.payment_type`, 'return.deposit_without_client');
    else if (!canChangeDeposit(clientSums, { deposit, currency })) {
      issues.add(`${path}.amount`, depositShortage(clientSums, { deposit, currency }));
    }
  }
}

/** Validates that the deposit gets at least its part; of a preview, that it can still get it. */
export function checkLeastDeposit(deposited: MinorUnits, least: MinorUnits, issues: ValidationIssues): void {
  if (deposited >= least) return;
  issues.add('transactions', { key: 'return.deposit_least', with: { least: least / 100 } });
}
