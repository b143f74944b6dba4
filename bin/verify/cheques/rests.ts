import { type Home, recordKey } from '#lib/table/keys.ts';
import { type Sale, sales } from '#lib/trade/sale/record.ts';
import type { SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { PaymentType, totalAmount } from '#lib/values/money.ts';
import { addTo, type Books } from '../frame/books.ts';

/*
 * What a cheque says of others, less what their returns say of it, by sale: one return may concern several
 * cheques, so that only all of them together can be compared. All rests are zero in the end.
 */

const WORDS = {
  /** What returns have closed of its debt. */
  debt: 'has a debt of which returns closed so much less than it says:',
  /** Money that others passed on to it. */
  money: 'has so much more passed on to it than returns say:',
  /** Bonuses that others passed on to it. */
  bonuses: 'has inherited so much more bonuses than returns say:',
};

/** Rests of cheques, by their ids. */
export type Rests = Readonly<Record<keyof typeof WORDS, Map<string, number>>>;

/** Begins without rests. */
export function newRests(): Rests {
  return { debt: new Map(), money: new Map(), bonuses: new Map() };
}

/** Adds what a cheque says. Its debt says what returns closed of it. */
export function addCheque({ money, bonuses }: Rests, sale: Sale): void {
  const { id, received_amount, passed_on_amount, transactions, bonus_earned } = sale;
  const own = transactions.filter(({ payment_type }) => PaymentType.safeParse(payment_type).success);
  addTo(money, id, received_amount - passed_on_amount - totalAmount(own));
  addTo(bonuses, id, totalAmount(sale.bonus_shares) - bonus_earned);
}

/** Takes off what a return closed of debts, and what it passed on: its cheque's, and that of others. */
export function takeReturn({ debt, money, bonuses }: Rests, { id }: Sale, made: SaleReturn): void {
  const { debt_amount, passed_on_amount, passed_on_bonus_amount, exchange_sale_id, origins } = made;
  const own = {
    sale_id: exchange_sale_id,
    money_amount: passed_on_amount,
    bonus_amount: passed_on_bonus_amount,
  };
  addTo(debt, id, -debt_amount);
  for (const origin of origins) addTo(debt, origin.sale_id, -origin.debt_amount);
  for (const { sale_id, money_amount, bonus_amount = 0 } of [own, ...origins]) {
    if (sale_id === null) continue;
    addTo(money, sale_id, -money_amount);
    addTo(money, id, money_amount);
    addTo(bonuses, sale_id, -bonus_amount);
  }
}

/** Reports the rests that are not zero. */
export function reportRests(books: Books, rests: Rests): void {
  const reportAll = (home: Home, sums: ReadonlyMap<string, number>, words: string) => {
    for (const [id, rest] of sums) {
      const keys = [recordKey(sales.type, home, Number(id))];
      if (rest !== 0) books.report({ book: 'sales', subject: `sale ${id}`, keys }, [`${words} ${rest}`]);
    }
  };
  reportAll(books.home, rests.debt, WORDS.debt);
  reportAll(books.home, rests.money, WORDS.money);
  reportAll(books.home, rests.bonuses, WORDS.bonuses);
}
