import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import type { Charge } from '#lib/clients/client-sums.ts';
import { type Shelves, shelfWrites } from '#lib/stock/shelves.ts';
import type { Home } from '#lib/table/keys.ts';
import { idsOnce, nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { Write } from '#lib/table/transaction/write.ts';
import { putReturned } from '#lib/trade/return/goods.ts';
import { linesToReturn, type Returning } from '#lib/trade/return/lines.ts';
import { type Original, readOriginal, readReturnShelves } from '#lib/trade/return/original.ts';
import { type Allotment, allot, type PaidOut, payOut } from '#lib/trade/return/payout.ts';
import {
  afterReturn,
  bonusesBack,
  chargeOf,
  chequeReturnWrites,
  clientReturnWrites,
  newReturn,
} from '#lib/trade/return/write.ts';
import { type Basis, readBasis } from '#lib/trade/sale/basis.ts';
import { priceLines } from '#lib/trade/sale/cart.ts';
import { type Goods, takeGoods } from '#lib/trade/sale/goods.ts';
import { checkDebtor, type Paid, paymentsOf, takePayments } from '#lib/trade/sale/payments.ts';
import { SALE_LINE, Sale } from '#lib/trade/sale/record.ts';
import { SALE_RETURN } from '#lib/trade/sale/returns-of.ts';
import {
  type ChequeHead,
  chequeWrites,
  clientWrites,
  drawSaleIds,
  incomeWrites,
  newSale,
} from '#lib/trade/sale/write.ts';
import { totalAmount } from '#lib/values/money.ts';
import { Problems } from '#lib/values/problems.ts';
import type { Instant } from '#lib/values/time.ts';
import { checkDifference, differenceOf } from './difference.ts';
import type { ExchangeInput } from './input.ts';

/** Both cheques of an exchange. Part 2, "Sales". */
export const Exchange = z.object({ original_sale: Sale, exchange_sale: Sale });

type Exchange = z.input<typeof Exchange>;

/**
 * Exchanges goods of a cheque for others: the ones go back to their batches, the others are a new cheque. The
 * returned value pays for the new goods, the difference is paid by or to the customer. All of it or nothing,
 * in one transaction. 400 as a return, 422 with all failing fields. Part 2, "Sales"; Decisions, 9 (25).
 */
export async function exchange(
  actor: Staff,
  { id, ...input }: ExchangeInput & { readonly id: number },
  at: Instant,
  remember: (both: Exchange) => Write[],
): Promise<Exchange> {
  const { home, id: creator_id } = actor;
  const { client_id, comment } = input;
  const payments = paymentsOf(input);
  const drawing = Promise.all([drawSaleIds(home, payments), nextId(SALE_RETURN, home)]);
  const lineIds = idsOnce(SALE_LINE, home);
  return retryOnContention(async () => {
    const problems = new Problems();
    const [[ids, returnId], read] = await Promise.all([drawing, readOriginal(actor, id)]);
    const { sale } = read;
    const returning = linesToReturn(input.returned_products, read.lines, 'returned_products', problems);
    const { basis, back } = await readSides(actor, { input, returning, lineIds }, read, problems);
    const original = sale.client_id === client_id ? { ...read, clientSums: basis.clientSums } : read;
    const source = { source_type: 'native', source_data: { exchange_key: `exchange-${returnId}` } } as const;
    const head = { ids, creator_id, client_id, hold_id: null, comment, ...source, at };
    const cause = { by: creator_id, at };

    checkPlaces(input, basis, sale, problems);
    checkDebtor(input, payments, at, problems);
    const exchanging = { ...cause, document: 'exchange', documentId: returnId } as const;
    const products = putReturned(back, returning, sale, exchanging);
    const lines = priceLines(input, basis, problems);
    const selling = { ...cause, document: 'sale', documentId: ids.sale } as const;
    const goods = takeGoods(basis, lines, selling, problems.restingOn('returned_products'));
    const [total, value] = [totalAmount(lines), totalAmount(products)];
    const allotment = allot(original, value, total);
    const difference = differenceOf(payments, total, value);
    checkDifference(sale, { ...difference, transactions: input.transactions }, allotment, problems);
    const paid = takePayments(basis, difference.surcharge, head, problems);
    const place = { company_id: basis.desk.company_id, cashbox_id: basis.desk.id };
    const paidOut = payOut(
      paid.money,
      { payouts: difference.payouts, currency: sale.currency },
      { ...place, creator_id, source_id: sale.id, comment, at, firstId: ids.transfer },
      problems.restingOn('cashbox_id', 'currency'),
    );
    problems.throwIfAny();

    const takenBack = bonusesBack(original, value, at);
    const history = { id: returnId, sale_id: sale.id, kind: 'exchange', exchange_sale_id: ids.sale } as const;
    const made = newReturn({ ...history, products, creator_id }, allotment, paidOut, { takenBack, at });
    const after = afterReturn(original, made);
    const both = {
      original_sale: { ...after.sale, source_data: { ...sale.source_data, ...head.source_data } },
      exchange_sale: exchangeSale(basis, head, { goods, paid, allotment }, sale),
    };
    const charge = chargeOf(sale, allotment.closed, takenBack);
    await transact([
      ...chequeReturnWrites(home, original, { ...after, sale: both.original_sale }, made),
      ...chequeWrites(home, both.exchange_sale, goods.lines),
      ...incomeWrites(home, basis.desk, withPayouts(paid, paidOut)),
      ...clientsWrites(original, both.exchange_sale, { home, charge, paid }, input.due_date),
      ...shelfWrites(basis.shelves, basis.warehouse),
      ...(back === basis.shelves ? [] : shelfWrites(back, original.warehouse)),
      ...remember(both),
    ]);
    return both;
  });
}

/**
 * Reads what the new cheque rests on, and the shelves that the returned goods come back to: the same shelves
 * if it is one warehouse, so that goods which come back can be sold again at once.
 */
async function readSides(
  actor: Staff,
  asked: {
    readonly input: ExchangeInput;
    readonly returning: readonly Returning[];
    readonly lineIds: (count: number) => Promise<number>;
  },
  original: Original,
  problems: Problems,
): Promise<{ readonly basis: Basis; readonly back: Shelves }> {
  const { input, returning, lineIds } = asked;
  const isHere = input.stock_id === original.sale.stock_id;
  const setAside = isHere ? returning.map(({ line }) => line) : [];
  const [basis, elsewhere] = await Promise.all([
    readBasis(actor, { ...input, setAside }, lineIds, problems),
    readReturnShelves(actor, original, isHere ? [] : returning),
  ]);
  return { basis, back: isHere ? basis.shelves : elsewhere };
}

/**
 * Checks that desk and warehouse are of the cheque's company, and that the currency is its own. Decisions,
 * 9 (26).
 */
function checkPlaces(input: ExchangeInput, { desk }: Basis, sale: Sale, problems: Problems): void {
  const wrong = problems.restingOn('cashbox_id');
  if (input.company_id !== desk.company_id) wrong.add('company_id', 'exchange.not_cashbox_company');
  if (desk.company_id !== sale.company_id) {
    wrong.add('cashbox_id', 'exchange.other_company');
    wrong.add('stock_id', 'exchange.other_company');
  }
  if (input.currency !== sale.currency) {
    problems.add('currency', { key: 'sale.other_currency', with: { currency: sale.currency } });
  }
}

/** Makes the new cheque: it inherits the money that the returned value stands for. */
function exchangeSale(
  basis: Basis,
  head: ChequeHead,
  { goods, paid, allotment }: { readonly goods: Goods; readonly paid: Paid; readonly allotment: Allotment },
  { id: exchange_of_sale_id }: Sale,
): Sale {
  const made = newSale(basis, head, goods, paid);
  return {
    ...made,
    exchange_of_sale_id,
    received_amount: made.received_amount + allotment.passedOn,
    exchanged_amount: allotment.exchanged,
  };
}

/** The writes to the clients of both cheques: one if it is the same client, as an item may come only once. */
function clientsWrites(
  original: Original,
  made: Sale,
  { home, charge, paid }: { readonly home: Home; readonly charge: Charge; readonly paid: Paid },
  due_date: string | null,
): Write[] {
  if (made.client_id !== original.sale.client_id) {
    const returned = clientReturnWrites(home, original, charge, made.created_at);
    return [...returned, ...clientWrites(home, made, paid, due_date)];
  }
  const { debt, takenBack } = charge;
  const joined = { ...paid.charge, debt: paid.charge.debt + debt, takenBack };
  return clientWrites(home, made, { ...paid, charge: joined }, due_date);
}

/** Joins what comes in and what goes out of one desk, whose money is one item. */
function withPayouts(paid: Paid, { money, transfers }: PaidOut): Paid {
  return { ...paid, money, transfers: [...paid.transfers, ...transfers] };
}
