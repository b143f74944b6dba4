import type { DeskMoney } from '#lib/cash/desk/money.ts';
import { addToShift, areSumsBounded } from '#lib/cash/desk/movement.ts';
import type { ShiftCounts } from '#lib/cash/desk/open-shift.ts';
import { requireInTime } from '#lib/cash/desk/read.ts';
import {
  type PostingContext,
  type PostingResult,
  postAtDesk,
  type RequestedMovement,
} from '#lib/cash/posting/make.ts';
import { type ClientBalanceChange, canEarn, canOwe, hasBonus } from '#lib/clients/balance-change.ts';
import { earningOf } from '#lib/clients/bonuses.ts';
import type { ClientBalances } from '#lib/clients/client-balances.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import { collectPriceIssues, type PricedLine, type WithBodyPath } from '#lib/trade/pricing/price.ts';
import {
  type Currency,
  MAX_AMOUNT,
  type MinorUnits,
  type MoneyKind,
  nameOf,
  PaymentType,
  totalAmount,
} from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { SaleInput } from './input.ts';
import { allPaid, moneyPaid } from './payment-totals.ts';
import type { Payment, Sale } from './record.ts';
import type { SaleContext, SaleHeader } from './sale-context.ts';

/** A payment in the cheque's currency. */
type OwnPayment = Pick<Payment, 'payment_type' | 'amount'>;

/** A payment with where in the body its amount came from. */
export type RequestedPayment = WithBodyPath<OwnPayment & Pick<Payment, 'currency'>>;

/** The payments for a cheque by what becomes of them: money in the desk, or a charge to the client. */
export interface Payments<T = RequestedPayment> {
  readonly transactions: readonly T[];
  readonly income: readonly RequestedMovement[];
  readonly charge: ClientBalanceChange;
  /** What the body says of the change; null if it says nothing. */
  readonly named_change?: MinorUnits | null;
}

/** Payments with what each counts for in the cheque's currency, and the change that is due. */
export interface SettledPayments extends Payments<RequestedPayment & Pick<Payment, 'counted_amount'>> {
  readonly change_amount: MinorUnits;
  /** What foreign cash of a late sale is counted by. */
  readonly payment_rates?: Sale['payment_rates'];
}

/** What payments became: the postings that brought money, the debt, the bonuses that are spent. */
export interface PaymentResult
  extends PostingResult,
    Pick<SettledPayments, 'change_amount' | 'payment_rates'> {
  /** As the cheque keeps them, each with its posting or debt. */
  readonly transactions: readonly Payment[];
  readonly charge: ClientBalanceChange;
}

/** Settles payments that are all in the cheque's currency. */
export function paymentsIn(currency: Currency, asked: readonly WithBodyPath<OwnPayment>[]): SettledPayments {
  const transactions = asked.map((each) => ({ ...each, currency, counted_amount: each.amount }));
  return { ...sortPayments(currency, transactions), transactions, change_amount: 0 };
}

/** Takes the payments out of a sale's body. */
export function paymentsOf({
  transactions,
  currency,
  change_amount,
}: Pick<SaleInput, 'transactions' | 'currency' | 'change_amount'>): Payments {
  const asked = withBodyPaths(transactions).map((each) => ({ ...each, currency: each.currency ?? currency }));
  return { ...sortPayments(currency, asked), named_change: change_amount };
}

/** Adds to the payments of a body where in it their amounts are. */
export function withBodyPaths<T extends OwnPayment>(transactions: readonly T[]): WithBodyPath<T>[] {
  return transactions.map((each, index) => ({ ...each, path: `transactions.${index}.amount` }));
}

function sortPayments(currency: Currency, transactions: readonly RequestedPayment[]): Payments {
  const sumOf = (way: Payment['payment_type']) =>
    totalAmount(transactions.filter(({ payment_type }) => payment_type === way));
  return {
    transactions,
    income: transactions.flatMap((tender): RequestedMovement[] => {
      const kind = kindOf(tender);
      return kind ? [{ type: 'income', ...kind, amount: tender.amount, path: tender.path }] : [];
    }),
    charge: { spent: sumOf('bonus'), debt: sumOf('debt'), currency },
  };
}

function kindOf({ payment_type, currency }: RequestedPayment): MoneyKind | undefined {
  const money = PaymentType.safeParse(payment_type).data;
  return money && { payment_type: money, currency };
}

/** Checks that a debt and bonuses are somebody's, and that a debt has an end. Contract 5. */
export function checkDebtor(
  { client_id, due_date }: Pick<SaleInput, 'client_id' | 'due_date'>,
  { charge }: Pick<Payments, 'charge'>,
  at: Instant,
  issues: ValidationIssues,
): void {
  if (charge.debt > 0 && client_id === null) issues.add('client_id', 'sale.debt_without_client');
  if (charge.spent > 0 && client_id === null) issues.add('client_id', 'sale.bonus_without_client');
  if (charge.debt > 0 && due_date === null) issues.add('due_date', 'sale.debt_without_due_date');
  if (due_date !== null && due_date < dayOf(at)) issues.add('due_date', 'validation.in_past');
}

