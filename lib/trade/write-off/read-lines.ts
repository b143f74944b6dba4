import type { Staff } from '#lib/auth/actor.ts';
import { readAccuracies } from '#lib/catalog/accuracy.ts';
import { findDocument } from '#lib/records/documents.ts';
import { readStockLevels } from '#lib/stock/stock-levels.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { readAllLines } from '#lib/trade/document/lines.ts';
import { productsInDrafts } from '#lib/trade/draft/record.ts';
import { goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { type LineFacts, quantitiesWrittenOff, type WriteOffSource } from './decide-lines.ts';
import type { WriteOffInput } from './input.ts';
import { WRITE_OFF_LINE, type WriteOffLine } from './record.ts';

/**
 * Reads the source and goods named by the body of a write-off, and draws ids for its new lines. Two round
 * trips, three for a goods receipt's goods, and more with drafts or fractions.
 */
export async function readLineFacts(
  actor: Staff,
  input: WriteOffInput,
  before: readonly WriteOffLine[],
): Promise<LineFacts> {
  const added = input.products.filter(({ id }) => id === null).length;
  const [source, firstId] = await Promise.all([
    readSource(actor, input),
    nextId(WRITE_OFF_LINE, actor.tenant, added),
  ]);
  const known = new Set(before.map(({ id }) => id));
  const goods = 'reason' in source ? undefined : await readLineGoods(actor, source, input);
  return { known, firstId, source, goods };
}

async function readLineGoods(actor: Staff, { warehouse }: WriteOffSource, input: WriteOffInput) {
  const productIds = input.products.map(({ product_id }) => product_id);
  const [stockLevels, inDrafts] = await Promise.all([
    readStockLevels(actor.tenant, warehouse.id, productIds),
    productsInDrafts(actor, warehouse.company_id),
  ]);
  const accuracies = await readAccuracies(actor, quantitiesWrittenOff(input, stockLevels));
  return { stockLevels, inDrafts, accuracies };
}

/**
 * Reads the source named by a body: a warehouse, or a completed goods receipt, limited to its own batches in
 * its own warehouse; a reason if it is unknown, not open to the caller or not completed. One round trip, two
 * for a goods receipt. Contract 9.19.
 */
async function readSource(
  actor: Staff,
  { source_type, source_id }: WriteOffInput,
): Promise<LineFacts['source']> {
  const notFound = { reason: 'validation.not_found' } as const;
  if (source_type === 'stock') {
    const warehouse = await readOpenWarehouse(actor, source_id);
    return warehouse ? { warehouse, supplierId: null } : notFound;
  }
  const goodsReceipt = await findDocument(goodsReceipts, actor, source_id);
  if (!goodsReceipt) return notFound;
  if (goodsReceipt.status !== 'completed') return { reason: 'writeoff.receipt_not_completed' };
  const [warehouse, lines] = await Promise.all([
    readOpenWarehouse(actor, goodsReceipt.stock_id),
    readAllLines(goodsReceipts, actor.tenant, goodsReceipt),
  ]);
  if (!warehouse) return notFound;
  const batches = new Map(lines.map(({ id, product_id }) => [id, product_id]));
  return { warehouse, supplierId: goodsReceipt.supplier_id, batches };
}

async function readOpenWarehouse(actor: Staff, id: number) {
  return warehouses.ifVisible(actor, await getItem(warehouses.keyOf(actor, id)));
}
