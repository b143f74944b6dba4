import * as z from 'zod';
import type { MoneyDesk } from '#lib/cash/desk/money.ts';
import { addToShift } from '#lib/cash/desk/movement.ts';
import { type Posted, postAt } from '#lib/cash/posting/make.ts';
import type { ChequeHead } from '#lib/trade/sale/basis.ts';
import { amountPaidBy, type Sale } from '#lib/trade/sale/record.ts';
import type { SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { orNull } from '#lib/values/fields.ts';
import { amount, PaymentType, totalAmount } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import type { Allotment } from './allot.ts';

/** A payment to the customer. */
export const Payout = z.object({
  payment_type: PaymentType,
  payment_type_id: orNull(z.int()),
  amount: amount(0.01),
});

export type Payout = z.output<typeof Payout>;

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

/** Pays for a return of a cheque out of a desk's money. A desk with too little goes to `problems`. */
export function payOut(
  desk: MoneyDesk,
  payouts: readonly Payout[],
  {
    sale,
    maker,
    comment,
    at,
    firstId,
  }: Pick<ChequeHead, 'maker' | 'comment' | 'at'> & {
    readonly sale: Sale;
    readonly firstId: number;
  },
  problems: Problems,
): PaidOut {
  const { currency, id: source_id } = sale;
  const moves = payouts.map(({ payment_type, amount }, index) => {
    return { type: 'outcome', payment_type, currency, amount, path: `transactions.${index}.amount` } as const;
  });
  const occasion = { ...maker, source_type: 'sale_return', source_id, comment, at, firstId } as const;
  const money = addToShift(desk.money, { returns: 1 });
  return {
    ...postAt({ ...desk, money }, moves, occasion, problems.unless('transactions')),
    transactions: payouts.map((payout, index) => ({ ...payout, transfer_id: firstId + index })),
  };
}
