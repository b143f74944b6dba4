import { allPaid, amountPaidBy } from '#lib/trade/sale/payments.ts';
import { firstPaymentsOf, type Payment, type Sale, SaleLine, sales } from '#lib/trade/sale/record.ts';
import { readReturns } from '#lib/trade/sale/returns-of.ts';
import { PaymentType } from '#lib/values/money.ts';
import type { Books } from '../frame/books.ts';
import { batchSumFaults, checkDocuments, sumFaults } from '../frame/documents.ts';
import { tieLine } from '../frame/entries.ts';
import { faultUnless, matchesDocument, NamedSums } from '../frame/ledger.ts';
import { SoldSums } from '../reports/sold.ts';
import { costFaults } from './costs.ts';
import { BankRests } from './credit.ts';
import { ForeignRests, foreignFaults, tieChange } from './foreign.ts';
import { keyFaults } from './keys.ts';
import { headerFaults, readReturnHeaders } from './return-headers.ts';
import {
  addSaleRemainder,
  newRemainders,
  type Remainders,
  reportRemainders,
  returnFaults,
  subtractReturn,
  tieReturn,
} from './returns.ts';
import { addReturnEntry, addSaleEntry, type ShiftEntries } from './shift-entries.ts';
import { changesOf, readTenders, tenderFaults } from './tenders.ts';
import { readOpenTrackingCodes, reportOpenTrackingCodes, trackingCodeFaults } from './tracking-codes.ts';
import { serviceFaults, vatFaults } from './vat.ts';

/** Checks every sale and its returns, and ties them to their movements, postings and debts. */
export async function checkSales(books: Books) {
  /** Bonuses of clients from sales, by client and currency. */
  const bonuses = new NamedSums();
  const occasions: ShiftEntries = new Map();
  const rests = newRemainders();
  const foreign = new ForeignRests();
  const bank = new BankRests();
  const sold = new SoldSums();
  await readReturnHeaders(books);
  const marks = await readOpenTrackingCodes(books);
  const tenders = await readTenders(books);
  for (const made of [...tenders.values()].flat()) sold.addTender(made, changesOf(made));
  const book = { book: 'sales', noun: 'sale', kind: { ...sales, line: SaleLine }, hasOwnLines: true };
  await checkDocuments(books, book, async (sale, lines) => {
    const returns = await readReturns({ type: 'sale', tenant: books.tenant, id: sale.id });
    books.count('returns', returns.length);
    bonuses.add(`${sale.client_id} ${sale.currency}`, bonusesOf(sale));
    addSaleRemainder(rests, sale);
    addSaleEntry(occasions, books, sale);
    sold.addSale(sale, lines);
    foreign.addCheque(sale, returns);
    bank.addSale(sale, returns);
    for (const line of lines) books.goodsByCost.subtract(line);
    for (const line of returns.flatMap(({ products }) => products)) books.goodsByCost.addReceived(line);
    for (const made of returns) {
      subtractReturn(rests, sale, made);
      sold.addReturn(sale, made);
      addReturnEntry(occasions, books, { sale, made });
    }
    return [
      ...(await keyFaults(books, sale)),
      ...trackingCodeFaults(books, marks, sale, lines),
      ...saleFaults(sale, lines),
      ...returnFaults(sale, lines, returns),
      ...costFaults(sale, lines, returns),
      ...serviceFaults(sale, returns),
      ...vatFaults(sale, lines, returns),
      ...returns.flatMap((made) => [...tieReturn(books, sale, made), ...headerFaults(books, sale, made)]),
      ...lines.flatMap((line) => tieSold(books, sale, line)),
      ...firstPaymentsOf(sale).flatMap((payment) => tiePayment(books, rests, sale, payment)),
      ...tieChange(books, sale),
      ...tenderFaults(tenders, sale),
      ...foreignFaults(sale, returns),
    ];
  });
  sold.end();
  reportRemainders(books, rests);
  foreign.report(books);
  bank.report(books);
  reportOpenTrackingCodes(books, marks);
  return { bonuses, occasions, sold };
}

/** Computes a sale's net bonus: earned, less taken back by returns and spent. */
function bonusesOf({ bonus_earned = 0, bonus_taken_back = 0, ...sale }: Sale): number {
  const spent = amountPaidBy(['bonus'], sale);
  return bonus_earned - bonus_taken_back - spent;
}

