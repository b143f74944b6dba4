import type { Staff } from '#lib/access/actor.ts';
import type { Shelves } from '#lib/stock/shelves.ts';
import { linesToReturn, type Returning } from '#lib/trade/return/lines.ts';
import { type Original, readOriginal, readReturnShelves } from '#lib/trade/return/original.ts';
import { type Basis, readBasis } from '#lib/trade/sale/basis.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import type { Problems } from '#lib/values/problems.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { ExchangeInput } from './input.ts';

/** The two sides of an exchange, as they were read. */
export interface Sides {
  /** The cheque of which goods come back; its client's sums are the basis's if both have one client. */
  readonly original: Original;
  /** What the new cheque rests on. */
  readonly basis: Basis;
  /** The shelves for the returned goods: the basis's if both are of one warehouse. */
  readonly back: Shelves;
  readonly returning: readonly Returning[];
}

/**
 * Reads the cheque of which goods come back, what the new one rests on, and the shelves that the goods come
 * back to: the same shelves if it is one warehouse, so that goods which come back can be sold again at once.
 */
export async function readSides(
  actor: Staff,
  input: ExchangeInput & { readonly id: number },
  problems: Problems,
): Promise<Sides> {
  const read = await readOriginal(actor, input.id);
  if (!read.warehouse) throw refuse('return.stock_gone');
  const returning = linesToReturn(input.returned_products, read.lines, 'returned_products', problems);
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
    returning,
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
