import type { RequestedMovement } from '#lib/cash/posting/make.ts';
import type { ClientBalanceChange } from '#lib/clients/balance-change.ts';
import {
  collectPriceIssues,
  missingRateMessage,
  type PricedLine,
  type Pricing,
  type WithBodyPath,
} from '#lib/trade/pricing/price.ts';
import { allocateByWeight } from '#lib/values/allocation.ts';
import {
  type Currency,
  convertDown,
  MAX_AMOUNT,
  type MinorUnits,
  type MoneyKind,
  PaymentType,
  type Rates,
  ReceivedPayment,
  roundHalfUp,
  totalAmount,
} from '#lib/values/money.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { type SaleInput, SalePayment } from './input.ts';
import type { Payment, Sale } from './record.ts';
import { checkTendered, refuseTenderedBesideChange } from './tendered.ts';

/** Payment in the currency of the sale. */
type OwnPayment = Pick<Payment, 'payment_type' | 'amount' | 'tendered_amount'>;

/** Payment with the path of its amount in the body. */
export type RequestedPayment = WithBodyPath<OwnPayment & Pick<Payment, 'currency'>>;

/** Payments of a sale by their effect: income of the desk, or a charge to the client. */
export interface Payments<T = RequestedPayment> {
  readonly transactions: readonly T[];
  readonly income: readonly RequestedMovement[];
  readonly charge: ClientBalanceChange;
  /** Change as stated by the body; null if it states none. */
  readonly named_change?: MinorUnits | null;
}

/** Payments with their values in the currency of the sale, and the change due. */
export interface SettledPayments extends Payments<RequestedPayment & Pick<Payment, 'counted_amount'>> {
  readonly change_amount: MinorUnits;
  /** Rates of the foreign cash of an offline sale. */
  readonly payment_rates?: Sale['payment_rates'];
}

/** Settles payments that are all in the currency of the sale. */
export function paymentsIn(
  currency: Currency,
  requested: readonly WithBodyPath<OwnPayment>[],
): SettledPayments {
  const transactions = requested.map((each) => ({ ...each, currency, counted_amount: each.amount }));
  return { ...sortPayments(currency, transactions), transactions, change_amount: 0 };
}

/** Returns the payments of a sale's body. */
export function paymentsOf({
  transactions,
  currency,
  change_amount,
}: Pick<SaleInput, 'transactions' | 'currency' | 'change_amount'>): Payments {
  const requested = withBodyPaths(transactions).map((each) => ({
    ...each,
    currency: each.currency ?? currency,
  }));
  return { ...sortPayments(currency, requested), named_change: change_amount };
}

/** Adds the paths of their amounts to the payments of a body. */
export function withBodyPaths<T extends OwnPayment>(transactions: readonly T[]): WithBodyPath<T>[] {
  return transactions.map((each, index) => ({ ...each, path: `transactions.${index}.amount` }));
}

function sortPayments(currency: Currency, transactions: readonly RequestedPayment[]): Payments {
  const sumOf = (way: Payment['payment_type']) =>
    totalAmount(transactions.filter(({ payment_type }) => payment_type === way));
  const deposit = sumOf('deposit');
  return {
    transactions,
    income: transactions.flatMap((tender): RequestedMovement[] => {
      const kind = moneyKindOf(tender);
      return kind ? [{ type: 'income', ...kind, amount: tender.amount, path: tender.path }] : [];
    }),
    charge: {
      ...{ spent: sumOf('bonus'), debt: sumOf('debt'), currency },
      ...(deposit > 0 && { deposit: -deposit }),
    },
  };
}

/** Returns the kind of money of a payment; undefined for debt, bonuses and deposit. */
export function moneyKindOf({ payment_type, currency }: RequestedPayment): MoneyKind | undefined {
  const money = PaymentType.safeParse(payment_type).data;
  return money && { payment_type: money, currency };
}

type Way = Payment['payment_type'];

