import { type ForeignCash, purseOf } from '#lib/trade/return/purse.ts';
import {
  amountPaidBy,
  moneyPaid,
  paymentValueIn,
  rateTaken,
  sumToDeposit,
} from '#lib/trade/sale/payments.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import type { SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { type Currency, totalAmount } from '#lib/values/money.ts';
import type { Books } from '../frame/books.ts';
import type { Entries } from '../frame/entries.ts';
import { faultUnless, NamedSums } from '../frame/ledger.ts';

/** Ties the change of a sale to its posting: the one after those of the payments. */
export function tieChange({ postings }: Entries, sale: Sale): string[] {
  const { id: source_id, cashbox_id, currency, transactions, change_amount: amount = 0 } = sale;
  if (amount === 0) return [];
  const id = 1 + Math.max(...transactions.map(({ transfer_id }) => transfer_id ?? 0));
  const money = { type: 'outcome', payment_type: 'cash', currency, amount } as const;
  const expected = { ...money, cashbox_id, source_type: 'change', source_id } as const;
  return postings.match(id, expected, `gives another change than posting ${id} says`);
}

/**
 * Checks that the payments of a sale count by its rates, that change is allowed, and that no more is refunded
 * in a currency than was received in it. Part 4, 4.6, 1.
 */
export function foreignFaults(sale: Sale, returns: readonly SaleReturn[]): string[] {
  const { currency: own, transactions, change_amount = 0, sold_amount } = sale;
  const rates = sale.payment_rates ?? sale.rates;
  const kinds = transactions.map(({ payment_type, currency }) => `${payment_type} ${currency}`);
  const { cash, deposit } = purseOf(sale, undefined);
  const others = totalAmount(transactions.filter(({ currency }) => currency === own));
  const hasOthers = amountPaidBy(['debt', 'bonus', 'deposit'], sale) > 0 || others >= sold_amount;
  return [
    ...transactions.flatMap(({ counted_amount, ...paid }) => {
      const worth = paymentValueIn(paid, own, rates);
      const is = `${paid.amount} of ${paid.payment_type} ${paid.currency}`;
      const isFit = worth === counted_amount || wasTaken(sale, { ...paid, counted_amount });
      return faultUnless(isFit, `counts ${counted_amount} for ${is}, its rates ${worth}`);
    }),
    ...faultUnless(new Set(kinds).size === kinds.length, 'is paid twice in one kind of money'),
    ...faultUnless(transactions.every(isFitFor(own)), 'is paid in another currency, and not in cash'),
    ...faultUnless(change_amount === 0 || !hasOthers, 'gives change that may not be given'),
    ...cash.flatMap((each) => backFaults(sale, returns, each)),
    ...ownFaults(sale, returns, cash),
    ...depositFaults(sale, returns, deposit),
  ];
}

/** Returns whether a payment counts for the amount accepted at the sale's retry. Contract 9.99. */
function wasTaken({ currency: own, retried_by, payment_rates }: Sale, paid: Sale['transactions'][number]) {
  if (retried_by === null || !payment_rates || paid.currency === own) return false;
  return (
    payment_rates[paid.currency] > 0 && payment_rates[paid.currency] === rateTaken(paid, payment_rates[own])
  );
}

function isFitFor(own: Currency) {
  return ({ payment_type, currency }: Sale['transactions'][number]) =>
    currency === own || payment_type === 'cash';
}

/**
 * Checks that no more is refunded in a currency than was received, by the sale itself or its predecessors,
 * and that it counts for the right amount. Amounts passed on from or to other sales allow for rounding.
 */
function backFaults(sale: Sale, returns: readonly SaleReturn[], cash: ForeignCash): string[] {
  const { currency } = cash;
  const own = totalAmount(sale.transactions.filter((paid) => paid.currency === currency));
  const came = sale.exchange_of_sale_id === null ? own : cash.amount;
  const back = returns.flatMap(({ transactions }) =>
    transactions.filter((paid) => paid.currency === currency),
  );
  const amount = totalAmount(back);
  const counted = moneyPaid({ transactions: back });
  const [from, to] = cash.rates;
  const worth = Number((BigInt(amount) * BigInt(from)) / BigInt(to));
  const isMoved = sale.exchange_of_sale_id !== null || returns.some(({ kind }) => kind === 'exchange');
  const isWorth = Math.abs(counted - worth) <= (isMoved ? returns.length : 0);
  return [
    ...faultUnless(amount <= came, `has paid ${amount} ${currency} back, of ${came} that came`),
    ...faultUnless(isWorth, `counts ${counted} for ${amount} ${currency} back, its rates ${worth}`),
  ];
}

/** Checks that payouts in a sale's own currency count for their amount, and stand for no foreign cash. */
function ownFaults(sale: Sale, returns: readonly SaleReturn[], cash: readonly ForeignCash[]): string[] {
  const paid = returns.flatMap(({ transactions }) =>
    transactions.filter(({ currency }) => currency === sale.currency),
  );
  return paid.flatMap(({ amount, counted_amount }) =>
    faultUnless(
      amount === counted_amount || (amount < counted_amount && cash.length > 0),
      `counts ${counted_amount} for ${amount} of its own currency back`,
    ),
  );
}

/**
 * Checks that the remainder of the deposit that paid a sale is the part not yet returned to it. Exchanges
 * pass it on to other sales. Part 5, 5A.6, 3.
 */
function depositFaults(sale: Sale, returns: readonly SaleReturn[], left: number): string[] {
  const isMoved = sale.exchange_of_sale_id !== null || returns.some(({ kind }) => kind === 'exchange');
  const back = returns.reduce((sum, { transactions }) => sum + sumToDeposit(transactions), 0);
  const rest = amountPaidBy(['deposit'], sale) - back;
  return faultUnless(isMoved || left === rest, `keeps ${left} of the deposit that paid it, of ${rest}`);
}

/** Foreign cash received and not refunded, less the remainders according to sales, by currency. */
export class ForeignRests {
  readonly #sums = new NamedSums();

  addCheque(sale: Sale, returns: readonly SaleReturn[]): void {
    const isForeign = ({ currency }: { readonly currency: Currency }) => currency !== sale.currency;
    const back = returns.flatMap(({ transactions }) => transactions);
    for (const { currency, amount } of sale.transactions.filter(isForeign)) this.#add(sale, currency, amount);
    for (const { currency, amount } of back.filter(isForeign)) this.#add(sale, currency, -amount);
    for (const { currency, amount, gone } of purseOf(sale, undefined).cash)
      this.#add(sale, currency, gone - amount);
  }

  /** Reports differences that are not zero. */
  report(books: Books): void {
    for (const [name, rest] of this.#sums) {
      const what = `has come and not gone back, of which cheques say that so much less is left: ${rest}`;
      books.report(
        { book: 'sales', subject: `foreign cash ${name}`, keys: [] },
        faultUnless(rest === 0, what),
      );
    }
  }

  #add({ currency: own }: Sale, currency: Currency, amount: number): void {
    this.#sums.add(`${currency} for ${own}`, amount);
  }
}
