import { purseOf } from '#lib/trade/return/purse.ts';
import { type Payment, type Sale, sales } from '#lib/trade/sale/record.ts';
import type { SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { totalAmount } from '#lib/values/money.ts';
import type { Books } from '../frame/books.ts';
import { faultUnless, NamedSums } from '../frame/ledger.ts';

/**
 * Bank money of credit sales and the sales exchanged for them: the remainder by their purses, less payments
 * by bank that were not refunded so. Exchanges move it within a chain, so a whole chain adds up to zero.
 * Contract 9.27; Part 4, 4.6, 1.
 */
export class BankRests {
  readonly #rests = new Map<number, number>();
  readonly #exchangedFrom = new Map<number, number>();

  addSale(sale: Sale, returns: readonly SaleReturn[]): void {
    const { id, exchange_of_sale_id: origin } = sale;
    const { bank } = purseOf(sale, undefined);
    if (bank === null) return;
    if (origin !== null) this.#exchangedFrom.set(id, origin);
    const back = returns.reduce((sum, { transactions }) => sum + sumByBank(transactions), 0);
    this.#rests.set(id, bank + back - sumByBank(sale.transactions));
  }

  /** Reports chains whose difference is not zero, by their sale on credit. */
  report(books: Books): void {
    const chains = new NamedSums();
    for (const [id, rest] of this.#rests) chains.add(this.#firstOf(id), rest);
    const what = 'keeps with its exchanges so much more by bank than came and has not gone back:';
    for (const [id, rest] of chains) {
      const subject = { book: 'sales', noun: 'sale', type: sales.type, id };
      books.reportRecord(subject, faultUnless(rest === 0, `${what} ${rest}`));
    }
  }

  #firstOf(id: number): number {
    const origin = this.#exchangedFrom.get(id);
    return origin === undefined ? id : this.#firstOf(origin);
  }
}

/** Sums the amounts by bank: the value of a payout may count for foreign cash, too. */
function sumByBank(payments: readonly Pick<Payment, 'payment_type' | 'amount'>[]): number {
  return totalAmount(payments.filter(({ payment_type }) => payment_type === 'bank'));
}
