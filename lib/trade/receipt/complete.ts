import { type Maker, makerOf, requireTrading, type Staff } from '#lib/access/actor.ts';

import { products } from '#lib/catalog/card.ts';
import { singleRepricing } from '#lib/catalog/repricing/write.ts';
import { documentReplacement } from '#lib/records/documents.ts';
import { replacement } from '#lib/records/record-writes.ts';
import { vouchRecord } from '#lib/records/stored.ts';
import { readShelves, type Shelves } from '#lib/stock/shelves.ts';
import { completionWrites, readCreditor } from '#lib/stock/supplier/owing.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { readGoods } from '#lib/trade/document/goods.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import { getDraft } from './receipt.ts';
import { type Receipt, type ReceiptLine, receipts } from './record.ts';

/**
 * Completes a draft: every line becomes a batch of its product's balance, the supplier is owed the total, and
 * products take the sale prices that are given, which one repricing records. All of it or nothing, in one
 * transaction, however many lines. Decisions, 4. Decisions, 8. Decisions, 9 (32). 400 if it is no draft, and
 * if the warehouse, the supplier or a product is gone; 422 on `amount` if more would be owed than an amount
 * may be.
 */
export function completeReceipt(
  actor: Staff,
  id: number,
  at: Instant,
  remember: () => Write[],
): Promise<void> {
  const { home } = actor;
  return retryOnContention(async () => {
    const before = await getDraft(actor, id);
    const [{ lines, warehouse, productIds }, creditor] = await Promise.all([
      readGoods(receipts, actor, before),
      readCreditor(home, before.supplier_id),
    ]);
    requireTrading(actor, warehouse);
    const [shelves, cards] = await Promise.all([
      readShelves(home, warehouse.id, productIds),
      getItems(productIds.map((productId) => recordKey(products.type, home, productId))),
    ]);
    const prices = lines.flatMap((line, index) => priceChange(cards[index], line, at) ?? []);
    const [repricing] = await Promise.all([
      priceWrites(actor, warehouse.company_id, prices, at),
      shelves.addMissing(warehouse, productIds, at),
    ]);
    putLines(shelves, before, lines, { at, by: makerOf(actor) });
    const supplier_operation_id = creditor?.operationId ?? null;
    const completion = { status: 'completed', completed_at: at, updated_at: at } as const;
    // The warehouse may have moved to another company since the draft was made.
    const after = { ...before, ...completion, company_id: warehouse.company_id, supplier_operation_id };
    const { currency, amount } = before;
    const more = { creditor, currency, amount, path: 'amount' };
    const owed = { type: 'receipt', source_type: 'purchase', ...more } as const;
    await transact([
      ...documentReplacement(receipts, home, before, after),
      ...repricing,
      ...completionWrites(actor, after, owed, at),
      ...shelves.writes(warehouse),
      ...remember(),
    ]);
  });
}

/** Builds the writes of new prices, and of the repricing that records them. */
async function priceWrites(
  actor: Staff,
  companyId: number,
  prices: readonly NonNullable<ReturnType<typeof priceChange>>[],
  at: Instant,
): Promise<Write[]> {
  const cards = prices.flatMap(({ before, after }) => replacement(products, actor.home, before, after));
  return [...cards, ...(await singleRepricing(actor, companyId, prices, at))];
}

function putLines(
  shelves: Shelves,
  { id: documentId, currency }: Receipt,
  lines: readonly ReceiptLine[],
  { at, by }: { readonly at: Instant; readonly by: Maker },
): void {
  for (const { id, product_id, quantity, cost } of lines) {
    const cause = { document: 'purchase', documentId, lineId: id, at, by } as const;
    shelves.put(product_id, [{ id, quantity, cost, currency, at }], cause);
  }
}

function priceChange(card: Item | undefined, { sale_price }: ReceiptLine, at: Instant) {
  const before = vouchRecord(products.schema, card);
  if (before.is_deleted) throw refuse('purchase.product_gone', { name: before.name });
  if (sale_price === null || sale_price === before.sale_price) return undefined;
  return { before, after: { ...before, sale_price, updated_at: at } };
}
