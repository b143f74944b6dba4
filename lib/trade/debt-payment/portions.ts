import type { Maker } from '#lib/auth/actor.ts';
import { addToShift } from '#lib/cash/desk/movement.ts';
import { atDesk, type DeskState } from '#lib/cash/desk/read.ts';
import { type PostingResult, postAtDesk } from '#lib/cash/posting/make.ts';
import type { StoredPosting } from '#lib/cash/posting/record.ts';
import { canChangeDeposit, depositShortage } from '#lib/clients/balance-change.ts';
import { type ClientBalances, depositIn } from '#lib/clients/client-balances.ts';
import type { OpenDebt } from '#lib/clients/debt/open.ts';
import { type DepositEntry, newEntry } from '#lib/clients/deposit/record.ts';
import {
  type Currency,
  type MinorUnits,
  PaymentType,
  type ReceivedPayment,
  totalAmount,
} from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { StoredDebtPayment } from './record.ts';

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

/** Common fields of a payment's parts, with the first of their consecutive ids. */
interface Head extends Maker {
  readonly client_id: number;
  readonly currency: Currency;
  readonly paymentId: number;
  readonly postingId: number;
  readonly entryId: number;
  /** Balances of the client. */
  readonly sums: ClientBalances;
  readonly at: Instant;
}

/** Posted portions, with the entries of those by deposit. */
interface PostedPortions extends PostingResult {
  readonly payments: readonly StoredDebtPayment[];
  readonly entries: readonly DepositEntry[];
}

/** Selects the portions paid from the client's deposit; the others are paid with money. */
export function byDeposit(portions: readonly Portion[]): Portion[] {
  return portions.filter(({ payment_type }) => payment_type === 'deposit');
}

/**
 * Builds a payment for each portion, with an income of the desk, or an entry of the deposit. 422 on a payment
 * that would exceed a limit of the desk, and on one of more than the deposit.
 */
export function postPortions(
  desk: DeskState,
  portions: readonly Portion[],
  { client_id, currency, paymentId, postingId, entryId, sums, at, ...maker }: Head,
): PostedPortions {
  const issues = new ValidationIssues();
  const postings: StoredPosting[] = [];
  const entries: DepositEntry[] = [];
  const spent = totalAmount(byDeposit(portions));
  checkDeposit(sums, { deposit: -spent, currency }, portions, issues);
  let money = addToShift(desk.money, { debt: { currency, repaid: totalAmount(portions), spent } });
  let left = sums;
  const payments = portions.map(({ debt, payment_type, amount, index }, place): StoredDebtPayment => {
    const id = paymentId + place;
    const method = PaymentType.safeParse(payment_type).data;
    const transfer_id = method ? postingId + postings.length : null;
    if (transfer_id !== null && method) {
      const source = { source_type: 'debt_payment', source_id: id, comment: null } as const;
      const path = `payments.${index}.amount`;
      const moved = { type: 'income', payment_type: method, currency, amount, path } as const;
      const occasion = { ...maker, ...source, at, firstId: transfer_id };
      const income = postAtDesk({ ...desk, money }, [moved], occasion, issues);
      money = income.money;
      postings.push(...income.postings);
    } else {
      const made = { id: entryId + entries.length, type: 'debt_payment', source_id: id } as const;
      const whose = { client_id, ...atDesk(desk), ...maker, currency, created_at: at };
      const entry = newEntry(left, { ...made, ...whose, amount: -amount });
      left = { ...left, [depositIn(currency)]: entry.balance_after };
      entries.push(entry);
    }
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
  return { desk, payments, postings, entries, money };
}

/** Validates that the deposit suffices: an issue on the payment by it otherwise. */
function checkDeposit(
  sums: ClientBalances,
  change: { readonly deposit: MinorUnits; readonly currency: Currency },
  portions: readonly Portion[],
  issues: ValidationIssues,
): void {
  const [first] = byDeposit(portions);
  if (!first || canChangeDeposit(sums, change)) return;
  issues.add(`payments.${first.index}.amount`, depositShortage(sums, change));
}
