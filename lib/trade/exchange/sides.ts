import * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import type { StockLevels } from '#lib/stock/stock-levels.ts';
import { nextId } from '#lib/table/sequences.ts';
import { LinesToReturn, linesToReturn, type Returning } from '#lib/trade/return/lines.ts';
import { type Original, readOriginal, readReturnStockLevels } from '#lib/trade/return/original.ts';
import { exchangeNote } from '#lib/trade/return/write.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { paymentsIn, type SettledPayments, withBodyPaths } from '#lib/trade/sale/payments.ts';
import { SALE_RETURN } from '#lib/trade/sale/returns-of.ts';
import { readSaleContext, type SaleContext, type SaleHeader } from '#lib/trade/sale/sale-context.ts';
import { drawSaleIds } from '#lib/trade/sale/write.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { Id, orNull } from '#lib/values/fields.ts';
import { amount, Currency, paymentList } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';

/** Input to exchange goods of a cheque for others. Part 2, "Sales". */
export const ExchangeInput = SaleInput.pick({
  cashbox_id: true,
  stock_id: true,
  currency: true,
  client_id: true,
  products: true,
  bundles: true,
  due_date: true,
  exceed_limit: true,
  comment: true,
}).extend({
  company_id: Id,
  returned_products: LinesToReturn.min(1),
  transactions: paymentList(
    z.object({
      payment_type: z.enum(['cash', 'card', 'bank', 'debt']),
      amount: amount(0.01),
      /** The cheque's if left out; money may go back in a currency in which it came. Part 4, 4.6, 1. */
      currency: orNull(Currency),
    }),
  ).default([]),
});

export type ExchangeInput = z.output<typeof ExchangeInput>;

/** The two sides of an exchange, as they were read. */
export interface ExchangeSides {
  /** The cheque of which goods come back; its client's sums are the basis's if both have one client. */
  readonly original: Original;
  readonly returnId: number;
  readonly returning: readonly Returning[];
  /** The shelves for the returned goods: the basis's if both are of one warehouse. */
  readonly back: StockLevels;
  /** What the new cheque rests on, and what it is made with. */
  readonly basis: SaleContext;
  readonly head: SaleHeader;
  /** Of the difference, if it is paid to the desk. */
  readonly payments: SettledPayments;
  /** The same as it was sent: to the desk, or out of it. */
  readonly asked: ExchangeInput['transactions'];
}

/**
 * Reads the cheque of which goods come back, what the new one rests on, and the shelves that the goods come
 * back to: the same shelves if it is one warehouse, so that goods which come back can be sold again at once.
 * Draws the ids of both beside that.
 */
export async function readExchangeSides(
  actor: Staff,
  input: ExchangeInput & { readonly id: number },
  at: Instant,
  issues: ValidationIssues,
): Promise<ExchangeSides> {
  const { tenant } = actor;
  const { client_id, comment } = input;
  const payments = paymentsIn(input.currency, withBodyPaths(input.transactions));
  const [ids, returnId, goods] = await Promise.all([
    drawSaleIds(tenant, payments),
    nextId(SALE_RETURN, tenant),
    readBothGoods(actor, input, issues),
  ]);
  const source = { source_type: 'native', source_data: exchangeNote(returnId) } as const;
  const made = { maker: makerOf(actor), sent_by: actor.id, key: null, sold_at: at, at };
  const head = { ids, ...made, client_id, hold_id: null, comment, ...source };
  return { ...goods, returnId, head, payments, asked: input.transactions };
}

async function readBothGoods(
  actor: Staff,
  input: ExchangeInput & { readonly id: number },
  issues: ValidationIssues,
) {
  const read = await readOriginal(actor, input.id);
  if (!read.warehouse) throw badRequest('return.stock_gone');
  const returning = linesToReturn(input.returned_products, read.lines, 'returned_products', issues);
  const isHere = input.stock_id === read.sale.stock_id;
  const setAside = isHere ? returning.map(({ line }) => line) : [];
  const [basis, elsewhere] = await Promise.all([
    readSaleContext(actor, { ...input, setAside, ownCurrency: read.sale.currency }, issues),
    readReturnStockLevels(actor, read, read.sale.stock_id, isHere ? [] : returning),
  ]);
  const isTheirs = read.sale.client_id === input.client_id;
  const original = isTheirs ? { ...read, clientSums: basis.clientSums } : read;
  return { original, returning, basis, back: isHere ? basis.stockLevels : elsewhere };
}

/** Checks that desk and warehouse are of the cheque's company. Contract 9.26. */
export function checkPlaces(
  { company_id }: ExchangeInput,
  { basis: { desk }, original: { sale } }: ExchangeSides,
  issues: ValidationIssues,
): void {
  const wrong = issues.unless('cashbox_id');
  if (company_id !== desk.company_id) wrong.add('company_id', 'exchange.not_cashbox_company');
  if (desk.company_id !== sale.company_id) {
    wrong.add('cashbox_id', 'exchange.other_company');
    wrong.add('stock_id', 'exchange.other_company');
  }
}