const PAID_TOO_MUCH = 'has paid out more than came for it';
const KEEPS_BONUSES = 'keeps bonuses, and nothing that earned them';

function saleFaults(sale: Sale, lines: readonly SaleLine[]): string[] {
  const { sold_amount, transactions, exchanged_amount, services = [] } = sale;
  const paid = allPaid(sale) + exchanged_amount;
  const hasDebt = transactions.some(({ payment_type }) => payment_type === 'debt');
  const status = statusOf(sale, lines);
  return [
    ...sumFaults(sold_amount, [...lines, ...services]),
    ...faultUnless(paid === sold_amount, `comes to ${sold_amount}, its payments to ${paid}`),
    ...faultUnless(hasDebt || ownMoneyOf(sale) >= 0, PAID_TOO_MUCH),
    ...faultUnless(sale.status === status, `is ${sale.status}, its lines are ${status}`),
    ...faultUnless(hasDebt || !keepsBonuses(sale), KEEPS_BONUSES),
    ...lines.flatMap((line) => batchSumFaults({ ...line, quantity: line.sold_quantity })),
  ];
}

/** Checks whether a sale whose goods are all returned still has bonuses. */
function keepsBonuses({ status, bonus_shares = [] }: Sale): boolean {
  return status === 'full_returned' && bonus_shares.some((share) => share.gone_amount !== share.amount);
}

/** Computes how much of a sale's money is still its own. */
function ownMoneyOf({ received_amount, paid_out_amount, passed_on_amount }: Sale): number {
  return received_amount - paid_out_amount - passed_on_amount;
}

function statusOf({ services = [] }: Sale, lines: readonly SaleLine[]): Sale['status'] {
  const sold = services.map((service) => ({ ...service, sold_quantity: service.quantity }));
  const all = [...lines, ...sold];
  if (all.every(({ returned_quantity }) => returned_quantity === 0)) return 'completed';
  const isWhole = all.every(({ returned_quantity, sold_quantity }) => returned_quantity === sold_quantity);
  return isWhole ? 'full_returned' : 'partial_returned';
}

function tieSold(books: Books, { id, stock_id: stockId }: Sale, line: SaleLine): string[] {
  return tieLine(books, { document: 'sale', id, stockId }, { ...line, quantity: -line.sold_quantity });
}

function tiePayment(books: Books, rests: Remainders, sale: Sale, payment: Payment): string[] {
  if (payment.payment_type === 'debt') return tieDebt(books, rests, sale, payment);
  const { amount, transfer_id } = payment;
  if (payment.payment_type === 'deposit') {
    books.deposits.add(`sale ${sale.id} in ${payment.currency} of ${sale.client_id}`, amount);
  }
  const payment_type = PaymentType.safeParse(payment.payment_type).data;
  if (!payment_type) return faultUnless(transfer_id === null, 'is paid without money by a posting');
  const expected = {
    ...({ type: 'income', payment_type, amount, currency: payment.currency } as const),
    ...({ cashbox_id: sale.cashbox_id, source_type: 'sale', source_id: sale.id } as const),
  };
  const fault = `is not paid as posting ${transfer_id} says`;
  const missing = `is paid by posting ${transfer_id}, which does not exist`;
  return books.postings.match(`${transfer_id}`, expected, fault, missing);
}

function tieDebt(
  { debts, writtenOff }: Books,
  rests: Remainders,
  sale: Sale,
  { amount, debt_id }: Payment,
): string[] {
  const debt = debts.tie(`${debt_id}`);
  if (!debt) return [`is owed by debt ${debt_id}, which does not exist`];
  rests.debt.add(sale.id, debt.returned_amount);
  rests.writtenOff.add(sale.id, writtenOff.of(debt.id));
  const money = ownMoneyOf(sale) + debt.repaid_amount;
  if (money < 0) return [PAID_TOO_MUCH];
  // Money of a sale exchanged from it, and its bonuses, may wait here for another that its goods went to.
  if (money === 0 && keepsBonuses(sale)) return [KEEPS_BONUSES];
  const { id: sale_id, client_id, currency } = sale;
  const isSame = debt.client_id === client_id && matchesDocument(debt, { sale_id, amount, currency });
  return faultUnless(isSame, `is not owed as debt ${debt_id} says`);
}
