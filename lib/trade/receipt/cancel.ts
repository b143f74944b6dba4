import { makerOf, type Staff } from '#lib/access/actor.ts';

import { readProductName } from '#lib/catalog/card.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { forgottenElsewhere } from '#lib/stock/last-cost.ts';
import type { Cause } from '#lib/stock/movement.ts';
import { readShelves, type Shelves } from '#lib/stock/shelves.ts';
import { reversalWrites } from '#lib/stock/supplier/owing.ts';
import type { Write } from '#lib/table/change/write.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { readGoods } from '#lib/trade/document/goods.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import { type ReceiptLine, receipts } from './record.ts';

/**
 * Cancels a receipt. A draft has moved nothing. A completed one is canceled while all its batches are whole:
 * they leave the shelves, are no longer owed for, and are not what the products cost; sale prices stay. 400
 * for a canceled one and a count's, as `requireWorking` says, if the supplier is gone, and naming the first
 * product of which a part is gone. Decisions, 9 (12); Decisions, 9 (73).
 */
export function cancelReceipt(actor: Staff, id: number, at: Instant, remember: () => Write[]): Promise<void> {
  const { home } = actor;
  return retryOnContention(async () => {
    const before = await getDocumentToChange(receipts, actor, id);
    if (before.inventory_id !== null) throw refuse('purchase.of_inventory');
    if (before.status === 'canceled') throw refuse('purchase.canceled');
    const after = { ...before, status: 'canceled', updated_at: at } as const;
    const writes = [...documentReplacement(receipts, home, before, after), ...remember()];
    if (before.status === 'draft') return transact(writes);
    const [{ lines, warehouse, productIds }, supplierWrites] = await Promise.all([
      readGoods(receipts, actor, before),
      reversalWrites(actor, before.supplier_operation_id, 'amount', at),
    ]);
    const [shelves, costWrites] = await Promise.all([
      readShelves(home, warehouse.id, productIds),
      forgottenElsewhere(home, warehouse.id, lines),
    ]);
    await takeWhole(shelves, lines, { document: 'purchase', documentId: id, at, by: makerOf(actor) });
    await transact([...writes, ...supplierWrites, ...shelves.writes(), ...costWrites]);
  });
}

/** Takes the batches of lines off the shelves. 400 naming the product of the first that is not whole. */
async function takeWhole(
  shelves: Shelves,
  lines: readonly ReceiptLine[],
  occasion: Omit<Cause, 'lineId'>,
): Promise<void> {
  for (const { id, product_id, quantity } of lines) {
    const batch = shelves.after.get(product_id)?.batches.find((each) => each.id === id);
    if (batch?.left !== quantity) {
      throw refuse('purchase.not_whole', { name: await readProductName(shelves.home, product_id) });
    }
    const { left: _, ...origin } = batch;
    shelves.takeExactly(product_id, [{ ...origin, quantity }], { ...occasion, lineId: id });
  }
}
