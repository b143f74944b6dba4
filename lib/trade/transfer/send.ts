import { requireTrading, type Staff } from '#lib/auth/actor.ts';
import { readAccuracies } from '#lib/catalog/accuracy.ts';
import { products } from '#lib/catalog/card.ts';
import { isPresent } from '#lib/records/stored.ts';
import { readStockLevels } from '#lib/stock/stock-levels.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import type { Write } from '#lib/table/change/write.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { quantitiesTaken } from '#lib/trade/sale/cart.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { decideSend, type SendFacts, sendWrites } from './decide-send.ts';
import {
  STOCK_TRANSFER_LINE,
  type StockTransfer,
  type StockTransferInput,
  stockTransfers,
} from './record.ts';

/**
 * Sends goods to another warehouse of the family: they leave the oldest batches and are in transit. One
 * transaction. 422 with all failing fields: on an unknown warehouse, on a sending one not open to the caller,
 * and on insufficient stock; 400 if a stocktake has closed either warehouse, and to a deleted company's.
 * Contract 4; Contract 9.13; Contract 9.78.
 */
export function sendGoods(
  actor: Staff,
  input: StockTransferInput,
  at: Instant,
  saveResponse: (transfer: StockTransfer) => Write[],
): Promise<StockTransfer> {
  return retryOnContention(async () => {
    const plan = decideSend(actor, input, await readSend(actor, input), at);
    await transact([...sendWrites(actor.tenant, plan), ...saveResponse(plan.transfer)]);
    return plan.transfer;
  });
}

/** Reads the warehouses and goods of a transfer, and draws its ids. Two round trips, four with fractions. */
async function readSend(actor: Staff, input: StockTransferInput): Promise<SendFacts> {
  const { tenant } = actor;
  const [transfer, line, places, stockLevels] = await Promise.all([
    nextId(stockTransfers.type, tenant),
    nextId(STOCK_TRANSFER_LINE, tenant, input.products.length),
    readWarehouses(actor, input),
    readStockLevels(
      tenant,
      input.from_stock_id,
      input.products.map(({ product_id }) => product_id),
    ),
  ]);
  const unseen = input.products.flatMap(({ product_id }) =>
    stockLevels.before.has(product_id) ? [] : [product_id],
  );
  const [cards, accuracies] = await Promise.all([
    getItems(unseen.map((id) => recordKey(products.type, tenant, id))),
    readAccuracies(actor, quantitiesTaken(input.products, stockLevels)),
  ]);
  const unknown = new Set(unseen.filter((_, index) => !isPresent(cards[index])));
  return { ids: { transfer, line }, ...places, stockLevels, unknown, accuracies };
}

async function readWarehouses(actor: Staff, { from_stock_id, to_stock_id }: StockTransferInput) {
  const [fromItem, toItem] = await getItems([
    warehouses.keyOf(actor, from_stock_id),
    warehouses.keyOf(actor, to_stock_id),
  ]);
  const [from, to] = [warehouses.ifVisible(actor, fromItem), warehouses.ifPresent(toItem)];
  const issues = new ValidationIssues();
  if (!from) issues.add('from_stock_id', 'validation.not_found');
  if (!to) issues.add('to_stock_id', 'validation.not_found');
  if (!from || !to) throw issues.refusal;
  requireTrading(actor, to);
  for (const warehouse of [from, to]) warehouses.requireNoStocktake(warehouse);
  return { from, to };
}
