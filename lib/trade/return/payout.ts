import * as z from 'zod';
import type { MoneyDesk } from '#lib/cash/desk/money.ts';
import { addToShift } from '#lib/cash/desk/movement.ts';
import { type PostingResult, postAtDesk } from '#lib/cash/posting/make.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import type { SaleReturn } from '#lib/trade/sale/returns-of.ts';
import type { SaleHeader } from '#lib/trade/sale/sale-context.ts';
import { orNull } from '#lib/values/fields.ts';
import { amount, Currency, PaymentType } from '#lib/values/money.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';

/** Payment to the customer. */
export const Payout = z.object({
  payment_type: PaymentType,
  payment_type_id: orNull(z.int()),
  amount: amount(0.01),
  /** The sale's if absent; cash may be refunded in the currency of its receipt. Part 4, 4.6, 1. */
  currency: orNull(Currency),
});

export type Payout = z.output<typeof Payout>;

/** Payout with its value in the sale's currency. */
export type CountedPayout = Omit<SaleReturn['transactions'][number], 'transfer_id'>;

/** Completed payouts: the postings, and the desk's money after them. */
export interface PaidOut extends PostingResult {
  readonly transactions: SaleReturn['transactions'];
}

/** Pays for a return out of a desk's money. Insufficient money goes to `issues`. */
export function payOut(
  desk: MoneyDesk,
  payouts: readonly CountedPayout[],
  {
    sale,
    maker,
    comment,
    at,
    firstId,
  }: Pick<SaleHeader, 'maker' | 'comment' | 'at'> & {
    readonly sale: Sale;
    readonly firstId: number;
  },
  issues: ValidationIssues,
): PaidOut {
  const moves = payouts.map(({ payment_type, currency, amount }, index) => {
    return { type: 'outcome', payment_type, currency, amount, path: `transactions.${index}.amount` } as const;
  });
  const source = { source_type: 'sale_return', source_id: sale.id } as const;
  const occasion = { ...maker, ...source, comment, at, firstId };
  const money = addToShift(desk.money, { returns: 1 });
  return {
    ...postAtDesk({ ...desk, money }, moves, occasion, issues.unless('transactions')),
    transactions: payouts.map((payout, index) => ({ ...payout, transfer_id: firstId + index })),
  };
}
