import * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { requireShift } from '#lib/cash/desk/read.ts';
import { writesAt } from '#lib/cash/posting/make.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { checkAccuracy } from '#lib/catalog/accuracy.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { SALE_RETURN } from '#lib/trade/sale/returns-of.ts';
import { trackingCodesBack, trackingCodeWrites } from '#lib/trade/tracking-codes/claims.ts';
import { Id, orNull } from '#lib/values/fields.ts';
import { paymentList, totalAmount } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { allocateRefund } from './allocate-refund.ts';
import { areForeign, countPayouts } from './foreign.ts';
import { LinesToReturn, linesToReturn, quantitiesReturned, restock } from './lines.ts';
import { type Original, readOriginal, readReturnStockLevels } from './original.ts';
import { Payout, payOut } from './payout.ts';
import { closePurses, openPurses } from './purses.ts';
import { clientReturnWrites, makeReturn, saleReturnWrites } from './write.ts';

/**
 * Input to return goods of a sale; all that remains if no products are listed. Part 2, "Sales"; Contract
 * 9.82.
 */
export const ReturnInput = z.object({
  /** Paying desk, and receiving warehouse; the sale's if absent. */
  cashbox_id: orNull(Id),
  stock_id: orNull(Id),
  products: LinesToReturn.default([]),
  transactions: paymentList(Payout).default([]),
});

type ReturnInput = z.output<typeof ReturnInput>;

/**
 * Returns goods of a sale to their batches. Their value first closes the sale's debt; the rest is paid out of
 * its desk, or of the named one. 400 if nothing remains to be returned, while a stocktake has closed the
 * warehouse, and without the shift that the desk needs; 422 with all failing fields. Part 2, "Sales";
 * Contract 5; Contract 9.82.
 */
export async function returnGoods(
  actor: Staff,
  { id, ...input }: ReturnInput & { readonly id: number },
  at: Instant,
  saveResponse: (sale: Sale) => Write[],
): Promise<Sale> {
  const { tenant } = actor;
  const maker = makerOf(actor);
  return retryOnContention(async () => {
    const issues = new ValidationIssues();
    const [ids, { original, desk, warehouse, returning, stockLevels }] = await Promise.all([
      allocateIds(tenant, input),
      readReturn(actor, { id, ...input }, at, issues),
    ]);
    issues.throwIfAny();

    const { sale } = original;
    const cause = { document: 'sale_return', documentId: ids.return, by: maker, at } as const;
    const products = restock(stockLevels, returning, sale, cause);
    const allotment = allocateRefund(original, totalAmount(products));
    const purses = openPurses(original, allotment);
    const paidSale = { sale, purse: purses.own, rates: original.rates ?? sale.rates };
    const { payouts, left } = countPayouts(paidSale, allotment.due, input.transactions, issues);
    const occasion = { sale, maker, comment: null, at, firstId: ids.posting };
    const { transactions, ...paid } = payOut(desk, payouts, occasion, issues);
    issues.throwIfAny();

    const places = { cashbox_id: desk.id, stock_id: warehouse.id, exchange_sale_id: null };
    const made = { id: ids.return, kind: 'return', ...places, ...maker, created_at: at } as const;
    const moves = { allotment, heir: null, purses: closePurses({ ...purses, own: left }, allotment) };
    const returned = makeReturn(original, { ...made, products, transactions }, moves);
    await transact([
      ...saleReturnWrites(tenant, original, returned),
      ...clientReturnWrites(tenant, original, returned),
      ...writesAt(tenant, paid),
      ...stockLevels.writes(warehouse),
      ...trackingCodeWrites(tenant, sale.id, [], trackingCodesBack(products)),
      ...saveResponse(returned.sale),
    ]);
    return returned.sale;
  });
}

/**
 * Reads a sale, the lines to be returned, and their stock levels. Violations go to `issues`; 422 immediately
 * without the desk or the warehouse. 400 without the shift that the desk needs.
 */
async function readReturn(
  actor: Staff,
  input: ReturnInput & { readonly id: number },
  at: Instant,
  issues: ValidationIssues,
) {
  const original = await readOriginal(actor, input.id, input);
  const { desk, warehouse } = original;
  checkPlaces(original, input, issues);
  const returning = linesToReturn(input.products, original.lines, 'products', issues);
  await checkAccuracy(actor, quantitiesReturned(input.products, original.lines, 'products'), issues);
  if (!desk || !warehouse) throw issues.refusal;
  const [stockLevels] = await Promise.all([
    readReturnStockLevels(actor, original, warehouse.id, returning),
    requireShift(actor, desk),
  ]);
  const productIds = returning.map(({ line }) => line.product_id);
  await stockLevels.addMissing(warehouse, productIds, at);
  return { original, desk, warehouse, returning, stockLevels };
}

/** Validates the paying desk and the receiving warehouse. Contract 9.82. */
function checkPlaces(
  { desk, warehouse }: Original,
  { cashbox_id, stock_id }: ReturnInput,
  issues: ValidationIssues,
): void {
  if (!desk) issues.add('cashbox_id', cashbox_id === null ? 'return.cashbox_gone' : 'validation.not_found');
  else if (cashbox_id !== null && desk.type !== 'sale')
    issues.add('cashbox_id', 'sale.cashbox_not_for_sales');
  if (!warehouse) issues.add('stock_id', stock_id === null ? 'return.stock_gone' : 'validation.not_found');
}

/** Allocates the ids of a return and of its payouts, concurrently with its reads. */
async function allocateIds(tenant: Tenant, { transactions }: ReturnInput) {
  const [id, posting] = await Promise.all([
    nextId(SALE_RETURN, tenant),
    // A remainder below a foreign coin is a payout of its own.
    nextId(POSTING, tenant, transactions.length + (areForeign(transactions) ? 1 : 0)),
  ]);
  return { return: id, posting };
}
