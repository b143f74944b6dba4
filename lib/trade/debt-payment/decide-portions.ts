import { type DeskState, refuseBank } from '#lib/cash/desk/read.ts';
import type { ClientBalances } from '#lib/clients/client-balances.ts';
import type { OpenDebt } from '#lib/clients/debt/open.ts';
import { type MinorUnits, totalAmount } from '#lib/values/money.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { type Portion, portionsOf } from './portions.ts';
import type { DebtPaymentInput } from './record.ts';

/** Limit of debts in one call, by its duration and response. */
const MAX_DEBTS = 300;

/** Data that the portions of a payment are decided by, as read. */
export interface PayerFacts {
  /** Undefined if it does not exist, or is not open to the caller. */
  readonly desk: DeskState | undefined;
  /** False if the payment is partly by bank, and the desk's company takes none. */
  readonly isBankTaken: boolean;
  /** Balances of the client; undefined without the client. */
  readonly sums: ClientBalances | undefined;
  /** Open debts within the caller's reach, in payment order. */
  readonly open: readonly OpenDebt[];
}

/** Valid portions of a payment, with its desk and client. */
export interface PortionsPlan {
  readonly desk: DeskState;
  readonly sums: ClientBalances;
  readonly portions: readonly Portion[];
}

/**
 * Decides which debts are paid by which payments. 422 with all failing fields, if the payment exceeds the
 * debts, and over the limit of debts in a call. Contract 9.52; Contract 9.81.
 */
export function decidePortions(
  { payments }: Pick<DebtPaymentInput, 'payments'>,
  { desk, isBankTaken, sums, open }: PayerFacts,
): PortionsPlan {
  const issues = new ValidationIssues();
  if (!desk) issues.add('cashbox_id', 'validation.not_found');
  else if (desk.type !== 'sale') issues.add('cashbox_id', 'debt_payment.cashbox_not_for_sales');
  if (!sums) issues.add('client_id', 'validation.not_found');
  if (!isBankTaken) refuseBank(payments, 'payments', issues);
  checkTotal(totalAmount(payments), open, issues.unless('client_id', 'payments'));
  if (!desk || !sums || issues.areAny) throw issues.refusal;
  return { desk, sums, portions: portionsOf(open, payments) };
}

function checkTotal(
  total: MinorUnits,
  open: readonly OpenDebt[],
  issues: Pick<ValidationIssues, 'add'>,
): void {
  const [remaining, max] = [sumOwed(open), sumOwed(open.slice(0, MAX_DEBTS))];
  if (total > remaining) {
    issues.add('payments', { key: 'debt_payment.too_much', with: { remaining: remaining / 100 } });
  } else if (total > max) {
    const limits = { max: MAX_DEBTS, amount: max / 100 };
    issues.add('payments', { key: 'debt_payment.too_many_debts', with: limits });
  }
}

function sumOwed(open: readonly OpenDebt[]): MinorUnits {
  return open.reduce((sum, { remaining_amount }) => sum + remaining_amount, 0);
}
