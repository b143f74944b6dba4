import type { Staff } from '#lib/auth/actor.ts';
import type { DeskMoney } from '#lib/cash/desk/money.ts';
import { addToShift, areSumsBounded } from '#lib/cash/desk/movement.ts';
import type { ShiftCounts } from '#lib/cash/desk/open-shift.ts';
import { requireInTime } from '#lib/cash/desk/read.ts';
import { type PostingContext, type PostingResult, postAtDesk } from '#lib/cash/posting/make.ts';
import {
  type ClientBalanceChange,
  canChangeDeposit,
  canEarn,
  canOwe,
  depositShortage,
  hasBonus,
} from '#lib/clients/balance-change.ts';
import { earningOf } from '#lib/clients/bonuses.ts';
import type { ClientBalances } from '#lib/clients/client-balances.ts';
import { canExceedLimit, EXCEED, roomThen, roomToOwe } from '#lib/clients/debt-limits.ts';
import { type DepositEntry, newEntry } from '#lib/clients/deposit/record.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import { collectPriceIssues, type PricedLine, type Pricing } from '#lib/trade/pricing/price.ts';
import { MAX_AMOUNT, nameOf, ReceivedPayment, totalAmount } from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { SaleInput } from './input.ts';
import {
  allPaid,
  moneyKindOf,
  moneyPaid,
  type Payments,
  type SettledPayments,
  settlePayments,
} from './payments.ts';
import type { Payment } from './record.ts';
import type { SaleContext, SaleHeader } from './sale-context.ts';
import { tenderFields } from './tendered.ts';

/** Result of payments: postings of money, debt, and spent bonuses. */
export interface PaymentResult
  extends PostingResult,
    Pick<SettledPayments, 'change_amount' | 'payment_rates'> {
  /** As stored in the sale, each with its posting or debt. */
  readonly transactions: readonly Payment[];
  readonly charge: ClientBalanceChange;
  /** Entry of the client's deposit, if any is spent. */
  readonly entry?: DepositEntry | undefined;
}

/** Lending caller, and whether the debt may exceed the client's limit. */
export interface Lender extends Pick<SaleInput, 'exceed_limit'> {
  readonly actor: Staff;
  /** Moment of an offline sale: the limit at that time applies if it was higher. */
  readonly second?: Instant | undefined;
}

/** Payments to decide, with the goods that they pay for. */
interface PaymentTerms {
  readonly payments: Payments;
  readonly lines: readonly Pick<PricedLine, 'amount'>[];
  readonly pricing: Pricing;
  readonly lender: Lender;
  readonly head: SaleHeader;
  /** True for a preview: the payments may fall short of the total. Part 5, 5B.5. */
  readonly mayFallShort?: boolean | undefined;
}

/**
 * Decides the payments of a sale: their values, change and total, the debt limit, and the postings.
 * Violations go to `issues`; totals depend on a valid hold. 400 as in `applyPayments`.
 */
export function decidePayments(
  basis: SaleContext,
  { payments, lines, pricing, lender, head, mayFallShort }: PaymentTerms,
  issues: ValidationIssues,
): PaymentResult {
  const wrong = issues.unless('hold_id');
  const settled = settlePayments(payments, lines, pricing, wrong);
  checkTotal(settled, lines, wrong, mayFallShort);
  return applyPayments(basis, enforceDebtLimit(lender, settled, basis, issues), head, issues);
}

/** Validates that debt, bonuses and deposit have a client, and that a debt has a due date. Contract 5. */
export function checkDebtor(
  { client_id, due_date }: Pick<SaleInput, 'client_id' | 'due_date'>,
  { charge }: Pick<Payments, 'charge'>,
  at: Instant,
  issues: ValidationIssues,
): void {
  if (charge.debt > 0 && client_id === null) issues.add('client_id', 'sale.debt_without_client');
  if (charge.spent > 0 && client_id === null) issues.add('client_id', 'sale.bonus_without_client');
  if (charge.deposit && client_id === null) issues.add('client_id', 'sale.deposit_without_client');
  if (charge.debt > 0 && due_date === null) issues.add('due_date', 'sale.debt_without_due_date');
  if (due_date !== null && due_date < dayOf(at)) issues.add('due_date', 'validation.in_past');
}

/**
 * Validates that the payments, less the change, equal the total of the lines, or are at most that if they may
 * fall short; skipped if either is invalid. Contract 5.
 */
export function checkTotal(
  settled: SettledPayments,
  lines: readonly Pick<PricedLine, 'amount'>[],
  issues: ValidationIssues,
  mayFallShort = false,
): void {
  const wrong = collectPriceIssues(issues).unless('products', 'bundles', 'services', 'discount');
  const total = totalAmount(lines);
  const onPayments = wrong.unless('transactions');
  if (total > MAX_AMOUNT) wrong.add('products', 'sale.amount_too_large');
  else if (allPaid(settled) > total || (allPaid(settled) < total && !mayFallShort))
    onPayments.add('transactions', { key: 'sale.payments_differ', with: { total: total / 100 } });
}

/**
 * Enforces the client's debt limit, unless the body and the caller's right allow more. A debt above it goes
 * to `issues` with the remaining amount. Part 4, 4.6, 2.
 */
