import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { addToShift } from '#lib/cash/desk/movement.ts';
import { atDesk, type DeskState } from '#lib/cash/desk/read.ts';
import { type PostingResult, postOrRefuse, writesAt } from '#lib/cash/posting/make.ts';
import { canChangeDeposit, canOwe, repaymentWrite } from '#lib/clients/balance-change.ts';
import type { ClientBalances } from '#lib/clients/client-balances.ts';
import { debtAfter, debtWrites } from '#lib/clients/debt/change.ts';
import { debtAt, type debts, type StoredDebt } from '#lib/clients/debt/record.ts';
import { type DepositEntry, entryWrite, newEntry } from '#lib/clients/deposit/record.ts';
import { documentReplacement } from '#lib/records/documents.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import type { Stored } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { mayPayOut } from '#lib/trade/deposit/decide-deposit.ts';
import { hasForeignCash, payOwn, purseOf, saleRemainder, withPurse } from '#lib/trade/return/purse.ts';
import { type Sale, sales } from '#lib/trade/sale/record.ts';
import { requireSameSale } from '#lib/trade/sale/write.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { type MinorUnits, PaymentType } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { type DebtPayment, debtPayments, isRefundable, type StoredDebtPayment } from './record.ts';

type Payment = Stored<typeof debtPayments.schema>;

/** Data that a refund is decided by, as read. */
export interface RefundFacts {
  /** Id of the posting, or of the deposit's entry. */
  readonly firstId: number;
  readonly payment: Payment;
  readonly desk: DeskState;
  readonly sums: ClientBalances;
  readonly debt: Stored<typeof debts.schema>;
  /** Undefined for an opening debt, which has no sale. */
  readonly sale: Stored<typeof Sale> | undefined;
}

/** A valid refund, with all that its writes need. */
interface RefundPlan extends Pick<RefundFacts, 'payment' | 'sums' | 'debt' | 'sale'> {
  readonly after: Payment;
  /** The sale with its remaining foreign cash; undefined if the refund takes none of it. */
  readonly saleAfter: Sale | undefined;
  readonly owed: StoredDebt;
  readonly outcome: PostingResult;
  /** Undefined for a payment with money. */
  readonly entry: DepositEntry | undefined;
  /** Published payment. */
  readonly response: DebtPayment;
}

/**
 * Requires a payment that can be refunded, and its desk in the same company. 400 otherwise. Contract 9.53.
 */
export function requireRefundable(
  payment: Payment,
  { desk, sums }: { readonly desk: DeskState | undefined; readonly sums: ClientBalances },
): DeskState {
  if (!isRefundable(payment, sums.debt_paid_at)) throw badRequest('debt_payment.not_refundable');
  if (desk?.company_id !== payment.company_id) throw badRequest('debt_payment.cashbox_gone');
  return desk;
}

/** Requires that the client can owe the debt again, and that the deposit can grow. 400 otherwise. */
export function requireRoom(payment: Payment, sums: ClientBalances): void {
  const { amount: debt, currency } = payment;
  if (!canOwe(sums, { debt, currency })) throw badRequest('debt_payment.client_gone');
  if (canChangeDeposit(sums, { deposit: depositBack(payment), currency })) return;
  throw badRequest(BALANCE_TOO_LARGE.key, BALANCE_TOO_LARGE.with);
}

/**
 * Decides a refund: the money leaves the desk, or goes back to the client's deposit, and the debt is
 * restored. 400 if the desk has too little, and if the sale no longer has the money, or has only money from
 * the client's deposit left, which a payment with other money does not take without the right. Part 5, 5A.6,
 * 3.
 */
export function decideRefund(actor: Staff, facts: RefundFacts, at: Instant): RefundPlan {
  const { payment, sums, debt, sale } = facts;
  const repaid = { repaid: -payment.amount, byDeposit: -depositBack(payment) };
  const owed = debtAfter(debt, repaid, at);
  if (sale) requireOwnMoney(sale, owed);
  if (sale && depositBack(payment) === 0 && !mayPayOut(actor)) requireDepositCovered(sale, owed);
  const saleAfter = sale && takeForeignCash(sale, facts, owed);
  const outcome = payBack(actor, facts, at);
  const [posting] = outcome.postings;
  const after = { ...payment, is_refunded: true, refund_transfer_id: posting?.id ?? null };
  const response = { ...after, is_refundable: false, debt: debtAt(owed, at) };
  const entry = newEntryOf(actor, facts, at);
  return { payment, sums, debt, sale, after, saleAfter, owed, outcome, entry, response };
}

