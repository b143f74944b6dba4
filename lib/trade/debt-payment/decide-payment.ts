import { type Maker, makerOf, type Staff } from '#lib/auth/actor.ts';
import { addToShift } from '#lib/cash/desk/movement.ts';
import { atDesk, type DeskState } from '#lib/cash/desk/read.ts';
import { type PostingResult, postAtDesk, writesAt } from '#lib/cash/posting/make.ts';
import type { StoredPosting } from '#lib/cash/posting/record.ts';
import { canChangeDeposit, depositShortage, repaymentWrite } from '#lib/clients/balance-change.ts';
import { type ClientBalances, depositIn } from '#lib/clients/client-balances.ts';
import { debtAfter, debtWrites } from '#lib/clients/debt/change.ts';
import { debtAt, type debts, type StoredDebt } from '#lib/clients/debt/record.ts';
import { type DepositEntry, entryWrite, newEntry } from '#lib/clients/deposit/record.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import type { Stored } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { type Currency, PaymentType, totalAmount } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { PortionsPlan } from './decide-portions.ts';
import { byDeposit, type Portion } from './portions.ts';
import {
  type DebtPayment,
  type DebtPaymentInput,
  debtPayments,
  isRefundable,
  type StoredDebtPayment,
} from './record.ts';

/** Data that a payment of debts is decided by, as read. */
export interface DebtPaymentFacts extends PortionsPlan {
  /** First of the consecutive ids of the payments, of the desk's incomes, and of the deposit's entries. */
  readonly ids: { readonly payment: number; readonly posting: number; readonly entry: number };
  /** Debts of the portions. */
  readonly owed: readonly Stored<typeof debts.schema>[];
}

/** A debt before and after its portions are paid. */
interface PaidDebt {
  readonly before: Stored<typeof debts.schema>;
  readonly after: StoredDebt;
}

/** Valid payments of debts, with all that their writes need. */
interface DebtPaymentPlan extends Pick<DebtPaymentFacts, 'sums' | 'portions'> {
  readonly posted: PostingResult;
  readonly entries: readonly DepositEntry[];
  readonly payments: readonly StoredDebtPayment[];
  readonly paid: readonly PaidDebt[];
  /** Published payments. */
  readonly data: DebtPayment[];
}

/** Common data of the parts of a payment. */
interface Occasion extends Readonly<Pick<DebtPaymentInput, 'client_id' | 'currency'>> {
  readonly desk: DeskState;
  readonly maker: Maker;
  readonly at: Instant;
}

/** Portion with the id of its payment. */
interface NumberedPortion extends Portion {
  readonly id: number;
}

/**
 * Decides a payment for each portion, with an income of the desk, or an entry of the deposit. 422 on a
 * payment that would exceed a limit of the desk, and on one of more than the deposit. Part 3, "Debt
 * payments"; Part 5, 5A.6, 2.
 */
export function decideDebtPayment(
  actor: Staff,
  { client_id, currency }: Pick<DebtPaymentInput, 'client_id' | 'currency'>,
  { ids, desk, sums, portions, owed }: DebtPaymentFacts,
  at: Instant,
): DebtPaymentPlan {
  const occasion = { client_id, currency, desk, maker: makerOf(actor), at };
  const numbered = portions.map((portion, place) => ({ ...portion, id: ids.payment + place }));
  const deposited = byDeposit(numbered);
  const issues = new ValidationIssues();
  checkSpent(sums, deposited, currency, issues);
  const posted = postIncomes(numbered, { ...occasion, firstId: ids.posting }, issues);
  issues.throwIfAny();
  const entries = newEntries(sums, deposited, { ...occasion, firstId: ids.entry });
  const payments = newPayments(numbered, posted.postings, occasion);
  const paid = owed.map((before) => ({ before, after: repay(before, portions, at) }));
  const data = publish(payments, paid, { paidAt: Math.max(at, sums.debt_paid_at ?? 0), at });
  return { sums, portions, posted, entries, payments, paid, data };
}

/** Validates that the deposit suffices: an issue on the payment by it otherwise. */
function checkSpent(
  sums: ClientBalances,
  deposited: readonly Portion[],
  currency: Currency,
  issues: ValidationIssues,
): void {
  const [first] = deposited;
  const change = { deposit: -totalAmount(deposited), currency };
  if (!first || canChangeDeposit(sums, change)) return;
  issues.add(`payments.${first.index}.amount`, depositShortage(sums, change));
}