/** Payments of a sale, or payouts of a return, and their change. */
interface Settlement {
  readonly transactions: readonly Pick<Payment, 'payment_type' | 'counted_amount'>[];
  readonly change_amount?: Sale['change_amount'];
}

/**
 * Totals the payments of some types, in the currency of the sale. Change is given in cash, and subtracted
 * from it. The only sum of payments: bonuses, limits of payouts, reports and forms all use it. Part 4, 4.6,
 * 1.
 */
export function amountPaidBy(
  ways: readonly Way[],
  { transactions, change_amount = 0 }: Settlement,
): MinorUnits {
  const counted = transactions.reduce(
    (sum, { payment_type, counted_amount }) => (ways.includes(payment_type) ? sum + counted_amount : sum),
    0,
  );
  return ways.includes('cash') ? counted - change_amount : counted;
}

/** Totals the payments that count as received: with money, and by deposit. */
export function moneyPaid(settlement: Settlement): MinorUnits {
  return amountPaidBy(ReceivedPayment.options, settlement);
}

/** Totals the payouts to a deposit: it gets their amounts, not the values they count for. */
export function sumToDeposit(payouts: readonly Pick<Payment, 'payment_type' | 'amount'>[]): MinorUnits {
  return totalAmount(payouts.filter(({ payment_type }) => payment_type === 'deposit'));
}

/** Totals all payments. */
export function allPaid(settlement: Settlement): MinorUnits {
  return amountPaidBy(SalePayment.options, settlement);
}

/*
 * Cash in another currency is valued by the rates stored in the sale (of an offline sale, those of its
 * moment), each payment rounded once. The excess is given back as change. All other payments together are
 * then less than the total, so change never exceeds the value of foreign cash; debt, bonuses and deposit
 * give no change. Part 4, 4.6, 1; Part 5, 5A.6, 2.
 */

/**
 * Settles the payments of a sale: the value of each, and the change due, which must match the body. Foreign
 * payments that are not cash or are worth nothing, and change that is not allowed, go to `issues`.
 */
export function settlePayments(
  { named_change = null, ...payments }: Payments,
  lines: readonly Pick<PricedLine, 'amount'>[],
  { currency, rates, areNamed, areAccepted = false }: Pricing,
  issues: ValidationIssues,
): SettledPayments {
  const { transactions, charge } = payments;
  const total = totalAmount(lines);
  checkKinds(transactions, currency, issues);
  checkWorth(payments, rates, issues);
  checkTendered(transactions, currency, issues);
  const own = totalAmount(transactions.filter((tender) => tender.currency === currency));
  const isForeign = transactions.some((tender) => tender.currency !== currency);
  const taken = areAccepted && named_change !== null ? total + named_change - own : null;
  const counted = count(payments, rates, taken);
  if (taken !== null) checkTaken(counted, currency, rates, issues);
  const sum = counted.reduce((so_far, { counted_amount }) => so_far + counted_amount, 0);
  const hasChange = own < total && charge.debt === 0 && charge.spent === 0 && !charge.deposit;
  const wrong = collectPriceIssues(issues).unless(
    'products',
    'bundles',
    'services',
    'discount',
    'transactions',
  );
  if (isForeign && sum > total && !hasChange) {
    wrong.add('transactions', { key: 'sale.change_not_given', with: { total: total / 100 } });
  }
  const change_amount = isForeign && hasChange ? Math.max(0, sum - total) : 0;
  if ((named_change ?? change_amount) !== change_amount) {
    wrong.add('change_amount', { key: 'sale.change_differs', with: { change: change_amount / 100 } });
  }
  if (named_change !== null || change_amount > 0) refuseTenderedBesideChange(transactions, issues);
  const payment_rates = taken === null ? rates : { ...rates, ...ratesOf(counted, currency, rates) };
  return {
    ...payments,
    transactions: counted,
    change_amount,
    ...(isForeign && areNamed && { payment_rates }),
  };
}

type Counted = SettledPayments['transactions'];

