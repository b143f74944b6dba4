import { changedBy } from '#lib/cash/desk-money.ts';
import type { Moved } from '#lib/cash/transfer.ts';
import { type Charge, canOwe, hasBonus } from '#lib/clients/client-sums.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/counters.ts';
import { type Cents, type Currency, MOST_AMOUNT, PaymentType } from '#lib/values/money.ts';
import type { Problem, Problems } from '#lib/values/problems.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import type { Deal } from './deal.ts';
import type { SaleInput } from './input.ts';
import type { Payment } from './record.ts';

/** Checks that the payments make up the total, and that a debt or bonuses have a client. Decisions, 5. */
export function checkPayments(
  { transactions, client_id, due_date }: SaleInput,
  total: Cents,
  at: Instant,
  problems: Problems,
): void {
  const paid = transactions.reduce((sum, { amount }) => sum + amount, 0);
  if (total > MOST_AMOUNT) problems.add('products', 'sale.amount_too_large');
  else if (paid !== total) {
    problems.add('transactions', { key: 'sale.payments', with: { total: total / 100 } });
  }
  const types = new Set(transactions.map(({ payment_type }) => payment_type));
  if (types.has('debt') && client_id === null) problems.add('client_id', 'sale.debt_client');
  if (types.has('bonus') && client_id === null) problems.add('client_id', 'sale.bonus_client');
  if (types.has('debt') && due_date === null) problems.add('due_date', 'sale.debt_due_date');
  if (due_date !== null && due_date < dayOf(at)) problems.add('due_date', 'validation.past_date');
}

/** Checks that every payment can be taken, as `problemWith` says; one that can't goes to `problems`. */
export function checkSums(transactions: SaleInput['transactions'], deal: Deal, problems: Problems): void {
  for (const [index, payment] of transactions.entries()) {
    const problem = problemWith(payment, deal);
    if (problem) problems.add(`transactions.${index}.amount`, problem);
  }
}

/**
 * Finds what is wrong with a payment as the desk and the client stand: the desk would have more than an
 * amount may be, the client doesn't have the bonuses, or would owe too much. Decisions, 8.
 */
export function problemWith(
  { payment_type, amount }: SaleInput['transactions'][number],
  { desk, clientSums, pricing: { currency } }: Deal,
): Problem | undefined {
  if (payment_type === 'bonus') {
    return clientSums && !hasBonus(clientSums, amount) ? 'sale.bonus_short' : undefined;
  }
  const hasRoom =
    payment_type === 'debt'
      ? !clientSums || canOwe(clientSums, { bonus: 0, debt: amount, currency })
      : !desk || changedBy(desk.money, { payment_type, currency }, amount);
  return hasRoom ? undefined : BALANCE_TOO_LARGE;
}

/** Sums what payments take of the client's bonuses and leave as a debt. */
export function chargeOf(transactions: SaleInput['transactions'], currency: Currency): Charge {
  const paidBy = (type: 'bonus' | 'debt') =>
    transactions.find(({ payment_type }) => payment_type === type)?.amount ?? 0;
  return { bonus: paidBy('bonus'), debt: paidBy('debt'), currency };
}

/** Lists what payments bring into the desk, in their order. */
export function incomeOf(transactions: SaleInput['transactions'], currency: Currency): Moved[] {
  return transactions.flatMap(({ payment_type, amount }) => {
    const money = PaymentType.safeParse(payment_type).data;
    return money ? [{ type: 'income', payment_type: money, currency, amount }] : [];
  });
}

/** Makes the payments as the cheque keeps them, each with the transfer or the debt that it became. */
export function paymentsOf(
  transactions: SaleInput['transactions'],
  transfers: readonly { readonly id: number; readonly payment_type: PaymentType }[],
  debtId: number,
): Payment[] {
  const byType = new Map<string, number>(transfers.map(({ id, payment_type }) => [payment_type, id]));
  return transactions.map(({ payment_type, amount }) => ({
    payment_type,
    amount,
    transfer_id: byType.get(payment_type) ?? null,
    debt_id: payment_type === 'debt' ? debtId : null,
  }));
}
