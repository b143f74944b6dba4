import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { checkAccuracy } from '#lib/catalog/accuracy.ts';
import { withEarnings } from '#lib/clients/bonus-share.ts';
import type { Write } from '#lib/table/change/write.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { priceLines } from '#lib/trade/pricing/lines.ts';
import { allocateRefund } from '#lib/trade/return/allocate-refund.ts';
import { quantitiesReturned, restock } from '#lib/trade/return/lines.ts';
import type { Original } from '#lib/trade/return/original.ts';
import type { PaidOut } from '#lib/trade/return/payout.ts';
import { withPurse } from '#lib/trade/return/purse.ts';
import { closePurses, openPurses, purseOfHeir } from '#lib/trade/return/purses.ts';
import {
  type CompletedReturn,
  clientReturnWrites,
  type Moves,
  makeReturn,
  saleReturnWrites,
} from '#lib/trade/return/write.ts';
import { takeGoods } from '#lib/trade/sale/goods.ts';
import { amountPaidBy } from '#lib/trade/sale/payment-totals.ts';
import { checkDebtor } from '#lib/trade/sale/payments.ts';
import { quantitiesTaken } from '#lib/trade/sale/quantities.ts';
import { Sale } from '#lib/trade/sale/record.ts';
import type { ReturnedLine } from '#lib/trade/sale/returns-of.ts';
import { type CompletedSale, newSale, saleWrites } from '#lib/trade/sale/write.ts';
import { throwIfInvalid, trackingCodesBack, trackingCodeWrites } from '#lib/trade/tracking-codes/claims.ts';
import { validateTrackingCodes } from '#lib/trade/tracking-codes/validate.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { totalAmount } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { payDifference, withPayouts } from './difference.ts';
import { checkPlaces, type ExchangeInput, type ExchangeSides, readExchangeSides } from './sides.ts';

/** Enough for any customer; a return reads and guards all of them. */
const MAX_ORIGINS = 20;

/** Both cheques of an exchange. Part 2, "Sales". */
export const Exchange = z.object({ original_sale: Sale, exchange_sale: Sale });

type Exchange = z.input<typeof Exchange>;

/**
 * Exchanges goods of a cheque for others: the ones go back to their batches, the others are a new cheque. The
 * returned value pays for the new goods, the difference is paid by or to the customer. All of it or nothing,
 * in one transaction. 400 as a return, 422 with all failing fields. Part 2, "Sales"; Contract 9.25.
 */
export async function exchange(
  actor: Staff,
  { id, ...input }: ExchangeInput & { readonly id: number },
  at: Instant,
  saveResponse: (both: Exchange) => Write[],
): Promise<Exchange> {
  return retryOnContention(async () => {
    const issues = new ValidationIssues();
    const sides = await readExchangeSides(actor, { id, ...input }, at, issues);
    const { original, basis, head } = sides;
    checkPlaces(input, sides, issues);
    checkDebtor(input, sides.payments, at, issues);

    const products = putBack(sides);
    const lines = priceLines(input, basis, issues);
    const quantities = quantitiesTaken(input.products, basis.stockLevels);
    const returned_quantities = quantitiesReturned(
      input.returned_products,
      original.lines,
      'returned_products',
    );
    await checkAccuracy(actor, [...quantities, ...returned_quantities], issues);
    const marks = validateTrackingCodes(input, lines, basis.products, issues);
    const goods = takeGoods(basis, lines, { ...head, marks }, issues.unless('returned_products'));
    const back = trackingCodesBack(products);
    const allotment = allocateRefund(original, totalAmount(products), totalAmount(lines));
    const purses = openPurses(original, allotment);
    const given = { allotment, purse: purses.own };
    const difference = payDifference(sides, given, { actor, ...input }, issues);
    await throwIfInvalid(actor.tenant, { sold: goods.marks, back }, issues);

    const closed = closePurses({ ...purses, own: difference.left }, allotment);
    const moves = { allotment, heir: head.client_id, purses: closed };
    const returned = returnOf(sides, products, moves, difference.paidOut);
    const made = inherit(newSale(basis, head, goods, difference.paid), original, returned);
    const sale = withPurse(made, purseOfHeir(purses, amountPaidBy(['bank'], made)));
    const both = { original_sale: returned.sale, exchange_sale: sale };
    await transact([
      ...exchangeWrites(sides, returned, { sale, goods, paid: withPayouts(difference) }, input.due_date),
      ...trackingCodeWrites(actor.tenant, sale.id, goods.marks, back),
      ...saveResponse(both),
    ]);
    return both;
  });
}

/** Puts the returned goods back, so that they may be sold again at once. */
function putBack({
  original,
  returning,
  back,
  returnId,
  head: { maker, at },
}: ExchangeSides): ReturnedLine[] {
  const cause = { document: 'exchange', documentId: returnId, by: maker, at } as const;
  return restock(back, returning, original.sale, cause);
}

/** Makes the return that an exchange is for its first cheque. */
function returnOf(
  { original, returnId, basis, head: { ids, maker, at } }: ExchangeSides,
  products: ReturnedLine[],
  moves: Moves,
  { transactions }: PaidOut,
): CompletedReturn {
  const places = { cashbox_id: basis.desk.id, stock_id: original.sale.stock_id, exchange_sale_id: ids.sale };
  const made = { id: returnId, kind: 'exchange', ...places, ...maker, created_at: at } as const;
  return makeReturn(original, { ...made, products, transactions }, moves);
}

/** Gives the new cheque the money that the returned value stands for, and what that earned. */
function inherit(sale: Sale, original: Original, { made, moved }: CompletedReturn): Sale {
  return {
    ...sale,
    exchange_of_sale_id: original.sale.id,
    received_amount: sale.received_amount + made.passed_on_amount,
    exchanged_amount: made.exchanged_amount,
    bonus_shares: withEarnings(sale.bonus_shares, moved.passedOn),
    origins: originsOf(original),
  };
}

/** Lists the cheques on debt that a cheque exchanged from this one comes from. 400 if they are too many. */
function originsOf({ sale, debt }: Original): Sale['origins'] {
  const { origins } = sale;
  if (!debt) return origins;
  if (origins.length === MAX_ORIGINS) throw badRequest('exchange.too_many_debts', { max: MAX_ORIGINS });
  return [{ sale_id: sale.id, debt_id: debt.id, client_id: debt.client_id }, ...origins];
}

/**
 * Builds the writes of both cheques. An item may come only once in a transaction, so one client is charged
 * for both at once, and the shelves of one warehouse are written once.
 */
function exchangeWrites(
  { original, basis, back }: ExchangeSides,
  returned: CompletedReturn,
  sale: CompletedSale,
  due_date: string | null,
): Write[] {
  const { tenant } = back;
  const { paid } = sale;
  const isOneClient = original.sale.client_id === sale.sale.client_id;
  const { debt, takenBack } = returned.charge;
  const both = { ...paid.charge, debt: paid.charge.debt + debt, takenBack };
  const charge = isOneClient ? both : paid.charge;
  return [
    ...saleReturnWrites(tenant, original, returned, sale.sale.stock_id),
    ...(isOneClient ? [] : clientReturnWrites(tenant, original, returned)),
    ...(back === basis.stockLevels ? [] : back.writes(original.warehouse)),
    ...saleWrites(tenant, basis, { ...sale, paid: { ...paid, charge } }, due_date),
  ];
}
