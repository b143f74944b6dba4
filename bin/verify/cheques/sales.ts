import { type Payment, type Sale, SaleLine, sales } from '#lib/trade/sale/record.ts';
import { readReturns } from '#lib/trade/sale/returns-of.ts';
import { PaymentType, totalAmount } from '#lib/values/money.ts';
import { addTo, type Books } from '../frame/books.ts';
import { batchSumFaults, checkDocuments } from '../frame/documents.ts';
import { tieLine } from '../frame/entries.ts';
import { agrees } from '../frame/ledger.ts';
import { noteCheque, noteReturn, type Occasions } from './occasions.ts';
import { addCheque, newRests, type Rests, reportRests, takeReturn } from './rests.ts';
import { returnFaults, tieReturn } from './returns.ts';

/** What cheques leave to clients, and to the shifts that counted them. */
export interface Cheques {
  /** By client and currency. */
  readonly bonuses: Map<string, number>;
  readonly occasions: Occasions;
}

/** Checks every cheque and its returns, and ties them to their movements, postings and debts. */
export async function checkSales(books: Books): Promise<Cheques> {
  const cheques: Cheques = { bonuses: new Map(), occasions: new Map() };
  const rests = newRests();
  await checkDocuments(books, {
    ...{ book: 'sales', noun: 'sale', kind: { ...sales, line: SaleLine }, hasOwnLines: true },
    faultsOf: async (sale, lines) => {
      const returns = await readReturns({ type: 'sale', home: books.home, id: sale.id });
      books.count('returns', returns.length);
      addBonuses(cheques, sale);
      addCheque(rests, sale);
      noteCheque(cheques.occasions, books, sale);
      for (const made of returns) {
        takeReturn(rests, sale, made);
        noteReturn(cheques.occasions, books, { sale, made });
      }
      return [
        ...chequeFaults(sale, lines),
        ...returnFaults(sale, lines, returns),
        ...returns.flatMap((made) => tieReturn(books, sale, made)),
      ];
    },
    tiesOf: (sale, lines) => [
      ...lines.flatMap((line) => tieSold(books, sale, line)),
      ...sale.transactions.flatMap((payment) => tiePayment(books, rests, sale, payment)),
    ],
  });
  reportRests(books, rests);
  return cheques;
}

/** Adds what a cheque leaves to its client: earned, less what returns took back and what it spent. */
function addBonuses({ bonuses }: Cheques, sale: Sale): void {
  const { client_id, currency, transactions, bonus_earned = 0, bonus_taken_back = 0 } = sale;
  const spent = transactions.find(({ payment_type }) => payment_type === 'bonus')?.amount ?? 0;
  addTo(bonuses, `${client_id} ${currency}`, bonus_earned - bonus_taken_back - spent);
}

const PAID_TOO_MUCH = 'has paid out more than came for it';

function chequeFaults(sale: Sale, lines: readonly SaleLine[]): string[] {
  const { sold_amount, transactions, exchanged_amount, bonus_shares = [] } = sale;
  const amount = totalAmount(lines);
  const paid = totalAmount(transactions) + exchanged_amount;
  const hasDebt = transactions.some(({ payment_type }) => payment_type === 'debt');
  const status = statusOf(lines);
  const keepsBonuses = bonus_shares.some((share) => share.gone_amount !== share.amount);
  return [
    ...(amount === sold_amount ? [] : [`comes to ${sold_amount}, its lines to ${amount}`]),
    ...(paid === sold_amount ? [] : [`comes to ${sold_amount}, its payments to ${paid}`]),
    ...(hasDebt || ownMoneyOf(sale) >= 0 ? [] : [PAID_TOO_MUCH]),
    ...(sale.status === status ? [] : [`is ${sale.status}, its lines are ${status}`]),
    ...(status === 'full_returned' && keepsBonuses ? ['keeps bonuses, and nothing that earned them'] : []),
    ...lines.flatMap((line) => batchSumFaults({ ...line, quantity: line.sold_quantity })),
  ];
}

/** Computes how much of the money for a cheque is still its own. */
function ownMoneyOf({ received_amount, paid_out_amount, passed_on_amount }: Sale): number {
  return received_amount - paid_out_amount - passed_on_amount;
}

function statusOf(lines: readonly SaleLine[]): Sale['status'] {
  if (lines.every(({ returned_quantity }) => returned_quantity === 0)) return 'completed';
  const isWhole = lines.every(({ returned_quantity, sold_quantity }) => returned_quantity === sold_quantity);
  return isWhole ? 'full_returned' : 'partial_returned';
}

function tieSold(books: Books, { id, stock_id: stockId }: Sale, line: SaleLine): string[] {
  return tieLine(books, { document: 'sale', id, stockId }, { ...line, quantity: -line.sold_quantity });
}

function tiePayment(books: Books, rests: Rests, sale: Sale, payment: Payment): string[] {
  if (payment.payment_type === 'debt') return tieDebt(books, rests, sale, payment);
  const payment_type = PaymentType.safeParse(payment.payment_type).data;
  if (!payment_type) return [];
  const { amount, transfer_id } = payment;
  const posting = books.postings.tie(`${transfer_id}`);
  if (!posting) return [`is paid by posting ${transfer_id}, which does not exist`];
  const isSame = agrees(posting, {
    ...{ type: 'income', payment_type, amount, currency: sale.currency },
    ...{ cashbox_id: sale.cashbox_id, source_type: 'sale', source_id: sale.id },
  });
  return isSame ? [] : [`is not paid as posting ${transfer_id} says: ${JSON.stringify(posting)}`];
}

function tieDebt({ debts }: Books, rests: Rests, sale: Sale, { amount, debt_id }: Payment): string[] {
  const debt = debts.tie(`${debt_id}`);
  if (!debt) return [`is owed by debt ${debt_id}, which does not exist`];
  addTo(rests.debt, sale.id, debt.returned_amount);
  if (ownMoneyOf(sale) + debt.repaid_amount < 0) return [PAID_TOO_MUCH];
  const { id: sale_id, client_id, currency } = sale;
  const isSame = debt.client_id === client_id && agrees(debt, { sale_id, amount, currency });
  return isSame ? [] : [`is not owed as debt ${debt_id} says`];
}
