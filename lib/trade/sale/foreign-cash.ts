import {
  collectPriceIssues,
  missingRateMessage,
  type PricedLine,
  type Pricing,
} from '#lib/trade/pricing/price.ts';
import { allocateByWeight } from '#lib/values/allocation.ts';
import {
  type Currency,
  convertDown,
  MAX_AMOUNT,
  type MinorUnits,
  type Rates,
  roundHalfUp,
  totalAmount,
} from '#lib/values/money.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { Payments, RequestedPayment, SettledPayments } from './payments.ts';

/*
 * Cash in another currency counts by the rates that the cheque keeps, each payment rounded once: of a late
 * sale, by those of its moment. What it makes too much is given back. All other payments together are less
 * than the total then, so change is never more than foreign cash counts for; a debt and bonuses are no money
 * to give back. Part 4, 4.6, 1.
 */

/**
 * Settles the payments of a sale: what each counts for, and the change that is due, which must be what the
 * body says of it. Foreign money that is no cash or counts for nothing, and change that may not be given, go
 * to `problems`.
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
  const own = totalAmount(transactions.filter((tender) => tender.currency === currency));
  const isForeign = transactions.some((tender) => tender.currency !== currency);
  const taken = areAccepted && named_change !== null ? total + named_change - own : null;
  const counted = count(payments, rates, taken);
  if (taken !== null) checkTaken(counted, currency, rates, issues);
  const sum = counted.reduce((so_far, { counted_amount }) => so_far + counted_amount, 0);
  const hasChange = own < total && charge.debt === 0 && charge.spent === 0;
  const wrong = collectPriceIssues(issues).unless('products', 'bundles', 'transactions');
  if (isForeign && sum > total && !hasChange) {
    wrong.add('transactions', { key: 'sale.change_not_given', with: { total: total / 100 } });
  }
  const change_amount = isForeign && hasChange ? Math.max(0, sum - total) : 0;
  if ((named_change ?? change_amount) !== change_amount) {
    wrong.add('change_amount', { key: 'sale.change_differs', with: { change: change_amount / 100 } });
  }
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
 * Counts payments in the cheque's currency; foreign cash for what it was taken, if that is known, shared by
 * its worth. Contract 9.99.
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

/** Tells the rates by which foreign cash was taken for what it counts. */
function ratesOf(counted: Counted, own: Currency, rates: Rates): Partial<Rates> {
  const foreign = counted.filter(({ currency }) => currency !== own);
  return Object.fromEntries(foreign.map((tender) => [tender.currency, rateTaken(tender, rates[own])]));
}

/** Computes the rate by which foreign cash was taken, in the hundredths that rates have. */
export function rateTaken(
  { amount, counted_amount }: Pick<Counted[number], 'amount' | 'counted_amount'>,
  own: MinorUnits,
): MinorUnits {
  return Number(roundHalfUp(BigInt(counted_amount) * BigInt(own), BigInt(amount)));
}

/** Checks that foreign cash was taken for something, and by some rate. */
function checkTaken(counted: Counted, own: Currency, rates: Rates, issues: ValidationIssues): void {
  for (const [index, tender] of counted.entries()) {
    if (tender.currency === own || (tender.counted_amount > 0 && rateTaken(tender, rates[own]) > 0)) continue;
    const path = `transactions.${index}.currency`;
    collectPriceIssues(issues).unless(path).add(path, 'sale.foreign_too_little');
  }
}

/**
 * Counts a payment in the cheque's currency, rounded down. Undefined if that is nothing, or more than any
 * cheque comes to, and if a currency has no rate.
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

/** Checks that only cash is in another currency, and that each kind of money comes once. */
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

/** Checks that foreign cash is worth something in the cheque's currency, and not too much. */
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