export function enforceDebtLimit(
  { actor, exceed_limit, second }: Lender,
  payments: SettledPayments,
  { clientSums, limits }: Pick<SaleContext, 'clientSums' | 'limits'>,
  issues: ValidationIssues,
): SettledPayments {
  const { charge, transactions } = payments;
  const left = clientSums && roomToOwe(clientSums, charge.currency);
  if (!clientSums || left === undefined || left === null || charge.debt <= left) return payments;
  const then = second === undefined ? left : roomThen(limits, second, clientSums, charge.currency);
  const wasAllowed = then === null || charge.debt <= then;
  if (wasAllowed || (exceed_limit && canExceedLimit(actor)))
    return { ...payments, charge: { ...charge, mayExceed: true } };
  if (exceed_limit) issues.add('exceed_limit', { key: 'sale.exceed_forbidden', with: { right: EXCEED } });
  const tooMuch = { key: 'sale.debt_limit', with: { left: Math.max(left, then) / 100 } } as const;
  for (const { payment_type, path } of exceed_limit ? [] : transactions) {
    if (payment_type === 'debt') collectPriceIssues(issues).add(path, tooMuch);
  }
  return payments;
}

/**
 * Applies payments: posts money to the desk, then change from it, and charges bonuses and debt to the client.
 * Amounts beyond the limits of desk or client go to `issues`. 400 if the desk's shift is overdue and blocks
 * sales. Contract 8; Contract 9.49; Part 4, 4.6, 1.
 */
export function applyPayments(
  { desk, clientSums, bonusTerms }: Pick<SaleContext, 'desk' | 'clientSums' | 'bonusTerms'>,
  { transactions, income, charge: requested, change_amount, payment_rates = null }: SettledPayments,
  head: SaleHeader,
  issues: ValidationIssues,
): PaymentResult {
  const { ids, maker, comment, sold_at, at } = head;
  const source = { source_type: 'sale', source_id: ids.sale } as const;
  const occasion = { ...maker, ...source, comment, at, firstId: ids.posting };
  const money = moneyPaid({ transactions, change_amount });
  const charge = { ...requested, earned: bonusTerms && earningOf(money, bonusTerms, at) };
  const debt = { currency: charge.currency, given: charge.debt, spent: -(charge.deposit ?? 0) };
  const before = countSale(desk.money, debt, transactions, issues);
  requireInTime(before, { sold_at, at });
  const taken = postAtDesk({ ...desk, money: before }, income, occasion, collectPriceIssues(issues));
  const posted = giveChange(taken, { ...charge, change_amount }, occasion, issues);
  if (clientSums) checkCharge(clientSums, { transactions, charge }, at, issues);
  const postingOf = new Map(taken.postings.map((posting) => [nameOf(posting), posting.id]));
  return {
    ...posted,
    charge,
    entry: clientSums && entryOf(clientSums, desk, head, charge),
    ...{ change_amount, payment_rates },
    transactions: transactions.map(({ path, tendered_amount, ...tender }) => {
      const kind = moneyKindOf({ ...tender, path });
      const transfer_id = (kind && postingOf.get(nameOf(kind))) ?? null;
      const debt_id = tender.payment_type === 'debt' ? ids.debt : null;
      return { ...tender, transfer_id, debt_id, ...tenderFields(tender.amount, tendered_amount) };
    }),
  };
}

/** Returns the entry of a deposit that a sale spends; undefined without any. */
function entryOf(
  sums: ClientBalances,
  { id: cashbox_id, company_id }: SaleContext['desk'],
  { ids, maker, client_id, at }: SaleHeader,
  { deposit: amount, currency }: ClientBalanceChange,
): DepositEntry | undefined {
  if (!amount || client_id === null) return undefined;
  const made = { type: 'sale', source_id: ids.sale, ...maker, created_at: at } as const;
  return newEntry(sums, { id: ids.deposit, ...made, client_id, company_id, cashbox_id, currency, amount });
}

/** Posts change from a desk's money after the payments. Insufficient cash goes to `issues`. */
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
 * Counts a sale with its debt and deposit in the desk's open shift. Sums over the limit of a shift go to
 * `issues`. Contract 9.117.
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
    const isCounted = payment_type === 'debt' || payment_type === 'deposit';
    if (isCounted) collectPriceIssues(issues).add(path, BALANCE_TOO_LARGE);
  }
  return money;
}

/**
 * Validates that the client has the spent bonuses and deposit, and room for the new debt and earned bonuses.
 */
function checkCharge(
  clientSums: ClientBalances,
  { transactions, charge }: Pick<Payments, 'transactions' | 'charge'>,
  at: Instant,
  issues: ValidationIssues,
): void {
  const wrong = collectPriceIssues(issues);
  const today = dayOf(at);
  const spent = { currency: charge.currency, deposit: charge.deposit ?? 0 };
  for (const { payment_type, path } of transactions) {
    if (payment_type === 'bonus' && !hasBonus(clientSums, charge, today)) {
      issues.add(path, 'sale.not_enough_bonuses');
    }
    if (payment_type === 'deposit' && !canChangeDeposit(clientSums, spent)) {
      issues.add(path, depositShortage(clientSums, spent));
    }
    if (payment_type === 'debt' && !canOwe(clientSums, charge)) wrong.add(path, BALANCE_TOO_LARGE);
  }
  const first = transactions.find(({ payment_type }) => ReceivedPayment.safeParse(payment_type).success);
  if (first && !canEarn(clientSums, charge, today)) wrong.add(first.path, BALANCE_TOO_LARGE);
}
