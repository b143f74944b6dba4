import type { RequestedMovement } from '#lib/cash/posting/make.ts';
import type { StoredPosting } from '#lib/cash/posting/record.ts';
import type { Payment, StoredSale } from '#lib/trade/sale/record.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { type MinorUnits, PaymentType, totalAmount } from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { SaleTenderInput, StoredSaleTender } from './record.ts';

type Sums = StoredSaleTender['before'];

/**
 * Requires a sale whose payment types can be corrected: not on credit, without returns, foreign cash, change
 * or a fiscal receipt. 400 otherwise. Part 5, 5A.8, 2.
 */
export function requireCorrectable(sale: StoredSale): void {
  const { source_type, status, currency, transactions, change_amount = 0, fiscal = null } = sale;
  if (source_type !== 'native') throw badRequest('sale_tender.of_credit');
  if (status !== 'completed') throw badRequest('sale_tender.returned');
  const isForeign = transactions.some((paid) => paid.currency !== currency);
  if (isForeign || change_amount > 0) throw badRequest('sale_tender.foreign');
  if (fiscal !== null) throw badRequest('sale_tender.fiscalized');
}

/**
 * Requires that the shift of a sale is open; without one, that it is the day of the sale. 400 otherwise. Part
 * 5, 5A.8, 2.
 */
export function requireSameShift(
  { shift_id = null, sold_at }: Pick<StoredSale, 'shift_id' | 'sold_at'>,
  openShiftId: number | undefined,
  at: Instant,
): void {
  if (shift_id !== null && shift_id !== openShiftId) throw badRequest('sale_tender.shift_closed');
  if (shift_id === null && dayOf(sold_at) !== dayOf(at)) throw badRequest('sale_tender.not_today');
}

/** Lists the money of a sale by payment type. */
export function moneyOf({ transactions }: Pick<StoredSale, 'transactions'>): Sums {
  return transactions.flatMap(({ payment_type, amount }) => {
    const money = PaymentType.safeParse(payment_type).data;
    return money ? [{ payment_type: money, amount }] : [];
  });
}

/**
 * Decides the movements of a correction: the desk pays out of each payment type that has lost, then takes
 * in by each that has gained. Sums that differ in total, or not at all, and bank payments that are not taken
 * go to `issues`.
 */
export function decideMoves(
  { currency, ...sale }: Pick<StoredSale, 'currency' | 'transactions'>,
  requested: SaleTenderInput['transactions'],
  issues: ValidationIssues,
): RequestedMovement[] {
  const before = moneyOf(sale);
  const total = totalAmount(before);
  if (totalAmount(requested) !== total) {
    issues.add('transactions', { key: 'sale.payments_differ', with: { total: total / 100 } });
  }
  const changes = PaymentType.options.map((payment_type) => {
    return { payment_type, change: sumOf(requested, payment_type) - sumOf(before, payment_type) };
  });
  if (changes.every(({ change }) => change === 0)) issues.add('transactions', 'sale_tender.unchanged');
  const movesOf = (type: 'income' | 'outcome', sign: 1 | -1) =>
    changes
      .filter(({ change }) => sign * change > 0)
      .map(({ payment_type, change }) => {
        return { type, payment_type, currency, amount: sign * change, path: 'transactions' };
      });
  return [...movesOf('outcome', -1), ...movesOf('income', 1)];
}

/**
 * Returns the payments of a sale after a correction: money as requested, each with the posting that first
 * brought it, and debt and bonuses as they were.
 */
export function paymentsAfter(
  { transactions, currency }: Pick<StoredSale, 'transactions' | 'currency'>,
  requested: SaleTenderInput['transactions'],
  postings: readonly StoredPosting[],
): Payment[] {
  const money = requested.map(({ payment_type, amount }): Payment => {
    const before = transactions.find((paid) => paid.payment_type === payment_type);
    const posting = postings.find((made) => made.payment_type === payment_type);
    const transfer_id = before?.transfer_id ?? posting?.id ?? null;
    return { payment_type, amount, currency, counted_amount: amount, transfer_id, debt_id: null };
  });
  const others = transactions.filter(({ payment_type }) => !PaymentType.safeParse(payment_type).success);
  return [...money, ...others];
}

function sumOf(sums: SaleTenderInput['transactions'], way: PaymentType): MinorUnits {
  return totalAmount(sums.filter(({ payment_type }) => payment_type === way));
}
