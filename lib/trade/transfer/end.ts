import { withinReachOf } from '#lib/auth/account-manager.ts';
import { requireTrading, type Staff } from '#lib/auth/actor.ts';
import { readAccuracies } from '#lib/catalog/accuracy.ts';
import { getDocumentToChange } from '#lib/records/documents.ts';
import { readStockLevels } from '#lib/stock/stock-levels.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import type { Write } from '#lib/table/change/write.ts';
import { all } from '#lib/table/expression.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { readAllLines } from '#lib/trade/document/lines.ts';
import { WRITE_OFF_LINE, writeOffs } from '#lib/trade/write-off/record.ts';
import { badRequest, notFound } from '#lib/values/api-error.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import {
  decideEnd,
  divideLines,
  type EndedLine,
  type EndingInput,
  quantitiesArrived,
  type TransitFacts,
  transitEndWrites,
} from './decide-end.ts';
import { stockTransfers } from './record.ts';

/**
 * Ends a transfer in transit, in one transaction. On completion its goods arrive in their own batches, with
 * cost and date unchanged; those that are missing return to the sender or are written off. On cancellation
 * all return. 404 if the receiving warehouse is not open to the caller; 400 for a transfer not in transit, if
 * either warehouse is closed by a stocktake, if the receiving one is gone or has no room, and for an arrival
 * at a deleted company's; 422 with all failing fields. Contract 9.13; Contract 9.78; Part 5, 5A.5.
 */
export function endTransit(
  actor: Staff,
  ending: EndingInput & { readonly id: number },
  { at, locale }: { readonly at: Instant; readonly locale: Locale },
  saveResponse: () => Write[],
): Promise<void> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const facts = await readTransit(actor, ending, at);
    const plan = decideEnd(actor, ending, facts, { at, locale });
    await transact([...transitEndWrites(tenant, plan), ...saveResponse()]);
  });
}

/** Reads a transfer in transit with its lines, warehouses and their stock levels, and draws the ids. */
async function readTransit(
  actor: Staff,
  { id, ...ending }: EndingInput & { readonly id: number },
  at: Instant,
): Promise<TransitFacts> {
  const { tenant } = actor;
  const transfer = await getDocumentToChange(stockTransfers, actor, id);
  const { from_stock_id, to_stock_id } = transfer;
  const isArrival = ending.status === 'completed';
  const [lines, [fromItem, toItem]] = await Promise.all([
    readAllLines(stockTransfers, tenant, transfer),
    getItems([warehouses.keyOf(actor, from_stock_id), warehouses.keyOf(actor, to_stock_id)]),
  ]);
  const [receivingItem, otherItem] = isArrival ? [toItem, fromItem] : [fromItem, toItem];
  if (receivingItem && !all(withinReachOf(actor, actor.warehouses)).matches(receivingItem)) throw notFound();
  if (transfer.status !== 'in_transit') throw badRequest('transfer.not_in_transit');
  const other = warehouses.ifPresent(otherItem);
  if (other) warehouses.requireNoStocktake(other);
  const receiving = warehouses.requireOpenWarehouse(actor, receivingItem);
  if (isArrival) requireTrading(actor, receiving);

  const sender = isArrival ? other : receiving;
  const ended = divideLines(ending, lines);
  const lostLines = ended.filter(({ lost }) => lost.length > 0).length;
  const [arrived, returned, accuracies, writeOff, writeOffLine] = await Promise.all([
    readLevels(tenant, to_stock_id, productsOf(ended, 'arrived'), at),
    readLevels(tenant, from_stock_id, productsOf(ended, 'returned'), at),
    readAccuracies(actor, quantitiesArrived(ending, lines)),
    nextId(writeOffs.type, tenant, Math.min(lostLines, 1)),
    nextId(WRITE_OFF_LINE, tenant, lostLines),
  ]);
  const canReturn = warehouses.ifVisible(actor, fromItem) !== undefined;
  const ids = { writeOff, writeOffLine };
  return { ids, transfer, lines, receiving, sender, canReturn, levels: { arrived, returned }, accuracies };
}

/** Lists the products of which goods end so. */
function productsOf(ended: readonly EndedLine[], how: 'arrived' | 'returned'): number[] {
  return ended.flatMap((each) => (each[how].length > 0 ? [each.line.product_id] : []));
}

/** Reads the stock levels of products that a warehouse receives. */
async function readLevels(tenant: Tenant, id: number, productIds: readonly number[], at: Instant) {
  const levels = await readStockLevels(tenant, id, productIds);
  await levels.addMissing({ id }, productIds, at);
  return levels;
}
