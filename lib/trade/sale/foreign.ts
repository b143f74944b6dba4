import { noRate, onPrices, type PricedLine, type Pricing } from '#lib/trade/pricing/price.ts';
import { type Cents, type Currency, convertDown, MOST_AMOUNT, totalAmount } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import type { AskedPayment, Payments, Settled } from './payments.ts';

/*
 * Cash in another currency counts by the rates that the cheque keeps, each payment rounded once. What it
 * makes too much is given back. All other payments together are less than the total then, so change is never
 * more than foreign cash counts for; a debt and bonuses are no money to give back. Part 4, 4.6, 1.
 *
 * A late sale was counted by a till, by rates of its time that it doesn't tell. So those of each moment of
 * its window are tried, those of now first: if the payments come to the very total by some, these were the
 * till's. Behind change that can't be seen; then those of now count, or by which it is enough at all.
 */

type Rates = Pricing['rates'];

/** Payments as they count by the rates of one moment: undefined for one of which nobody knows the worth. */
interface Counted {
  readonly rates: Rates;
  readonly amounts: readonly (Cents | undefined)[];
  /** What they come to beyond the total. */
  readonly over: Cents;
}

/**
 * Settles the payments of a sale: what each counts for, and the change that is due. Foreign money that is no
 * cash or counts for nothing, and change that may not be given, go to `problems`.
 */
export function settle(
  payments: Payments,
  lines: readonly Pick<PricedLine, 'amount'>[],
  { currency, rates, window }: Pricing,
  problems: Problems,
): Settled {
  const { transactions } = payments;
  checkKinds(transactions, currency, problems);
  const own = totalAmount(transactions.filter((tender) => tender.currency === currency));
  const isForeign = transactions.some((tender) => tender.currency !== currency);
  const total = totalAmount(lines);
  const { debt, spent } = payments.charge;
  const hasChange = own < total && debt === 0 && spent === 0;

  const count = (by: Rates) => countBy(by, payments, total);
  const now = count(rates);
  const moments = isForeign && window ? window.rates.map(count) : [now];
  const counted =
    moments.find(({ over }) => over === 0) ?? moments.find(({ over }) => hasChange && over > 0) ?? now;
  if (isForeign) checkWorth(counted, payments, problems);
  if (isForeign && counted.over > 0 && !hasChange) {
    const why = { key: 'sale.change_not_given', with: { total: total / 100 } } as const;
    onPrices(problems).unless('products', 'bundles', 'transactions').add('transactions', why);
  }
  return {
    ...payments,
    transactions: transactions.map((tender, index) => {
      return { ...tender, counted_amount: counted.amounts[index] ?? 0 };
    }),
    change_amount: isForeign && hasChange ? Math.max(0, counted.over) : 0,
    ...(isForeign && window && { payment_rates: counted.rates }),
  };
}

function countBy(rates: Rates, { transactions, charge: { currency } }: Payments, total: Cents): Counted {
  const amounts = transactions.map((tender) => valueIn(tender, currency, rates));
  const isKnown = amounts.every((amount) => amount !== undefined);
  const sum = amounts.reduce<Cents>((whole, amount = 0) => whole + amount, 0);
  return { rates, amounts, over: isKnown ? sum - total : Number.NaN };
}

/**
 * Counts a payment in the cheque's currency, rounded down. Undefined if that is nothing, or more than any
 * cheque comes to, and if a currency has no rate.
 */
export function valueIn(
  { amount, currency }: Pick<AskedPayment, 'amount' | 'currency'>,
  own: Currency,
  rates: Rates,
): Cents | undefined {
  if (currency === own) return amount;
  const worth = convertDown(amount, rates[currency], rates[own]);
  return worth === undefined || worth === 0 || worth > MOST_AMOUNT ? undefined : worth;
}

/** Checks that only cash is in another currency, and that each kind of money comes once. */
export function checkKinds(
  transactions: readonly Pick<AskedPayment, 'payment_type' | 'currency'>[],
  own: Currency,
  problems: Problems,
): void {
  const seen = new Set<string>();
  for (const [index, { payment_type, currency }] of transactions.entries()) {
    const kind = `${payment_type} ${currency}`;
    if (seen.has(kind)) problems.add(`transactions.${index}.payment_type`, 'validation.duplicate');
    seen.add(kind);
    if (currency === own || payment_type === 'cash') continue;
    problems.unless('currency').add(`transactions.${index}.currency`, 'sale.foreign_not_cash');
  }
}

/** Checks that foreign cash is worth something in the cheque's currency, and not too much. */
function checkWorth(
  { rates, amounts }: Counted,
  { transactions, charge }: Payments,
  problems: Problems,
): void {
  const wrong = onPrices(problems);
  for (const [index, { amount, currency }] of transactions.entries()) {
    if (amounts[index] !== undefined) continue;
    const path = `transactions.${index}`;
    const worth = convertDown(amount, rates[currency], rates[charge.currency]);
    if (worth === undefined) wrong.add(`${path}.currency`, noRate(currency));
    else if (worth === 0) wrong.add(`${path}.currency`, 'sale.foreign_too_little');
    else wrong.add(`${path}.amount`, 'sale.amount_too_large');
  }
}
