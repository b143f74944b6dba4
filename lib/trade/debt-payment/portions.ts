import type { OpenDebt } from '#lib/clients/debt/open.ts';
import type { MinorUnits, ReceivedPayment } from '#lib/values/money.ts';

/** Money of one payment type, or the client's deposit, to pay debts with. */
export interface Tender {
  readonly payment_type: ReceivedPayment;
  readonly amount: MinorUnits;
}

/** Portion of one debt paid by one payment type. */
export interface Portion extends Tender {
  readonly debt: OpenDebt;
  /** Index of its payment in the body. */
  readonly index: number;
}

/**
 * Distributes money over debts in order: each debt is paid in full before the next, and each payment used up
 * before the next. The portions are thus ordered by debt, then by payment, and all debts but one are repaid.
 * Contract 9.52.
 */
export function portionsOf(debts: readonly OpenDebt[], tenders: readonly Tender[]): Portion[] {
  const portions: Portion[] = [];
  const remaining = debts.values();
  let { value: debt } = remaining.next();
  let paid = 0;
  for (const [index, { payment_type, amount }] of tenders.entries()) {
    for (let left = amount; debt && left > 0; ) {
      const part = Math.min(left, debt.remaining_amount - paid);
      portions.push({ debt, payment_type, amount: part, index });
      left -= part;
      paid += part;
      if (paid < debt.remaining_amount) continue;
      debt = remaining.next().value;
      paid = 0;
    }
  }
  return portions;
}

/** Selects the portions paid from the client's deposit; the others are paid with money. */
export function byDeposit<P extends Tender>(portions: readonly P[]): P[] {
  return portions.filter(({ payment_type }) => payment_type === 'deposit');
}