/** Returns the part of a payment that goes back to the client's deposit: all of it, or nothing. */
function depositBack({ payment_type, amount }: StoredDebtPayment): MinorUnits {
  return payment_type === 'deposit' ? amount : 0;
}

/**
 * Requires that a debt's sale has received, without the refunded payment, at least the amount paid out by
 * returns and passed on by exchanges. 400 otherwise. Contract 8.
 */
function requireOwnMoney(sale: Sale, owed: StoredDebt): void {
  if (saleRemainder(sale, owed).money < 0) throw badRequest('debt_payment.paid_out');
}

/**
 * Requires that a debt's sale keeps, without the refunded payment, all that came from the client's deposit:
 * the payment's own money may have been paid out, or passed on, before the deposit's came. 400 otherwise.
 * Part 5, 5A.6, 3.
 */
function requireDepositCovered(sale: Sale, owed: StoredDebt): void {
  const { own, deposit } = purseOf(sale, owed);
  if (own < deposit) throw badRequest('debt_payment.paid_out');
}

/**
 * Takes a refund out of a sale's purse: beyond plain money it stands for foreign cash. Undefined if plain
 * money suffices. Part 4, 4.6, 1.
 */
function takeForeignCash(
  sale: Sale,
  { debt, payment: { amount } }: Pick<RefundFacts, 'debt' | 'payment'>,
  owed: StoredDebt,
): Sale | undefined {
  const purse = purseOf(sale, debt);
  if (!hasForeignCash(sale) || purse.own >= amount) return undefined;
  return withPurse(sale, { ...payOwn(purse, amount), deposit: purseOf(sale, owed).deposit }, owed);
}

/** Pays money back as an outcome of the desk, and counts the refund in its shift. */
function payBack(actor: Staff, { payment, desk, firstId }: RefundFacts, at: Instant): PostingResult {
  const { id: source_id, payment_type, currency, amount } = payment;
  const method = PaymentType.safeParse(payment_type).data;
  const counted = { currency, refunded: amount, returned: depositBack(payment) };
  const money = addToShift(desk.money, { debt: counted });
  const source = { source_type: 'debt_payment', source_id, comment: null } as const;
  const moves = method ? [{ type: 'outcome', payment_type: method, currency, amount } as const] : [];
  return postOrRefuse({ ...desk, money }, moves, { ...makerOf(actor), ...source, at, firstId });
}

/** Builds the entry that gives a payment by deposit back; undefined for one with money. */
function newEntryOf(
  actor: Staff,
  { payment, desk, sums, firstId: id }: RefundFacts,
  created_at: Instant,
): DepositEntry | undefined {
  const { id: source_id, client_id, currency } = payment;
  const amount = depositBack(payment);
  if (amount === 0) return undefined;
  const made = { id, type: 'debt_payment', source_id, ...makerOf(actor), created_at } as const;
  return newEntry(sums, { ...made, ...atDesk(desk), client_id, currency, amount });
}

/** Builds all writes of a refund, apart from its saved response. */
export function refundWrites(tenant: Tenant, plan: RefundPlan): Write[] {
  const { payment, after, sums, debt, owed, outcome, entry, sale, saleAfter } = plan;
  const { client_id: id, currency, amount } = payment;
  const change = { debt: amount, deposit: depositBack(payment), currency };
  return [
    ...documentReplacement(debtPayments, tenant, payment, after),
    ...debtWrites(tenant, debt, owed),
    repaymentWrite({ tenant, id }, sums, change),
    ...(entry ? [entryWrite(tenant, entry)] : []),
    ...writesAt(tenant, outcome),
    ...(sale && !saleAfter ? [requireSameSale(tenant, sale)] : []),
    ...(sale && saleAfter ? documentReplacement(sales, tenant, sale, saleAfter) : []),
  ];
}
