import { isDeepStrictEqual } from 'node:util';
import { OpenDebt, openDebtKey, openDebtOf, openDebtsOf } from '#lib/clients/debt/open.ts';
import { debts, remainderOf, type StoredDebt } from '#lib/clients/debt/record.ts';
import { recordKey } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/get.ts';
import { debtPayments, type StoredDebtPayment } from '#lib/trade/debt-payment/record.ts';
import type { Direction } from '#lib/values/money.ts';
import { addTo, type Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import { agrees } from '../frame/ledger.ts';

/** What debts and their payments leave to clients. */
export interface DebtSums {
  /** What is left of debts, by client and currency. */
  readonly left: ReadonlyMap<string, number>;
  /** When each client paid a debt last. */
  readonly lastPaid: ReadonlyMap<number, number>;
}

/** Posts every debt, and checks that a client's open debts are those of which something is left. */
export async function readDebts(books: Books): Promise<DebtSums> {
  const [left, repaid] = [new Map<string, number>(), new Map<string, number>()];
  const byPlace = new Map<string, StoredDebt[]>();
  for await (const debt of everyOf(books.home, debts)) {
    const { id, client_id, sale_id, currency, amount, repaid_amount, returned_amount } = debt;
    books.count('debts');
    books.debts.post(id, { client_id, sale_id, currency, amount, repaid_amount, returned_amount });
    addTo(left, `${client_id} ${currency}`, remainderOf(debt));
    addTo(repaid, id, repaid_amount);
    const place = openDebtsOf(books.home, client_id, currency);
    const theirs = byPlace.get(place);
    if (theirs) theirs.push(debt);
    else byPlace.set(place, [debt]);
  }
  for (const [place, theirs] of byPlace) await checkOpenDebts(books, place, theirs);
  return { left, lastPaid: await checkDebtPayments(books, repaid) };
}

async function checkOpenDebts(books: Books, place: string, theirs: readonly StoredDebt[]): Promise<void> {
  const items = await wholePartition(place);
  const open = new Map(items.map((item) => [String(item['sk']), OpenDebt.parse(item)]));
  for (const debt of theirs.filter((each) => remainderOf(each) > 0)) {
    const key = openDebtKey(books.home, debt);
    const keys = [key, recordKey(debts.type, books.home, debt.id)];
    books.report({ book: 'debts', subject: place, keys }, openDebtFaults(debt, open.get(key.sk)));
    open.delete(key.sk);
  }
  for (const sk of open.keys()) {
    const subject = { book: 'debts', subject: place, keys: [{ pk: place, sk }] };
    books.report(subject, [`has an open debt that is ${sk}, of no debt that is left`]);
  }
}

function openDebtFaults(debt: StoredDebt, open: OpenDebt | undefined): string[] {
  if (!open) return [`has no open debt of debt ${debt.id}`];
  if (isDeepStrictEqual(open, openDebtOf(debt))) return [];
  return [`has an open debt that is not that of debt ${debt.id}`];
}

/**
 * Checks every debt payment, which is tied to its postings, and that those of a debt that count are what it
 * says is repaid. Answers with when each client paid last.
 */
async function checkDebtPayments(
  books: Books,
  repaid: ReadonlyMap<string, number>,
): Promise<DebtSums['lastPaid']> {
  const lastPaid = new Map<number, number>();
  const more = new Map(repaid);
  for await (const payment of everyOf(books.home, debtPayments)) {
    const { id, client_id, debt_id, amount, is_refunded, created_at } = payment;
    books.count('debt payments');
    lastPaid.set(client_id, Math.max(lastPaid.get(client_id) ?? 0, created_at));
    if (!is_refunded) addTo(more, debt_id, -amount);
    const keys = [recordKey(debtPayments.type, books.home, id)];
    const subject = { book: 'debt payments', subject: `payment ${id}`, keys };
    books.report(subject, tiePayment(books, payment));
  }
  for (const [id, sum] of more) {
    const keys = [recordKey(debts.type, books.home, Number(id))];
    const subject = { book: 'debt payments', subject: `debt ${id}`, keys };
    if (sum !== 0) books.report(subject, [`says that ${sum} more is repaid than its payments come to`]);
  }
  return lastPaid;
}

function tiePayment({ postings }: Books, payment: StoredDebtPayment): string[] {
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
