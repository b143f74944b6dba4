import type { MoneyDesk } from '#lib/cash/desk/money.ts';
import { addToShift } from '#lib/cash/desk/movement.ts';
import { type Occasion, type Posted, postAt } from '#lib/cash/posting/make.ts';
import { amountPaidBy, type Sale } from '#lib/trade/sale/record.ts';
import type { SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { type Currency, totalAmount } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import type { Allotment } from './allot.ts';
import type { ReturnInput } from './input.ts';

/** A payment to the customer. */
export type Payout = Omit<ReturnInput['transactions'][number], 'payment_type_id'> & {
  readonly payment_type_id?: number | null;
};

/** Payouts that were made: the postings, and what the desk has after them. */
export interface PaidOut extends Posted {
  readonly transactions: SaleReturn['transactions'];
}

/**
 * Checks that payouts make up what is due, and for a credit sale that they go back as they came: by bank as
 * far as money came by bank, the rest in cash. Decisions, 9 (27).
 */
export function checkPayout(
  sale: Sale,
  { due, passedOn }: Allotment,
  payouts: readonly Payout[],
  problems: Problems,
): void {
  if (totalAmount(payouts) !== due) {
    problems.add('transactions', { key: 'return.payments_differ', with: { total: due / 100 } });
  }
  if (sale.source_type !== 'credit') return;
  const used = sale.paid_out_amount + sale.passed_on_amount + passedOn;
  const came = amountPaidBy('bank', sale.transactions);
  const bank = Math.min(due, Math.max(0, came - used));
  if (amountPaidBy('bank', payouts) === bank && amountPaidBy('cash', payouts) === due - bank) return;
  const what = { bank: bank / 100, cash: (due - bank) / 100 };
  problems.add('transactions', { key: 'return.credit_payments_differ', with: what });
}

/** Pays for a return out of a desk's money. A desk with too little goes to `problems`. */
export function payOut(
  desk: MoneyDesk,
  { payouts, currency }: { readonly payouts: readonly Payout[]; readonly currency: Currency },
  occasion: Omit<Occasion, 'source_type'>,
  problems: Problems,
): PaidOut {
  const moves = payouts.map(({ payment_type, amount }, index) => {
    return { type: 'outcome', payment_type, currency, amount, path: `transactions.${index}.amount` } as const;
  });
  const transactions = payouts.map(({ payment_type, payment_type_id = null, amount }, index) => {
    return { payment_type, payment_type_id, amount, transfer_id: occasion.firstId + index };
  });
  const before = addToShift(desk.money, { returns: 1 });
  const source = { ...occasion, source_type: 'sale_return' } as const;
  return {
    ...postAt({ ...desk, money: before }, moves, source, problems.unless('transactions')),
    transactions,
  };
}
