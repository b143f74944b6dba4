import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { readAccuracies } from '#lib/catalog/accuracy.ts';
import { documentReplacement, findDocument, getDocumentToChange } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import { readStockLevels } from '#lib/stock/stock-levels.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import type { Write } from '#lib/table/change/write.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { timesOf } from '#lib/trade/document/fields.ts';
import { documentRef, newDocumentWrites, readAllLines } from '#lib/trade/document/lines.ts';
import { documentsWithLines } from '#lib/trade/document/show.ts';
import { productsInDrafts } from '#lib/trade/draft/record.ts';
import { goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { badRequest } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import { decideLines, type LineFacts, quantitiesWrittenOff, type WriteOffSource } from './decide-lines.ts';
import {
  amountsOf,
  WRITE_OFF_LINE,
  type WriteOff,
  type WriteOffInput,
  type WriteOffLine,
  writeOffs,
} from './record.ts';

/** Operations on write-offs: list those of warehouses open to the caller, get one with its lines. */
export const { list, get } = documentsWithLines(writeOffs);

/** Creates a write-off pending confirmation, which moves nothing. 422 as in `decideLines`. */
export async function create(
  actor: Staff,
  input: WriteOffInput,
  at: Instant,
  saveResponse: (writeOff: WriteOff) => Write[],
): Promise<WriteOff> {
  const { tenant } = actor;
  const [id, facts] = await Promise.all([nextId(writeOffs.type, tenant), readLineFacts(actor, input, [])]);
  const { lines, head } = decideLines(input, facts);
  const writeOff: WriteOff = {
    ...head,
    ...makerOf(actor),
    ...timesOf(at),
    id,
    supplier_operation_id: null,
    status: 'waiting_for_confirmation',
    amounts: amountsOf([]),
  };
  const { header, packs } = newDocumentWrites(writeOffs, tenant, writeOff, lines);
  await transact([header, ...packs, ...saveResponse(writeOff)]);
  return writeOff;
}

/** Replaces a pending write-off, validated like a new one; lines keep their ids. 400 if it is not pending. */
export async function edit(actor: Staff, id: number, input: WriteOffInput, at: Instant) {
  await retryOnContention(async () => {
    const before = await getWaiting(actor, id);
    const linesBefore = await readAllLines(writeOffs, actor.tenant, before);
    const { lines, head } = decideLines(input, await readLineFacts(actor, input, linesBefore));
    const after = { ...before, ...head, updated_at: at };
    await transact([
      ...documentReplacement(writeOffs, actor.tenant, before, after),
      ...lineWrites(documentRef(writeOffs, actor.tenant, id), lines, before.products_count),
    ]);
  });
  return get(actor, id, []);
}

/** Reads a write-off pending confirmation. 400 if it is not pending. */
export async function getWaiting(actor: Staff, id: number) {
  const writeOff = await getDocumentToChange(writeOffs, actor, id);
  if (writeOff.status !== 'waiting_for_confirmation') throw badRequest('writeoff.not_waiting');
  return writeOff;
}

/**
 * Reads the source and goods named by the body of a write-off, and draws ids for its new lines. Two round
 * trips, three for a goods receipt's goods, and more with drafts or fractions.
 */
async function readLineFacts(
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
