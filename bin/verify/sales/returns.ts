import { moneyPaid } from '#lib/trade/sale/payments.ts';
import { type Sale, type SaleLine, sales } from '#lib/trade/sale/record.ts';
import type { SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { PaymentType, totalAmount } from '#lib/values/money.ts';
import { totalQuantity } from '#lib/values/quantity.ts';
import type { Books } from '../frame/books.ts';
import { sumFaults } from '../frame/documents.ts';
import { type Entries, tieLine } from '../frame/entries.ts';
import { faultUnless, NamedSums } from '../frame/ledger.ts';

/** Checks a sale against the history of its returns. */
export function returnFaults(
  sale: Sale,
  lines: readonly SaleLine[],
  returns: readonly SaleReturn[],
): string[] {
  return [...figureFaults(sale, returns), ...lines.flatMap((line) => lineFaults(line, returns))];
}

/** Ties a return to its movements. */
export function tieReturn(entries: Entries, sale: Sale, made: SaleReturn): string[] {
  const document = made.kind === 'return' ? 'sale_return' : 'exchange';
  const mover = { document, id: made.id, stockId: made.stock_id ?? sale.stock_id };
  const goods = made.products.flatMap((line) =>
    tieLine(entries, mover, { ...line, quantity: line.returned_quantity }),
  );
  const source = { source_type: 'sale_return', source_id: sale.id } as const;
  const money = made.transactions.flatMap(({ transfer_id, payment_type, currency, amount }) => {
    const method = PaymentType.safeParse(payment_type).data;
    if (!method) entries.deposits.add(`return ${made.id} in ${currency} of ${sale.client_id}`, -amount);
    if (!method || transfer_id === null) {
      return faultUnless(!method && transfer_id === null, `return ${made.id} is not paid out as it says`);
    }
    const expected = { type: 'outcome', payment_type: method, amount, currency, ...source } as const;
    const fault = `return ${made.id} is not paid out as posting ${transfer_id} says`;
    return entries.postings.match(transfer_id, expected, fault);
  });
  return [...goods, ...money];
}

/** Checks a sale's figures against its returns. */
function figureFaults(sale: Sale, returns: readonly SaleReturn[]): string[] {
  const all = (amountOf: (made: SaleReturn) => number) =>
    returns.reduce((sum, made) => sum + amountOf(made), 0);
  const sums = [
    ['returned_amount', sale.returned_amount, all(({ amount }) => amount)],
    ['paid_out_amount', sale.paid_out_amount, all(moneyPaid)],
    ['bonus_taken_back', sale.bonus_taken_back ?? 0, all(({ bonus_amount }) => bonus_amount)],
  ] as const;
  return [
    ...sums.flatMap(([name, says, are]) =>
      faultUnless(says === are, `says ${name} ${says}, its returns come to ${are}`),
    ),
    ...returns.flatMap(({ id, amount, products, services = [] }) => {
      return sumFaults(amount, [...products, ...services]).map((fault) => `return ${id} ${fault}`);
    }),
  ];
}

function lineFaults({ id, ...line }: SaleLine, returns: readonly SaleReturn[]): string[] {
  const own = returns.flatMap(({ products }) => products.filter((each) => each.id === id));
  const came = own.reduce((sum, { returned_quantity }) => sum + returned_quantity, 0);
  const { returned_quantity: says, refunded_amount: refunded = 0 } = line;
  const paid = totalAmount(own);
  return [
    ...own.flatMap(({ returned_quantity: back, batches }) => {
      const put = totalQuantity(batches);
      return faultUnless(put === back, `line ${id} gave ${back} back, ${put} to batches`);
    }),
    ...faultUnless(came === says, `line ${id} says that ${says} came back, its returns ${came}`),
    ...faultUnless(says <= line.sold_quantity, `line ${id} gave back more than was sold`),
    ...faultUnless(paid === refunded, `line ${id} says that it refunded ${refunded}, its returns ${paid}`),
  ];
}

/*
 * Figures of a sale that depend on others, less those of their returns, by sale: one return may concern
 * several sales, so that only all of them together can be compared. All differences are zero in the end.
 */

const WORDS = {
  /** Debt closed by returns. */
  debt: 'has a debt of which returns closed so much less than it says:',
  /** Debt written off before returns closed it. */
  writtenOff: 'has a debt with write-offs of so much more than it and returns of it say:',
  /** Money passed on by other sales. */
  money: 'has so much more passed on to it than returns say:',
  /** Bonuses passed on by other sales. */
  bonuses: 'has inherited so much more bonuses than returns say:',
} as const;

/** Differences by sale id. */
export type Remainders = ReturnType<typeof newRemainders>;

/** Returns empty differences. */
export function newRemainders() {
  return {
    debt: new NamedSums(),
    writtenOff: new NamedSums(),
    money: new NamedSums(),
    bonuses: new NamedSums(),
  };
}

/** Adds a sale's own figures; the closed part of its debt is added from the debt itself. */
export function addSaleRemainder({ money, bonuses }: Remainders, sale: Sale): void {
  const { id, received_amount, passed_on_amount, bonus_earned } = sale;
  money.add(id, received_amount - passed_on_amount - moneyPaid(sale));
  bonuses.add(id, totalAmount(sale.bonus_shares) - bonus_earned);
}

/** Subtracts the debts closed by a return, and the amounts it passed on: its sale's, and those of others. */
export function subtractReturn(
  { debt, writtenOff, money, bonuses }: Remainders,
  { id }: Sale,
  made: SaleReturn,
): void {
  const { exchange_sale_id: sale_id, origins } = made;
  const own = { sale_id, money_amount: made.passed_on_amount, bonus_amount: made.passed_on_bonus_amount };
  for (const each of [{ ...made, sale_id: id }, ...origins]) {
    const { debt_amount, written_off_amount = 0 } = each;
    debt.add(each.sale_id, -debt_amount - written_off_amount);
    writtenOff.add(each.sale_id, -written_off_amount);
  }
  for (const passed of [own, ...origins]) {
    if (passed.sale_id === null) continue;
    money.add(passed.sale_id, -passed.money_amount);
    money.add(id, passed.money_amount);
    bonuses.add(passed.sale_id, -(passed.bonus_amount ?? 0));
  }
}

/** Reports differences that are not zero. */
export function reportRemainders(books: Books, rests: Remainders): void {
  for (const kind of ['debt', 'writtenOff', 'money', 'bonuses'] as const) {
    for (const [id, rest] of rests[kind]) {
      const subject = { book: 'sales', noun: 'sale', type: sales.type, id };
      books.reportRecord(subject, faultUnless(rest === 0, `${WORDS[kind]} ${rest}`));
    }
  }
}
