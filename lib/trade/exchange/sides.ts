import * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { type Accuracies, type Measured, readAccuracies } from '#lib/catalog/accuracy.ts';
import type { StockLevels } from '#lib/stock/stock-levels.ts';
import { nextId } from '#lib/table/sequences.ts';
import { LinesToReturn, linesOfReturn, quantitiesReturned } from '#lib/trade/return/lines.ts';
import {
  type Original,
  readOriginal,
  readReturnStockLevels,
  requireOpenFor,
} from '#lib/trade/return/original.ts';
import { ServicesToReturn } from '#lib/trade/return/services.ts';
import { exchangeNote } from '#lib/trade/return/write.ts';
import { quantitiesTaken } from '#lib/trade/sale/cart.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { paymentsIn, paymentsOf, type SettledPayments, withBodyPaths } from '#lib/trade/sale/payments.ts';
import { SALE_RETURN } from '#lib/trade/sale/returns-of.ts';
import { readSaleContext, type SaleContext, type SaleHeader } from '#lib/trade/sale/sale-context.ts';
import { drawSaleIds } from '#lib/trade/sale/write.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id, orNull } from '#lib/values/fields.ts';
import { amount, Currency, paymentList } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';

/** Input to exchange goods of a sale for others. Part 2, "Sales". */
export const ExchangeInput = SaleInput.pick({
  cashbox_id: true,
  stock_id: true,
  currency: true,
  client_id: true,
  price_type_id: true,
  products: true,
  bundles: true,
  services: true,
  discount: true,
  due_date: true,
  exceed_limit: true,
  comment: true,
})
  .extend({
    company_id: Id,
    returned_products: LinesToReturn.default([]),
    returned_services: ServicesToReturn.default([]),
    transactions: paymentList(
      z.object({
        payment_type: enumeration('payment_type', ['cash', 'card', 'bank', 'debt', 'deposit']),
        amount: amount(0.01),
        /**
         * The sale's if omitted; money may be paid back in a currency that it was paid in. Part 4, 4.6, 1.
         */
        currency: orNull(Currency),
        /** Cash as handed over for a surcharge. Part 5, 5B.6. */
        tendered_amount: orNull(amount(0.01)),
      }),
    ).default([]),
  })
  .refine(
    ({ returned_products, returned_services }) => returned_products.length + returned_services.length > 0,
    { path: ['returned_products'], error: 'validation.required' },
  );

export type ExchangeInput = z.output<typeof ExchangeInput>;

/** Input of an exchange, with its sale; a preview moves no money, and so needs no open shift. */
type ExchangeOfSale = ExchangeInput & { readonly id: number; readonly movesMoney?: boolean };

/** Data that both sides of an exchange are decided by, as read. */
export interface ExchangeFacts {
  readonly ids: SaleHeader['ids'];
  /** Sale of which goods are returned; has the balances of the context if both have one client. */
  readonly original: Original;
  readonly returnId: number;
  /** Stock levels for the returned goods: those of the context if both are of one warehouse. */
  readonly back: StockLevels;
  /** Context of the new sale. */
  readonly basis: SaleContext;
  /** Limits of decimal places for `quantitiesOf`. */
  readonly accuracies: Accuracies;
}

/** Both sides of an exchange. */
export interface ExchangeSides extends Omit<ExchangeFacts, 'ids'> {
  /** Header of the new sale. */
  readonly head: SaleHeader;
  /** Payments of the difference, if the customer pays it. */
  readonly payments: SettledPayments;
  /** The same as sent: paid by the customer, or to them. */
  readonly requested: ExchangeInput['transactions'];
}

/**
 * Reads the sale of which goods are returned, the context of the new one, and the stock levels for the
 * returned goods: the same ones for a common warehouse, so that these goods can be sold again at once. Draws
 * the ids of both in parallel. 400 if nothing is left to return.
 */
export async function readExchange(actor: Staff, input: ExchangeOfSale): Promise<ExchangeFacts> {
  const { tenant } = actor;
  const [ids, returnId, goods] = await Promise.all([
    // By their own currencies: a payout below a foreign coin is a posting of its own.
    drawSaleIds(tenant, paymentsOf({ ...input, change_amount: null })),
    nextId(SALE_RETURN, tenant),
    readBothGoods(actor, input),
  ]);
  const quantities = quantitiesOf(input, { free: () => 0 }, goods.original);
  const accuracies = await readAccuracies(actor, quantities, goods.basis.products);
  return { ...goods, ids, returnId, accuracies };
}

function paymentsOfInput({ currency, transactions }: ExchangeInput): SettledPayments {
  return paymentsIn(currency, withBodyPaths(transactions));
}

/** Completes the sides of an exchange by its input; the goods move on a copy of the stock levels. */
export function sidesOf(
  actor: Staff,
  input: ExchangeInput,
  { ids, ...facts }: ExchangeFacts,
  at: Instant,
): ExchangeSides {
  const { client_id, comment } = input;
  const source = { source_type: 'native', source_data: exchangeNote(facts.returnId) } as const;
  const made = { maker: makerOf(actor), sent_by: actor.id, key: null, sold_at: at, at };
  const head = { ids, ...made, client_id, hold_id: null, comment, ...source };
  const sides = withCopiedStock(facts);
  return { ...sides, head, payments: paymentsOfInput(input), requested: input.transactions };
}

/** Copies the stock levels that goods move on; one copy if both sides are of one warehouse. */
function withCopiedStock<S extends Pick<ExchangeFacts, 'basis' | 'back'>>(sides: S): S {
  const basis = { ...sides.basis, stockLevels: sides.basis.stockLevels.copy() };
  const isHere = sides.back === sides.basis.stockLevels;
  return { ...sides, basis, back: isHere ? basis.stockLevels : sides.back.copy() };
}

async function readBothGoods(actor: Staff, input: ExchangeOfSale) {
  const read = await readOriginal(actor, input.id);
  if (!read.warehouse) throw badRequest('return.stock_gone');
  const returning = linesOfReturn(input.returned_products, read.lines);
  requireOpenFor(read, returning);
  const isHere = input.stock_id === read.sale.stock_id;
  const setAside = isHere ? returning : [];
  const [basis, elsewhere] = await Promise.all([
    readSaleContext(actor, { ...input, setAside, ownCurrency: read.sale.currency }),
    readReturnStockLevels(actor, read, read.sale.stock_id, isHere ? [] : returning),
  ]);
  const isTheirs = read.sale.client_id === input.client_id;
  const original = isTheirs ? { ...read, clientSums: basis.clientSums } : read;
  return { original, basis, back: isHere ? basis.stockLevels : elsewhere };
}

/** Lists the quantities of an exchange whose decimal places are limited: sold, then returned. */
export function quantitiesOf(
  { products, returned_products }: ExchangeInput,
  stockLevels: Pick<StockLevels, 'free'>,
  { lines }: Pick<Original, 'lines'>,
): Measured[] {
  return [
    ...quantitiesTaken(products, stockLevels),
    ...quantitiesReturned(returned_products, lines, 'returned_products'),
  ];
}

/** Validates that desk and warehouse belong to the company of the sale. Contract 9.26. */
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
