import { debts } from '#lib/clients/debt/record.ts';
import { recordKey } from '#lib/table/keys.ts';
import { debtPayments, type StoredDebtPayment } from '#lib/trade/debt-payment/record.ts';
import type { Direction } from '#lib/values/money.ts';
import { addTo, type Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import { agrees } from '../frame/ledger.ts';
import type { DebtBook } from './debts.ts';
import type { DeskBook } from './desks.ts';

/** When each client paid a debt last. */
export type LastPaid = ReadonlyMap<number, number>;

/**
 * Checks every debt payment, which is tied to its postings, and that those of a debt that count are what it
 * says is repaid.
 */
export async function checkDebtPayments(
  books: Books,
  { postings }: DeskBook,
  { repaid }: DebtBook,
): Promise<LastPaid> {
  const lastPaid = new Map<number, number>();
  const more = new Map(repaid);
  for await (const payment of everyOf(books.home, debtPayments)) {
    const { id, client_id, debt_id, amount, is_refunded, created_at } = payment;
    books.count('debt payments');
    lastPaid.set(client_id, Math.max(lastPaid.get(client_id) ?? 0, created_at));
    if (!is_refunded) addTo(more, debt_id, -amount);
    const keys = [recordKey(debtPayments.type, books.home, id)];
    const subject = { book: 'debt payments', subject: `payment ${id}`, keys };
    books.report(subject, tiePayment(postings, payment));
  }
  for (const [id, sum] of more) {
    const keys = [recordKey(debts.type, books.home, Number(id))];
    const subject = { book: 'debt payments', subject: `debt ${id}`, keys };
    if (sum !== 0) books.report(subject, [`says that ${sum} more is repaid than its payments come to`]);
  }
  return lastPaid;
}

function tiePayment(postings: DeskBook['postings'], payment: StoredDebtPayment): string[] {
  const { is_refunded, transfer_id, refund_transfer_id } = payment;
  const { id: source_id, payment_type, amount, currency, cashbox_id } = payment;
  const money = { payment_type, amount, currency, cashbox_id };
  const source = { source_type: 'debt_payment', source_id } as const;
  const tie = (type: Direction, id: number) => {
    const posting = postings.tie(id);
    if (agrees(posting, { type, ...money, ...source })) return [];
    return [`its ${type} is not what posting ${id} says: ${JSON.stringify(posting)}`];
  };
  return [
    ...tie('income', transfer_id),
    ...(refund_transfer_id === null ? [] : tie('outcome', refund_transfer_id)),
    ...(is_refunded === (refund_transfer_id !== null) ? [] : ['is refunded without a posting']),
  ];
}
