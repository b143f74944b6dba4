import { valueIn } from '#lib/trade/sale/foreign.ts';
import { amountPaidBy, moneyPaid } from '#lib/trade/sale/paid.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import type { SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { type Currency, totalAmount } from '#lib/values/money.ts';
import type { Entries } from '../frame/entries.ts';
import { unless } from '../frame/ledger.ts';

/** Ties the change of a cheque to its posting: the one after those that brought the money. */
export function tieChange({ postings }: Entries, sale: Sale): string[] {
  const { id: source_id, cashbox_id, currency, transactions, change_amount: amount = 0 } = sale;
  if (amount === 0) return [];
  const id = 1 + Math.max(...transactions.map(({ transfer_id }) => transfer_id ?? 0));
  const money = { type: 'outcome', payment_type: 'cash', currency, amount } as const;
  const said = { ...money, cashbox_id, source_type: 'change', source_id } as const;
  return postings.match(id, said, `gives another change than posting ${id} says`);
}

/**
 * Finds where the payments of a cheque count for something else than its rates say, where change is given
 * that may not be, and where more has gone back in a currency than came in it. Part 4, 4.6, 1.
 */
export function foreignFaults(sale: Sale, returns: readonly SaleReturn[]): string[] {
  const { currency: own, transactions, change_amount = 0, sold_amount } = sale;
  const rates = sale.payment_rates ?? sale.rates;
  const kinds = transactions.map(({ payment_type, currency }) => `${payment_type} ${currency}`);
  const foreign = [...new Set(transactions.map(({ currency }) => currency))].filter((each) => each !== own);
  const others = totalAmount(transactions.filter(({ currency }) => currency === own));
  const hasOthers = amountPaidBy(['debt', 'bonus'], sale) > 0 || others >= sold_amount;
  return [
    ...transactions.flatMap(({ counted_amount, ...paid }) => {
      const worth = valueIn(paid, own, rates);
      const is = `${paid.amount} of ${paid.payment_type} ${paid.currency}`;
      return unless(worth === counted_amount, `counts ${counted_amount} for ${is}, its rates ${worth}`);
    }),
    ...unless(new Set(kinds).size === kinds.length, 'is paid twice in one kind of money'),
    ...unless(transactions.every(isFitFor(own)), 'is paid in another currency, and not in cash'),
    ...unless(change_amount === 0 || !hasOthers, 'gives change that may not be given'),
    ...foreign.flatMap((currency) => backFaults(sale, returns, currency)),
  ];
}

function isFitFor(own: Currency) {
  return ({ payment_type, currency }: Sale['transactions'][number]) =>
    currency === own || payment_type === 'cash';
}

/** Finds where more has gone back in a currency than came, or counts for something else. */
function backFaults(sale: Sale, returns: readonly SaleReturn[], currency: Currency): string[] {
  const rates = sale.payment_rates ?? sale.rates;
  const came = totalAmount(sale.transactions.filter((paid) => paid.currency === currency));
  const back = returns.flatMap(({ transactions }) =>
    transactions.filter((paid) => paid.currency === currency),
  );
  const amount = totalAmount(back);
  const counted = moneyPaid({ transactions: back });
  const worth = amount === 0 ? 0 : valueIn({ amount, currency }, sale.currency, rates);
  return [
    ...unless(amount <= came, `has paid ${amount} ${currency} back, of ${came} that came`),
    ...unless(counted === worth, `counts ${counted} for ${amount} ${currency} back, its rates ${worth}`),
  ];
}
