import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { requireOpenBooks } from '#lib/people/company/closed-books.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import { readStockLevels } from '#lib/stock/stock-levels.ts';
import { completionWrites, readCreditor, reversalWrites } from '#lib/stock/supplier/payables.ts';
import type { Write } from '#lib/table/change/write.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { documentRef, readGoods } from '#lib/trade/document/lines.ts';
import { productsInDrafts } from '#lib/trade/draft/record.ts';
import { badRequest, invalid } from '#lib/values/api-error.ts';
import { Currency, MAX_AMOUNT } from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { takeNamedBatches } from './goods.ts';
import { amountsOf, currencyOf, type WriteOff, writeOffs } from './record.ts';
import { getWaiting } from './write-off.ts';

/**
 * Completes a pending write-off: takes its goods from their batches and reduces the payable to the goods
 * receipt's supplier by their cost. One transaction, for any number of lines. 400 if it is not pending, as in
 * `requireOpenWarehouse` and `takeNamedBatches`, and if the supplier is gone; 422 on `amounts` over the
 * limit, and as in `requirePayableChange`. Contract 8.
 */
export function completeWriteOff(
  actor: Staff,
  id: number,
  at: Instant,
  saveResponse: () => Write[],
): Promise<void> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const before = await getWaiting(actor, id);
    const [{ lines, warehouse, productIds }, creditor] = await Promise.all([
      readGoods(writeOffs, actor, before),
      readCreditor(tenant, before.supplier_id),
    ]);
    // The warehouse may have moved to another company since the write-off was created.
    const { company_id } = warehouse;
    const [stockLevels, inDrafts] = await Promise.all([
      readStockLevels(tenant, warehouse.id, productIds),
      productsInDrafts(actor, company_id),
    ]);
    const cause = { document: 'writeoff', documentId: id, at, by: makerOf(actor) } as const;
    const taken = await takeNamedBatches(stockLevels, lines, inDrafts, cause);
    const amounts = amountsOf(taken);
    if (Currency.options.some((currency) => amounts[currency] > MAX_AMOUNT))
      throw invalid({ amounts: BALANCE_TOO_LARGE });
    const supplier_operation_id = creditor?.operationId ?? null;
    const completion = { status: 'completed', completed_at: at, updated_at: at } as const;
    const after = { ...before, ...completion, company_id, supplier_operation_id, amounts };
    const currency = currencyOf(taken);
    const less = { creditor, currency, amount: -amounts[currency], path: 'amounts' };
    const owed = { type: 'writeoff', source_type: 'writeoff', ...less } as const;
    await transact([
      ...documentReplacement(writeOffs, tenant, before, after),
      ...lineWrites(documentRef(writeOffs, tenant, id), taken),
      ...completionWrites(actor, after, owed, at),
      ...stockLevels.writes(),
      ...saveResponse(),
    ]);
  });
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
    requireCancelable(before);
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

function requireCancelable({ status, source_type }: WriteOff): void {
  if (source_type === 'inventory') throw badRequest('writeoff.of_inventory');
  if (source_type === 'transfer') throw badRequest('writeoff.of_transfer');
  if (status === 'canceled') throw badRequest('writeoff.canceled');
}
