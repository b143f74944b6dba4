import type { Staff } from '#lib/access/actor.ts';
import { makerOf } from '#lib/access/impersonation.ts';
import { documentReplacement } from '#lib/records/documents.ts';
import { lineWrites, readLines } from '#lib/records/lines.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import { readShelves, shelfWrites } from '#lib/stock/shelves.ts';
import { owedKey } from '#lib/stock/supplier.ts';
import { completionWrites, supplierOperations } from '#lib/stock/supplier-operation.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import type { Write } from '#lib/table/change/write.ts';
import { keyIfAny } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { productsInDrafts } from '#lib/trade/draft/record.ts';
import { Currency, MOST_AMOUNT } from '#lib/values/money.ts';
import { invalid } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import { takeNamedBatches } from './goods.ts';
import { amountsOf, currencyOf, WriteOffLine, writeOffs } from './record.ts';
import { getWaiting, writeOffPlace } from './write-off.ts';

/**
 * Completes a write-off that waits: its goods leave their batches, and their cost is no longer owed to the
 * receipt's supplier. One transaction, however many lines. 400 for any other, as `requireWorking` and
 * `takeNamedBatches` say, and if the supplier is gone; 422 on `amounts` if they pass what a sum may be, and
 * as `requireOwable` says. Decisions, 8.
 */
export function completeWriteOff(
  actor: Staff,
  id: number,
  at: Instant,
  remember: () => Write[],
): Promise<void> {
  const { home } = actor;
  return retryOnContention(async () => {
    const before = await getWaiting(actor, id);
    const [lines, [place, sums], supplier_operation_id] = await Promise.all([
      readLines(WriteOffLine, writeOffPlace(actor, id), before.products_count),
      getItems([
        warehouses.keyOf(actor, before.stock_id),
        keyIfAny(before.supplier_id, (supplierId) => owedKey(home, supplierId)),
      ]),
      before.supplier_id === null ? null : nextId(supplierOperations.type, home),
    ]);
    const warehouse = warehouses.requireWorking(actor, place);
    // The warehouse may have come to another company since the write-off was made.
    const { company_id } = warehouse;
    const productIds = lines.map(({ product_id }) => product_id);
    const [shelves, inDrafts] = await Promise.all([
      readShelves(home, warehouse.id, productIds),
      productsInDrafts(actor, company_id),
    ]);
    const cause = { document: 'writeoff', documentId: id, at, by: makerOf(actor) } as const;
    const taken = await takeNamedBatches(shelves, lines, inDrafts, cause);
    const completion = { status: 'completed', supplier_operation_id, completed_at: at } as const;
    const after = { ...before, ...completion, company_id, amounts: amountsOf(taken), updated_at: at };
    if (Currency.options.some((currency) => after.amounts[currency] > MOST_AMOUNT))
      throw invalid({ amounts: BALANCE_TOO_LARGE });
    const currency = currencyOf(taken);
    const less = { currency, amount: -after.amounts[currency], sums, path: 'amounts' };
    const owed = { type: 'writeoff', source_type: 'writeoff', ...less } as const;
    await transact([
      ...documentReplacement(writeOffs, home, before, after),
      ...lineWrites(writeOffPlace(actor, id), taken),
      ...completionWrites(actor, after, owed, at),
      ...shelfWrites(shelves),
      ...remember(),
    ]);
  });
}
