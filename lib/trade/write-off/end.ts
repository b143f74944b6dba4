import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { obstacleRefusal } from '#lib/catalog/card.ts';
import { requireOpenBooks } from '#lib/people/company/closed-books.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { readStockLevels } from '#lib/stock/stock-levels.ts';
import { readCreditor, reversalWrites } from '#lib/stock/supplier/payables.ts';
import type { Write } from '#lib/table/change/write.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { readGoods } from '#lib/trade/document/lines.ts';
import { productsInDrafts } from '#lib/trade/draft/record.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import {
  type CompletionFacts,
  decideCompletion,
  requireCancelableWriteOff,
  writeOffCompletionWrites,
} from './decide-end.ts';
import { writeOffs } from './record.ts';
import { getWaiting } from './write-off.ts';

/**
 * Completes a pending write-off: takes its goods from their batches and reduces the payable to the goods
 * receipt's supplier by their cost. One transaction, for any number of lines. 400 if it is not pending, as in
 * `requireOpenWarehouse`, if the supplier is gone, and, with the product's name, as in `decideCompletion`;
 * 422 on `amounts` over the limit, and as in `requirePayableChange`. Contract 8.
 */
export function completeWriteOff(
  actor: Staff,
  id: number,
  at: Instant,
  saveResponse: () => Write[],
): Promise<void> {
  return retryOnContention(async () => {
    const decision = decideCompletion(actor, await readCompletion(actor, id), at);
    if ('obstacle' in decision) throw await obstacleRefusal(actor.tenant, decision.obstacle);
    await transact([...writeOffCompletionWrites(actor, decision.plan, at), ...saveResponse()]);
  });
}

/** Reads a pending write-off with its goods and supplier, and the products in drafts. */
async function readCompletion(actor: Staff, id: number): Promise<CompletionFacts> {
  const before = await getWaiting(actor, id);
  const [{ lines, warehouse, productIds }, creditor] = await Promise.all([
    readGoods(writeOffs, actor, before),
    readCreditor(actor.tenant, before.supplier_id),
  ]);
  const [stockLevels, inDrafts] = await Promise.all([
    readStockLevels(actor.tenant, warehouse.id, productIds),
    productsInDrafts(actor, warehouse.company_id),
  ]);
  return { before, lines, warehouse, creditor, stockLevels, inDrafts };
}

/**
 * Cancels a write-off. A pending one has moved nothing. A completed one can be canceled on the day of its
 * completion: its goods return to their own batches, and the payable is restored. 400 on any other day, for
 * one of a stocktake or a transfer, for a canceled one, and as in `requireOpenBooks` and
 * `requireOpenWarehouse`. Part 2, "Write-off"; Contract 9.12; Part 5, 5A.5 (2); Part 5, 5A.9, 1.
 */
export function cancelWriteOff(
  actor: Staff,
  id: number,
  at: Instant,
  saveResponse: () => Write[],
): Promise<void> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const before = await getDocumentToChange(writeOffs, actor, id);
    requireCancelableWriteOff(before);
    const after = { ...before, status: 'canceled', updated_at: at } as const;
    if (before.completed_at === null) {
      return transact([...documentReplacement(writeOffs, tenant, before, after), ...saveResponse()]);
    }
    const booksOpen = requireOpenBooks(actor, before.completed_at, at);
    if (dayOf(before.completed_at) !== dayOf(at)) throw badRequest('writeoff.not_today');
    const [{ lines, warehouse, productIds }, supplierWrites] = await Promise.all([
      readGoods(writeOffs, actor, before),
      reversalWrites(actor, [before.supplier_operation_id], 'amounts', at),
    ]);
    const stockLevels = await readStockLevels(tenant, warehouse.id, productIds);
    stockLevels.putLines(lines, { document: 'writeoff', documentId: id, at, by: makerOf(actor) });
    // The warehouse may have moved to another company since.
    const { company_id } = warehouse;
    await transact([
      ...documentReplacement(writeOffs, tenant, before, { ...after, company_id }),
      ...booksOpen,
      ...supplierWrites,
      ...stockLevels.writes(warehouse),
      ...saveResponse(),
    ]);
  });
}