/**
 * Checks that the payments, less the change, make up the total of the lines; if something is wrong with
 * either, it is not judged. Contract 5.
 */
export function checkTotal(
  settled: SettledPayments,
  lines: readonly Pick<PricedLine, 'amount'>[],
  issues: ValidationIssues,
): void {
  const wrong = collectPriceIssues(issues).unless('products', 'bundles');
  const total = totalAmount(lines);
  const onPayments = wrong.unless('transactions');
  if (total > MAX_AMOUNT) wrong.add('products', 'sale.amount_too_large');
  else if (allPaid(settled) !== total)
    onPayments.add('transactions', { key: 'sale.payments_differ', with: { total: total / 100 } });
}

/**
 * Takes the payments: money into the desk, and change out of it then, bonuses and a debt to the client. What
 * is more than the desk may hold, or has, or than the client has or may owe, goes to `problems`. 400 if the
 * desk's shift is overdue and refuses sales. Contract 8; Contract 9.49; Part 4, 4.6, 1.
 */
export function applyPayments(
  { desk, clientSums, bonusTerms }: Pick<SaleContext, 'desk' | 'clientSums' | 'bonusTerms'>,
  { transactions, income, charge: asked, change_amount, payment_rates = null }: SettledPayments,
  { ids, maker, comment, sold_at, at }: SaleHeader,
  issues: ValidationIssues,
): PaymentResult {
  const source = { source_type: 'sale', source_id: ids.sale } as const;
  const occasion = { ...maker, ...source, comment, at, firstId: ids.posting };
  const money = moneyPaid({ transactions, change_amount });
  const charge = { ...asked, earned: bonusTerms && earningOf(money, bonusTerms, at) };
  const debt = { currency: charge.currency, given: charge.debt };
  const before = countSale(desk.money, debt, transactions, issues);
  requireInTime(before, { sold_at, at });
  const taken = postAtDesk({ ...desk, money: before }, income, occasion, collectPriceIssues(issues));
  const posted = giveChange(taken, { ...charge, change_amount }, occasion, issues);
  if (clientSums) checkCharge(clientSums, { transactions, income, charge }, at, issues);
  const postingOf = new Map(taken.postings.map((posting) => [nameOf(posting), posting.id]));
  return {
    ...posted,
    charge,
    ...{ change_amount, payment_rates },
    transactions: transactions.map(({ path, ...tender }) => {
      const kind = kindOf({ ...tender, path });
      const transfer_id = (kind && postingOf.get(nameOf(kind))) ?? null;
      return { ...tender, transfer_id, debt_id: tender.payment_type === 'debt' ? ids.debt : null };
    }),
  };
}

/** Gives change out of what a desk has after it was paid. A desk with too little goes to `problems`. */
function giveChange(
  taken: PostingResult,
  {
    change_amount: amount,
    currency,
  }: Pick<SettledPayments, 'change_amount'> & Pick<ClientBalanceChange, 'currency'>,
  { firstId, ...occasion }: PostingContext,
  issues: ValidationIssues,
): PostingResult {
  if (amount === 0) return taken;
  const { desk, money, postings } = taken;
  const change = { type: 'outcome', payment_type: 'cash', currency, amount, path: 'transactions' } as const;
  const after = postAtDesk(
    { ...desk, money },
    [change],
    { ...occasion, source_type: 'change', firstId: firstId + postings.length },
    collectPriceIssues(issues).unless('transactions'),
  );
  return { ...after, desk, postings: [...postings, ...after.postings] };
}

/**
 * Counts a cheque in the desk's open shift, with what is lent by it. More than a shift can count goes to
 * `problems`. Contract 9.117.
 */
function countSale(
  money: DeskMoney,
  debt: NonNullable<ShiftCounts['debt']>,
  transactions: Payments['transactions'],
  issues: ValidationIssues,
): DeskMoney {
  const counted = addToShift(money, { checks: 1, debt });
  if (areSumsBounded(counted)) return counted;
  for (const { payment_type, path } of transactions) {
    if (payment_type === 'debt') collectPriceIssues(issues).add(path, BALANCE_TOO_LARGE);
  }
  return money;
}

/** Checks that the client has the bonuses that are spent, and room for what is owed and earned. */
function checkCharge(
  clientSums: ClientBalances,
  { transactions, income: [first], charge }: Payments,
  at: Instant,
  issues: ValidationIssues,
): void {
  const wrong = collectPriceIssues(issues);
  const today = dayOf(at);
  for (const { payment_type, path } of transactions) {
    if (payment_type === 'bonus' && !hasBonus(clientSums, charge, today)) {
      issues.add(path, 'sale.not_enough_bonuses');
    }
    if (payment_type === 'debt' && !canOwe(clientSums, charge)) wrong.add(path, BALANCE_TOO_LARGE);
  }
  if (first && !canEarn(clientSums, charge, today)) wrong.add(first.path, BALANCE_TOO_LARGE);
}
