import type { OpenDebt } from '#lib/clients/debt/open.ts';
import type { Cents, PaymentType } from '#lib/values/money.ts';

/** Money to pay debts with, by the way it is paid. */
export interface Tender {
  readonly payment_type: PaymentType;
  readonly amount: Cents;
}

/** So much of one debt that is paid in one way. */
export interface Portion extends Tender {
  readonly debt: OpenDebt;
  /** The place of its money in the body. */
  readonly index: number;
}

/**
 * Portions out money over debts in their order: the first is paid whole before the next, with the first money
 * before the next. So the portions are in the order of debts, then of the money, and all but one debt are
 * repaid. Decisions, 9 (52).
 */
export function portionsOf(debts: readonly OpenDebt[], tenders: readonly Tender[]): Portion[] {
  const portions: Portion[] = [];
  const waiting = debts.values();
  let { value: debt } = waiting.next();
  let paid = 0;
  for (const [index, { payment_type, amount }] of tenders.entries()) {
    for (let left = amount; debt && left > 0; ) {
      const part = Math.min(left, debt.remaining_amount - paid);
      portions.push({ debt, payment_type, amount: part, index });
      left -= part;
      paid += part;
      if (paid < debt.remaining_amount) continue;
      debt = waiting.next().value;
      paid = 0;
    }
  }
  return portions;
}
