import { makerOf, requireTrading, type Staff } from '#lib/auth/actor.ts';
import { checkAccuracy } from '#lib/catalog/accuracy.ts';
import { products } from '#lib/catalog/card.ts';
import { isPresent } from '#lib/records/stored.ts';
import { bareParts } from '#lib/stock/batch-part.ts';
import { inflowWrite } from '#lib/stock/inflow.ts';
import type { Cause } from '#lib/stock/movement.ts';
import { insufficientStock, readStockLevels, type StockLevels } from '#lib/stock/stock-levels.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import type { Write } from '#lib/table/change/write.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { timesOf } from '#lib/trade/document/fields.ts';
import { newDocumentWrites } from '#lib/trade/document/lines.ts';
import { quantitiesTaken } from '#lib/trade/sale/cart.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import {
  STOCK_TRANSFER_LINE,
  type StockTransfer,
  type StockTransferInput,
  type StockTransferLine,
  stockTransfers,
} from './record.ts';

type RequestedLines = StockTransferInput['products'];

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
  const { tenant } = actor;
  const productIds = input.products.map(({ product_id }) => product_id);
  return retryOnContention(async () => {
    const [id, firstLineId, { from, to }, stockLevels] = await Promise.all([
      nextId(stockTransfers.type, tenant),
      nextId(STOCK_TRANSFER_LINE, tenant, input.products.length),
      readWarehouses(actor, input),
      readStockLevels(tenant, input.from_stock_id, productIds),
    ]);
    const cause = { document: 'transfer', documentId: id, at, by: makerOf(actor) } as const;
    const issues = await reportUnknownProducts(stockLevels, input.products);
    await checkAccuracy(actor, quantitiesTaken(input.products, stockLevels), issues);
    const lines = takeLines(stockLevels, { requested: input.products, firstLineId }, cause, issues);
    issues.throwIfAny();
    const transfer: StockTransfer = {
      ...makerOf(actor),
      ...timesOf(at),
      id,
      company_id: from.company_id,
      from_stock_id: from.id,
      to_stock_id: to.id,
      to_company_id: to.company_id,
      status: 'in_transit',
      products_count: lines.length,
    };
    const { header, packs } = newDocumentWrites(stockTransfers, tenant, transfer, lines);
    const moved = [...stockLevels.writes(), inflowWrite(tenant, to)];
    await transact([header, ...packs, ...moved, ...saveResponse(transfer)]);
    return transfer;
  });
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

/** Reports the lines of unknown products. One round trip if the warehouse never had some of the products. */
async function reportUnknownProducts(
  { tenant, before }: StockLevels,
  requested: RequestedLines,
): Promise<ValidationIssues> {
  const issues = new ValidationIssues();
  const unseen = requested.map(({ product_id }) =>
    before.has(product_id) ? undefined : recordKey(products.type, tenant, product_id),
  );
  const cards = await getItems(unseen);
  for (const [index, key] of unseen.entries()) {
    if (!key || isPresent(cards[index])) continue;
    issues.add(`products.${index}.product_id`, 'validation.not_found');
  }
  return issues;
}

/** Takes goods from stock, oldest batches first. A line with insufficient stock is reported in `issues`. */
function takeLines(
  stockLevels: StockLevels,
  { requested, firstLineId }: { readonly requested: RequestedLines; readonly firstLineId: number },
  occasion: Omit<Cause, 'lineId'>,
  issues: ValidationIssues,
): StockTransferLine[] {
  return requested.map(({ product_id, quantity }, index) => {
    const id = firstLineId + index;
    const parts = stockLevels.take(product_id, quantity, { ...occasion, lineId: id });
    if (!parts) {
      const path = `products.${index}`;
      const missing = insufficientStock(stockLevels.free(product_id));
      issues.unless(`${path}.product_id`).add(`${path}.quantity`, missing);
    }
    return { id, product_id, quantity, batches: bareParts(parts ?? []) };
  });
}
