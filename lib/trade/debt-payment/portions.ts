import type { Maker } from '#lib/auth/actor.ts';
import { addToShift } from '#lib/cash/desk/movement.ts';
import { atDesk, type DeskState } from '#lib/cash/desk/read.ts';
import { type PostingResult, postAtDesk } from '#lib/cash/posting/make.ts';
import type { StoredPosting } from '#lib/cash/posting/record.ts';
import type { OpenDebt } from '#lib/clients/debt/open.ts';
import { type Currency, type MinorUnits, type PaymentType, totalAmount } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { StoredDebtPayment } from './record.ts';

/** Money to pay debts with, by the way it is paid. */
export interface Tender {
  readonly payment_type: PaymentType;
  readonly amount: MinorUnits;
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
 * repaid. Contract 9.52.
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

/** What all parts of a payment have in common, with the ids of the first: the others follow. */
interface Head extends Maker {
  readonly client_id: number;
  readonly currency: Currency;
  readonly paymentId: number;
  readonly postingId: number;
  readonly at: Instant;
}

/** Makes a payment and an income of each portion. 422 on what the desk has no room for. */
export function postPortions(
  desk: DeskState,
  portions: readonly Portion[],
  { client_id, currency, paymentId, postingId, at, ...maker }: Head,
): PostingResult & { readonly payments: readonly StoredDebtPayment[] } {
  const issues = new ValidationIssues();
  const postings: StoredPosting[] = [];
  let money = addToShift(desk.money, { debt: { currency, repaid: totalAmount(portions) } });
  const payments = portions.map(({ debt, payment_type, amount, index }, place): StoredDebtPayment => {
    const [id, transfer_id] = [paymentId + place, postingId + place];
    const source = { source_type: 'debt_payment', source_id: id, comment: null } as const;
    const path = `payments.${index}.amount`;
    const moved = { type: 'income', payment_type, currency, amount, path } as const;
    const occasion = { ...maker, ...source, at, firstId: transfer_id };
    const income = postAtDesk({ ...desk, money }, [moved], occasion, issues);
    money = income.money;
    postings.push(...income.postings);
    const own = {
      id,
      ...atDesk(desk),
      ...maker,
      client_id,
      debt_id: debt.id,
      payment_type,
      currency,
      amount,
    };
    const flags = { is_refunded: false, is_imported: false, refund_transfer_id: null };
    return { ...own, ...flags, transfer_id, created_at: at };
  });
  issues.throwIfAny();
  return { desk, payments, postings, money };
}