/** Builds an income of the desk for each portion paid with money, and counts all portions in its shift. */
function postIncomes(
  portions: readonly NumberedPortion[],
  { desk, maker, currency, firstId, at }: Occasion & { readonly firstId: number },
  issues: ValidationIssues,
): PostingResult {
  const [repaid, spent] = [totalAmount(portions), totalAmount(byDeposit(portions))];
  const postings: StoredPosting[] = [];
  let money = addToShift(desk.money, { debt: { currency, repaid, spent } });
  for (const { id: source_id, index, payment_type, amount } of portions) {
    const method = PaymentType.safeParse(payment_type).data;
    if (!method) continue;
    const path = `payments.${index}.amount`;
    const moved = { type: 'income', payment_type: method, currency, amount, path } as const;
    const source = { source_type: 'debt_payment', source_id, comment: null } as const;
    const occasion = { ...maker, ...source, at, firstId: firstId + postings.length };
    const income = postAtDesk({ ...desk, money }, [moved], occasion, issues);
    money = income.money;
    postings.push(...income.postings);
  }
  return { desk, money, postings };
}

/** Builds an entry for each portion paid from the deposit, with the balance after it. */
function newEntries(
  sums: ClientBalances,
  deposited: readonly NumberedPortion[],
  { desk, maker, client_id, currency, firstId, at }: Occasion & { readonly firstId: number },
): DepositEntry[] {
  let left = sums;
  return deposited.map(({ id: source_id, amount }, place) => {
    const made = { id: firstId + place, type: 'debt_payment', source_id } as const;
    const whose = { client_id, ...atDesk(desk), ...maker, currency, created_at: at };
    const entry = newEntry(left, { ...made, ...whose, amount: -amount });
    left = { ...left, [depositIn(currency)]: entry.balance_after };
    return entry;
  });
}

/** Builds the payment of each portion, with its income; one by deposit has none. */
function newPayments(
  portions: readonly NumberedPortion[],
  incomes: readonly StoredPosting[],
  { desk, maker, client_id, currency, at }: Occasion,
): StoredDebtPayment[] {
  const incomeOf = new Map(incomes.map(({ source_id, id }) => [source_id, id]));
  return portions.map(({ id, debt, payment_type, amount }) => {
    const whose = { id, ...atDesk(desk), ...maker, client_id, debt_id: debt.id };
    const flags = { is_refunded: false, is_imported: false, refund_transfer_id: null };
    const transfer_id = incomeOf.get(id) ?? null;
    return { ...whose, payment_type, currency, amount, ...flags, transfer_id, created_at: at };
  });
}

/** Computes a debt after portions of it are paid. */
function repay(before: StoredDebt, portions: readonly Portion[], at: Instant): StoredDebt {
  const own = portions.filter(({ debt }) => debt.id === before.id);
  const repaid = { repaid: totalAmount(own), byDeposit: totalAmount(byDeposit(own)) };
  return debtAfter(before, repaid, at);
}

/** Returns payments in their published form, each with its debt after all of them. */
function publish(
  payments: readonly StoredDebtPayment[],
  paid: readonly PaidDebt[],
  { paidAt, at }: { readonly paidAt: Instant; readonly at: Instant },
): DebtPayment[] {
  const after = new Map(paid.map((debt) => [debt.after.id, debtAt(debt.after, at)]));
  return payments.map((payment) => {
    const is_refundable = isRefundable(payment, paidAt);
    return { ...payment, is_refundable, debt: after.get(payment.debt_id) };
  });
}

/** Builds all writes of a payment of debts, apart from its saved response. */
export function debtPaymentWrites(
  tenant: Tenant,
  { client_id: id, currency }: Pick<DebtPaymentInput, 'client_id' | 'currency'>,
  { sums, portions, posted, entries, payments, paid }: DebtPaymentPlan,
  at: Instant,
): Write[] {
  const change = { debt: -totalAmount(portions), deposit: totalAmount(entries), currency, paidAt: at };
  return [
    ...payments.map((payment) => documentInsertion(debtPayments, tenant, payment)),
    ...paid.flatMap(({ before, after }) => debtWrites(tenant, before, after)),
    ...entries.map((entry) => entryWrite(tenant, entry)),
    repaymentWrite({ tenant, id }, sums, change),
    ...writesAt(tenant, posted),
  ];
}
