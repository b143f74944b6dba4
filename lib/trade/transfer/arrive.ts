import { withinReachOf } from '#lib/auth/account-manager.ts';
import { makerOf, requireTrading, type Staff } from '#lib/auth/actor.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { readStockLevels } from '#lib/stock/stock-levels.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import type { Write } from '#lib/table/change/write.ts';
import { all } from '#lib/table/expression.ts';
import { getItems } from '#lib/table/read/get.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { readAllLines } from '#lib/trade/document/lines.ts';
import { badRequest, notFound } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import { stockTransfers } from './record.ts';

/**
 * Ends a transfer in transit, in one transaction. On completion its goods arrive in their own batches, with
 * cost and date unchanged; on cancellation they return to them. 404 if the receiving warehouse is not open to
 * the caller; 400 for a transfer not in transit, if either warehouse is closed by a stocktake, if the
 * receiving one is gone or has no room, and for an arrival at a deleted company's. Contract 9.13; Contract
 * 9.78.
 */
export function endTransit(
  actor: Staff,
  { id, status }: { readonly id: number; readonly status: 'completed' | 'canceled' },
  at: Instant,
  saveResponse: () => Write[],
): Promise<void> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const before = await getDocumentToChange(stockTransfers, actor, id);
    const { from_stock_id, to_stock_id } = before;
    const isArrival = status === 'completed';
    const [receivingId, otherId] = isArrival ? [to_stock_id, from_stock_id] : [from_stock_id, to_stock_id];
    const [lines, [receivingItem, otherItem]] = await Promise.all([
      readAllLines(stockTransfers, tenant, before),
      getItems([warehouses.keyOf(actor, receivingId), warehouses.keyOf(actor, otherId)]),
    ]);
    if (receivingItem && !all(withinReachOf(actor, actor.warehouses)).matches(receivingItem))
      throw notFound();
    if (before.status !== 'in_transit') throw badRequest('transfer.not_in_transit');
    const otherWarehouse = warehouses.ifPresent(otherItem);
    if (otherWarehouse) warehouses.requireNoStocktake(otherWarehouse);
    const warehouse = warehouses.requireOpenWarehouse(actor, receivingItem);
    if (isArrival) requireTrading(actor, warehouse);
    const productIds = lines.map(({ product_id }) => product_id);
    const stockLevels = await readStockLevels(tenant, warehouse.id, productIds);
    await stockLevels.addMissing(warehouse, productIds, at);
    stockLevels.putLines(lines, { document: 'transfer', documentId: id, at, by: makerOf(actor) });
    // The destination may have moved to another company since the goods were sent.
    const arrival = isArrival && { completed_at: at, to_company_id: warehouse.company_id };
    const after = { ...before, ...arrival, status, updated_at: at };
    await transact([
      ...documentReplacement(stockTransfers, tenant, before, after),
      ...stockLevels.writes(warehouse),
      ...saveResponse(),
    ]);
  });
}
