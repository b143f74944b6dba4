import { isDeepStrictEqual } from 'node:util';
import { NO_BONUSES, waitingSum } from '#lib/clients/bonuses.ts';
import { clients } from '#lib/clients/client.ts';
import { ClientBalances, debtIn, depositIn, limitIn } from '#lib/clients/client-balances.ts';
import { OpenDebt, openDebtKey, openDebtOf, openDebtsOf } from '#lib/clients/debt/open.ts';
import { debts, remainderOf, type StoredDebt } from '#lib/clients/debt/record.ts';
import type { DebtLimits } from '#lib/clients/debt-limits.ts';
import type { Item } from '#lib/table/client.ts';
import { recordKey } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { debtPayments, type StoredDebtPayment } from '#lib/trade/debt-payment/record.ts';
import { Currency, type Direction, PaymentType } from '#lib/values/money.ts';
import type { Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import { faultUnless, NamedSums } from '../frame/ledger.ts';
import { checkOwners, type Owners } from '../frame/owners.ts';
import { addUpDebts, DEBTS_REPORT } from '../reports/debts.ts';
import { askReport } from '../reports/frame.ts';
import { checkWriteOffs } from './debt-write-offs.ts';

/**
 * Posts every debt, and checks that a client's open debts are the unpaid ones. Returns the outstanding
 * amounts by client and currency, and each client's latest payment.
 */
export async function readDebts(books: Books) {
  const [left, repaid, byDeposit] = [new NamedSums(), new NamedSums(), new NamedSums()];
  const all: StoredDebt[] = [];
  const checkReport = await askReport(books, DEBTS_REPORT);
  for await (const debt of everyOf(books.tenant, debts)) {
    books.count('debts');
    // An opening debt is its own document.
    if (debt.sale_id !== null) books.debts.post(debt.id, debt);
    left.add(`${debt.client_id} ${debt.currency}`, remainderOf(debt));
    repaid.add(debt.id, debt.repaid_amount);
    byDeposit.add(debt.id, debt.repaid_by_deposit ?? 0);
    all.push(debt);
  }
  await checkReport(addUpDebts(all));
  await checkWriteOffs(books, all);
  const byPlace = Map.groupBy(all, ({ client_id, currency }) =>
    openDebtsOf(books.tenant, client_id, currency),
  );
  for (const [place, theirs] of byPlace) await checkOpenDebts(books, place, theirs);
  return { left, lastPaid: await checkDebtPayments(books, { repaid, byDeposit }) };
}

async function checkOpenDebts(books: Books, place: string, theirs: readonly StoredDebt[]): Promise<void> {
  const items = await wholePartition(place);
  const open = new Map(items.map((item) => [String(item['sk']), OpenDebt.parse(item)]));
  for (const debt of theirs.filter((each) => remainderOf(each) > 0)) {
    const key = openDebtKey(books.tenant, debt);
    const keys = [key, recordKey(debts.type, books.tenant, debt.id)];
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
  const isSame = isDeepStrictEqual(open, openDebtOf(debt));
  return faultUnless(isSame, `has an open debt that is not that of debt ${debt.id}`);
}

/**
 * Checks every debt payment and ties it to its postings; checks that the valid ones of a debt add up to its
 * repaid amount. Returns each client's latest payment.
 */
async function checkDebtPayments(
  books: Books,
  { repaid, byDeposit }: { readonly repaid: NamedSums; readonly byDeposit: NamedSums },
): Promise<ReadonlyMap<number, number>> {
  const lastPaid = new Map<number, number>();
  const book = 'debt payments';
  for await (const payment of everyOf(books.tenant, debtPayments)) {
    const { id, client_id, debt_id, amount, is_refunded, created_at, payment_type, currency } = payment;
    books.count(book);
    lastPaid.set(client_id, Math.max(lastPaid.get(client_id) ?? 0, created_at));
    if (!is_refunded) repaid.add(debt_id, -amount);
    if (!is_refunded && payment_type === 'deposit') {
      byDeposit.add(debt_id, -amount);
      books.deposits.add(`debt_payment ${id} in ${currency} of ${client_id}`, amount);
    }
    const subject = { book, noun: 'payment', type: debtPayments.type, id };
    books.reportRecord(subject, tiePayment(books, payment));
  }
  for (const [id, sum] of [...repaid, ...byDeposit]) {
    const fault = `says that ${sum} more is repaid than its payments come to`;
    books.reportRecord({ book, noun: 'debt', type: debts.type, id }, faultUnless(sum === 0, fault));
  }
  return lastPaid;
}

function tiePayment({ postings }: Books, payment: StoredDebtPayment): string[] {
  const { is_refunded, transfer_id, refund_transfer_id } = payment;
  const { id: source_id, amount, currency, cashbox_id } = payment;
  const payment_type = PaymentType.safeParse(payment.payment_type).data;
  if (!payment_type || transfer_id === null) {
    const hasNone = !payment_type && transfer_id === null && refund_transfer_id === null;
    return faultUnless(hasNone, 'is not paid as it says');
  }
  const money = { payment_type, amount, currency, cashbox_id };
  const tie = (type: Direction, id: number) => {
    const expected = { type, ...money, source_type: 'debt_payment', source_id } as const;
    return postings.match(id, expected, `its ${type} is not what posting ${id} says`);
  };
  return [
    ...tie('income', transfer_id),
    ...(refund_transfer_id === null ? [] : tie('outcome', refund_transfer_id)),
    ...faultUnless(is_refunded === (refund_transfer_id !== null), 'is refunded without a posting'),
  ];
}

/** Expected balances of clients, from their debts, payments and sales. */
interface Expected extends Awaited<ReturnType<typeof readDebts>> {
  /** Bonuses from sales, by client and currency. */
  readonly bonuses: NamedSums;
  /** Deposits from their entries, likewise. */
  readonly deposits: NamedSums;
}

/**
 * Checks that each client has the debts outstanding, the bonuses from sales, the deposit of its entries, and
 * the limits of the client's card.
 */
export async function checkClients(books: Books, before: Owners, expected: Expected): Promise<void> {
  const limits = await readLimits(books);
  await checkOwners(books, before, (id, item) => [
    ...clientFaults(expected, id, item),
    ...limitFaults(limits.get(id), item),
  ]);
}

async function readLimits({ tenant }: Books): Promise<ReadonlyMap<number, DebtLimits>> {
  const limits = new Map<number, DebtLimits>();
  for await (const { id, debt_limits } of everyOf(tenant, clients)) limits.set(id, debt_limits);
  return limits;
}

/** Checks that the debt limits applied to sales are those of the client's card. */
function limitFaults(limits: DebtLimits | undefined, item: Item): string[] {
  const sums = ClientBalances.parse(item);
  return Currency.options.flatMap((currency) => {
    const [holds, says] = [sums[limitIn(currency)] ?? null, limits?.[currency] ?? null];
    return faultUnless(holds === says, `may owe ${holds} ${currency}, by its card ${says}`);
  });
}

function clientFaults({ left, lastPaid, bonuses, deposits }: Expected, id: number, item: Item): string[] {
  const balances = ClientBalances.parse(item);
  const { debt_paid_at, bonuses: has } = balances;
  const [says, paid] = [debt_paid_at ?? 0, lastPaid.get(id) ?? 0];
  const unlike = Currency.options.flatMap((currency) => {
    const [owes, debt] = [item[debtIn(currency)], left.of(`${id} ${currency}`)];
    const { spendable, waiting } = has[currency] ?? NO_BONUSES;
    const all = spendable + waitingSum({ spendable, waiting });
    const earned = bonuses.of(`${id} ${currency}`);
    const [deposit, entries] = [balances[depositIn(currency)], deposits.of(`${id} ${currency}`)];
    return [
      ...faultUnless(owes === debt, `owes ${owes} ${currency}, what is left of debts is ${debt}`),
      ...faultUnless(all === earned, `has bonuses of ${all} ${currency}, cheques leave ${earned}`),
      ...faultUnless(deposit === entries, `has a deposit of ${deposit} ${currency}, its entries ${entries}`),
    ];
  });
  return [...faultUnless(says === paid, `paid last at ${says}, by the payments at ${paid}`), ...unlike];
}
