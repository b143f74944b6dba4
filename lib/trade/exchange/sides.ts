import type { Staff } from '#lib/access/actor.ts';
import type { Shelves } from '#lib/stock/shelves.ts';
import { putReturned } from '#lib/trade/return/goods.ts';
import type { Returning } from '#lib/trade/return/lines.ts';
import { type Original, readReturnShelves } from '#lib/trade/return/original.ts';
import { type Basis, readBasis } from '#lib/trade/sale/basis.ts';
import { priceLines } from '#lib/trade/sale/cart.ts';
import { takeGoods } from '#lib/trade/sale/goods.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import type { ChequeHead } from '#lib/trade/sale/write.ts';
import { totalAmount } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import type { ExchangeInput } from './input.ts';

/** The two sides of an exchange, as they were read. */
export interface Sides {
  /** The cheque of which goods come back; its client's sums are the basis's if both have one client. */
  readonly original: Original;
  /** What the new cheque rests on. */
  readonly basis: Basis;
  /** The shelves for the returned goods: the basis's if both are of one warehouse. */
  readonly back: Shelves;
}

/**
 * Reads what the new cheque rests on, and the shelves that the returned goods come back to: the same shelves
 * if it is one warehouse, so that goods which come back can be sold again at once.
 */
export async function readSides(
  actor: Staff,
  asked: {
    readonly input: ExchangeInput;
    readonly returning: readonly Returning[];
  },
  read: Original,
  problems: Problems,
): Promise<Sides> {
  const { input, returning } = asked;
  const isHere = input.stock_id === read.sale.stock_id;
  const setAside = isHere ? returning.map(({ line }) => line) : [];
  const [basis, elsewhere] = await Promise.all([
    readBasis(actor, { ...input, setAside }, problems),
    readReturnShelves(actor, read, read.sale.stock_id, isHere ? [] : returning),
  ]);
  const isTheirs = read.sale.client_id === input.client_id;
  return {
    original: isTheirs ? { ...read, clientSums: basis.clientSums } : read,
    basis,
    back: isHere ? basis.shelves : elsewhere,
  };
}

/**
 * Checks that desk and warehouse are of the cheque's company, and that the currency is its own. Decisions,
 * 9 (26).
 */
export function checkPlaces(input: ExchangeInput, { desk }: Basis, sale: Sale, problems: Problems): void {
  const wrong = problems.unless('cashbox_id');
  if (input.company_id !== desk.company_id) wrong.add('company_id', 'exchange.not_cashbox_company');
  if (desk.company_id !== sale.company_id) {
    wrong.add('cashbox_id', 'exchange.other_company');
    wrong.add('stock_id', 'exchange.other_company');
  }
  if (input.currency !== sale.currency) {
    problems.add('currency', { key: 'sale.other_currency', with: { currency: sale.currency } });
  }
}

/**
 * Puts the returned goods back and takes the new ones, and tells what both are worth. What is wrong goes to
 * `problems`.
 */
export function swapGoods(
  { original, basis, back }: Sides,
  { input, returning }: { readonly input: ExchangeInput; readonly returning: readonly Returning[] },
  { head, returnId }: { readonly head: ChequeHead; readonly returnId: number },
  problems: Problems,
) {
  const { creator_id, impersonator_id, at } = head;
  const cause = { by: { creator_id, impersonator_id }, at };
  const exchanging = { ...cause, document: 'exchange', documentId: returnId } as const;
  const products = putReturned(back, returning, original.sale, exchanging);
  const lines = priceLines(input, basis, problems);
  const selling = { ...cause, document: 'sale', documentId: head.ids.sale } as const;
  const goods = takeGoods(basis, lines, selling, problems.unless('returned_products'));
  return { products, goods, total: totalAmount(lines), value: totalAmount(products) };
}