/**
 * Values payments in the currency of the sale; foreign cash at the value it was accepted for, if that is
 * known, allocated by worth. Contract 9.99.
 */
function count({ transactions, charge }: Payments, rates: Rates, taken: MinorUnits | null): Counted {
  const worth = transactions.map((tender) => paymentValueIn(tender, charge.currency, rates) ?? 0);
  const foreign = worth.map((each, index) => (transactions[index]?.currency === charge.currency ? 0 : each));
  const shares = taken !== null && taken > 0 ? allocateByWeight(taken, foreign) : foreign;
  return transactions.map((tender, index) => {
    const from = tender.currency === charge.currency ? worth : shares;
    return { ...tender, counted_amount: from[index] ?? 0 };
  });
}

/** Returns the rates at which foreign cash was accepted. */
function ratesOf(counted: Counted, own: Currency, rates: Rates): Partial<Rates> {
  const foreign = counted.filter(({ currency }) => currency !== own);
  return Object.fromEntries(foreign.map((tender) => [tender.currency, rateTaken(tender, rates[own])]));
}

/** Computes the rate at which foreign cash was accepted, in hundredths. */
export function rateTaken(
  { amount, counted_amount }: Pick<Counted[number], 'amount' | 'counted_amount'>,
  own: MinorUnits,
): MinorUnits {
  return Number(roundHalfUp(BigInt(counted_amount) * BigInt(own), BigInt(amount)));
}

/** Validates that accepted foreign cash has a value, and a rate. */
function checkTaken(counted: Counted, own: Currency, rates: Rates, issues: ValidationIssues): void {
  for (const [index, tender] of counted.entries()) {
    if (tender.currency === own || (tender.counted_amount > 0 && rateTaken(tender, rates[own]) > 0)) continue;
    const path = `transactions.${index}.currency`;
    collectPriceIssues(issues).unless(path).add(path, 'sale.foreign_too_little');
  }
}

/**
 * Values a payment in the currency of the sale, rounded down. Undefined if the value is zero or over the
 * limit of an amount, and if a currency has no rate.
 */
export function paymentValueIn(
  { amount, currency }: Pick<RequestedPayment, 'amount' | 'currency'>,
  own: Currency,
  rates: Rates,
): MinorUnits | undefined {
  if (currency === own) return amount;
  const worth = convertDown(amount, rates[currency], rates[own]);
  return worth === undefined || worth === 0 || worth > MAX_AMOUNT ? undefined : worth;
}

/** Validates that only cash is in another currency, and that each kind of money occurs once. */
export function checkKinds(
  transactions: readonly Pick<RequestedPayment, 'payment_type' | 'currency'>[],
  own: Currency,
  issues: ValidationIssues,
): void {
  const seen = new Set<string>();
  for (const [index, { payment_type, currency }] of transactions.entries()) {
    const kind = `${payment_type} ${currency}`;
    if (seen.has(kind)) issues.add(`transactions.${index}.payment_type`, 'validation.duplicate');
    seen.add(kind);
    if (currency === own || payment_type === 'cash') continue;
    issues.unless('currency').add(`transactions.${index}.currency`, 'sale.foreign_not_cash');
  }
}

/** Validates that foreign cash has a value in the currency of the sale, within the limit. */
function checkWorth({ transactions, charge }: Payments, rates: Rates, issues: ValidationIssues): void {
  const wrong = collectPriceIssues(issues);
  for (const [index, { amount, currency }] of transactions.entries()) {
    if (paymentValueIn({ amount, currency }, charge.currency, rates) !== undefined) continue;
    const path = `transactions.${index}`;
    const worth = convertDown(amount, rates[currency], rates[charge.currency]);
    if (worth === undefined) wrong.add(`${path}.currency`, missingRateMessage(currency));
    else if (worth === 0) wrong.add(`${path}.currency`, 'sale.foreign_too_little');
    else wrong.add(`${path}.amount`, 'sale.amount_too_large');
  }
}
