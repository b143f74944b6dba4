import type { Currency, MinorUnits } from '#lib/values/money.ts';
import type { ValidationIssue, ValidationIssues } from '#lib/values/validation-issues.ts';
import type { Payment } from './record.ts';

/*
 * Cash as handed over: it is kept with its change for the receipt, and moves nothing. The desk takes the
 * amount of the payment alone. Part 5, 5B.6.
 */

/** Payment of a body, with the cash that was handed over for it, if it names that. */
interface Tendered extends Pick<Payment, 'payment_type' | 'amount'> {
  /** That of the document if null. */
  readonly currency: Currency | null;
  readonly tendered_amount?: MinorUnits | null | undefined;
}

/** Validates the cash handed over for payments: cash in the currency of the document, and enough of it. */
export function checkTendered(payments: readonly Tendered[], own: Currency, issues: ValidationIssues): void {
  refuseTendered(payments, issues, ({ payment_type, amount, currency }, tendered) => {
    if (payment_type !== 'cash' || (currency ?? own) !== own) return 'sale.tendered_not_cash';
    return issueOfTendered(amount, tendered);
  });
}

/** Returns the issue of cash handed over for an amount: none is due, or it is too little. */
export function issueOfTendered(amount: MinorUnits, tendered: MinorUnits): ValidationIssue | undefined {
  if (amount === 0) return 'sale.tendered_not_cash';
  if (tendered >= amount) return undefined;
  return { key: 'sale.tendered_too_little', with: { amount: amount / 100 } };
}

/** Refuses cash handed over beside change in the document: there is one change, not two. */
export function refuseTenderedBesideChange(payments: readonly Tendered[], issues: ValidationIssues): void {
  refuseTendered(payments, issues, () => 'sale.tendered_beside_change');
}

/** Refuses cash handed over in payouts: the desk hands that over itself. */
export function refuseTenderedPayouts(payouts: readonly Tendered[], issues: ValidationIssues): void {
  refuseTendered(payouts, issues, () => 'exchange.tendered_payout');
}

function refuseTendered(
  payments: readonly Tendered[],
  issues: ValidationIssues,
  issueOf: (payment: Tendered, tendered: MinorUnits) => ValidationIssue | undefined,
): void {
  for (const [index, payment] of payments.entries()) {
    const issue = payment.tendered_amount && issueOf(payment, payment.tendered_amount);
    if (issue) issues.add(`transactions.${index}.tendered_amount`, issue);
  }
}

/** Returns the fields of a payment with cash handed over; none without it. */
export function tenderFields(
  amount: MinorUnits,
  tendered_amount: MinorUnits | null = null,
): Pick<Payment, 'tendered_amount' | 'cash_change'> {
  return tendered_amount === null ? {} : { tendered_amount, cash_change: tendered_amount - amount };
}
