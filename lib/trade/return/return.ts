import type { Staff } from '#lib/auth/actor.ts';
import { requireShift } from '#lib/cash/desk/read.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { readAccuracies } from '#lib/catalog/accuracy.ts';
import { deposits } from '#lib/clients/deposit/record.ts';
import { StockLevels } from '#lib/stock/stock-levels.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { SALE_RETURN } from '#lib/trade/sale/returns-of.ts';
import { requirePlan } from '#lib/trade/tracking-codes/claims.ts';
import type { Instant } from '#lib/values/time.ts';
import {
  decideReturn,
  linesNamed,
  type ReturnFacts,
  type ReturnInput,
  returnPlanWrites,
} from './decide-return.ts';
import { linesOfReturn, quantitiesReturned } from './lines.ts';
import { readOriginal, readReturnStockLevels, requireOpenFor } from './original.ts';
import { areForeign } from './payout.ts';

/** Input of a return, with the id of its sale; a preview moves no money, and so needs no open shift. */
type ReturnOfSale = ReturnInput & { readonly id: number; readonly movesMoney?: boolean };

/**
 * Returns goods of a sale to their batches. Their value first closes the sale's debt; the rest is paid out of
 * its desk, or of the named one. 400 if nothing remains to be returned, while a stocktake has closed the
 * warehouse, and without the shift that the desk needs; 422 with all failing fields. Part 2, "Sales";
 * Contract 5; Contract 9.82.
 */
export async function returnGoods(
  actor: Staff,
  input: ReturnOfSale,
  at: Instant,
  saveResponse: (sale: Sale) => Write[],
): Promise<Sale> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const [ids, facts] = await Promise.all([allocateIds(tenant, input), readReturn(actor, input, at)]);
    const plan = await requirePlan(tenant, decideReturn(actor, input, { ...facts, ids }, { at }));
    const { sale } = plan.returned;
    await transact([...returnPlanWrites(tenant, plan), ...saveResponse(sale)]);
    return sale;
  });
}

/**
 * Reads a sale, the stock levels of the lines to be returned, and the limits of their quantities. 400 if
 * nothing remains, and without the shift that the desk needs.
 */
export async function readReturn(
  actor: Staff,
  input: ReturnOfSale,
  at: Instant,
): Promise<Omit<ReturnFacts, 'ids'>> {
  const { tenant } = actor;
  const original = await readOriginal(actor, input.id, input);
  const { lines, desk, warehouse } = original;
  const returned = linesOfReturn(linesNamed(input).products, lines);
  requireOpenFor(original, returned);
  const accuracies = await readAccuracies(actor, quantitiesReturned(input.products, lines, 'products'));
  if (!desk || !warehouse) return { original, accuracies, stockLevels: new StockLevels(tenant, []) };
  const [stockLevels] = await Promise.all([
    readReturnStockLevels(actor, original, warehouse.id, returned),
    input.movesMoney === false ? undefined : requireShift(actor, desk),
  ]);
  const productIds = returned.map(({ product_id }) => product_id);
  await stockLevels.addMissing(warehouse, productIds, at);
  return { original, accuracies, stockLevels };
}

/** Allocates the ids of a return and of its payouts, concurrently with its reads. */
async function allocateIds(tenant: Tenant, { transactions }: ReturnInput): Promise<ReturnFacts['ids']> {
  const deposited = transactions.filter(({ payment_type }) => payment_type === 'deposit').length;
  const [id, posting, deposit] = await Promise.all([
    nextId(SALE_RETURN, tenant),
    // A remainder below a foreign coin is a payout of its own.
    nextId(POSTING, tenant, transactions.length - deposited + (areForeign(transactions) ? 1 : 0)),
    nextId(deposits.type, tenant, Math.min(1, deposited)),
  ]);
  return { return: id, posting, deposit };
}
