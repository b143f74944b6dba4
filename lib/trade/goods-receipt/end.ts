import type { Staff } from '#lib/auth/actor.ts';
import { keyOfRates, ratesFrom } from '#lib/cash/company-rates.ts';
import { obstacleRefusal, products } from '#lib/catalog/card.ts';
import { type PriceChangeContext, withPriceBefore } from '#lib/catalog/price.ts';
import { singleRepricing } from '#lib/catalog/repricing/write.ts';
import { requireOpenBooks } from '#lib/people/company/closed-books.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { readLinesOfAll } from '#lib/records/lines.ts';
import { replacement } from '#lib/records/record-writes.ts';
import { parseRecord, parseStored, sourceOf } from '#lib/records/stored.ts';
import { clearLastCosts } from '#lib/stock/last-cost.ts';
import { readStockLevels } from '#lib/stock/stock-levels.ts';
import { readCreditor, reversalWrites } from '#lib/stock/supplier/payables.ts';
import type { Write } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { NotYet } from '#lib/table/journal/contention.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { getItems } from '#lib/table/read/get.ts';
import { ALL_ROWS } from '#lib/table/read/request.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { readGoods } from '#lib/trade/document/lines.ts';
import type { Instant } from '#lib/values/time.ts';
import { CostCorrection, CostCorrectionLine, costCorrections } from './cost-correction.ts';
import {
  type CardChange,
  type Correction,
  decideReceipt,
  operationsToReverse,
  type ReceiptFacts,
  receiptWrites,
  requireCancelableReceipt,
  takeReceived,
} from './decide-end.ts';
import { getDraft } from './goods-receipt.ts';
import { type GoodsReceiptLine, goodsReceipts } from './record.ts';

/**
 * Completes a draft: each line becomes a batch of its product's stock level, the payable to the supplier
 * grows by the total, and products take the given sale prices, recorded by one repricing. One transaction,
 * for any number of lines. Contract 4. Contract 8. Contract 9.32. 400 if it is not a draft, if the warehouse,
 * the supplier or a product is gone, and if a price is now below its product's floor; 422 on `amount` if the
 * payable would exceed the limit.
 */
export function completeGoodsReceipt(
  actor: Staff,
  id: number,
  at: Instant,
  saveResponse: () => Write[],
): Promise<void> {
  return retryOnContention(async () => {
    const plan = decideReceipt(actor, await readReceipt(actor, id, at), at);
    const prices = await priceWrites(actor, plan.after.company_id, plan.prices, at);
    await transact([...receiptWrites(actor, plan, at), ...prices, ...saveResponse()]);
  });
}

/** Reads a draft with its goods and supplier, and draws their ids. Four round trips. */
async function readReceipt(actor: Staff, id: number, at: Instant): Promise<ReceiptFacts> {
  const { tenant } = actor;
  const before = await getDraft(actor, id);
  const [{ lines, warehouse, productIds }, creditor] = await Promise.all([
    readGoods(goodsReceipts, actor, before),
    readCreditor(tenant, before.supplier_id),
  ]);
  const [stockLevels, [ratesItem, ...items]] = await Promise.all([
    readStockLevels(tenant, warehouse.id, productIds),
    getItems([
      keyOfRates(tenant, actor.companyId),
      ...lines.map(({ product_id }) => recordKey(products.type, tenant, product_id)),
    ]),
  ]);
  await stockLevels.addMissing(warehouse, productIds, at);
  const cards = items.map((item) => parseRecord(products.schema, item));
  const { rates } = ratesFrom(ratesItem);
  return { before, lines, cards, warehouse, creditor, rates, stockLevels };
}

/**
 * Cancels a goods receipt. A draft has moved nothing. A completed one can be canceled while all its batches
 * are intact: they are taken from stock, the payable is reversed with that of corrections, and their cost no
 * longer counts as the products' latest; a price not changed since is restored. 400 for a canceled one and
 * one of a stocktake, as in `requireOpenBooks` and `requireOpenWarehouse`, if the supplier is gone, and, with
 * the name of the first such product, if a batch is no longer intact. Contract 9.12; Contract 9.73; Contract
 * 9.110; Part 5, 5A.9, 1.
 */
export function cancelGoodsReceipt(
  actor: Staff,
  id: number,
  at: Instant,
  saveResponse: () => Write[],
): Promise<void> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const before = await getDocumentToChange(goodsReceipts, actor, id);
    requireCancelableReceipt(before);
    const after = { ...before, status: 'canceled', updated_at: at } as const;
    const writes = [...documentReplacement(goodsReceipts, tenant, before, after), ...saveResponse()];
    if (before.completed_at === null) return transact(writes);
    const booksOpen = requireOpenBooks(actor, before.completed_at, at);
    const [{ lines, warehouse, productIds }, corrections] = await Promise.all([
      readGoods(goodsReceipts, actor, before),
      readCorrections(tenant, id),
    ]);
    const operations = operationsToReverse(before, corrections);
    const supplierWrites = await reversalWrites(actor, operations, 'amount', at);
    const occasion = { cause: 'receipt', documentId: id, by: actor, at } as const;
    const [stockLevels, costWrites, repricing] = await Promise.all([
      readStockLevels(tenant, warehouse.id, productIds),
      clearLastCosts(tenant, warehouse.id, lines),
      priceBackWrites(actor, before.company_id, lines, occasion),
    ]);
    const taken = takeReceived(actor, { before, lines, stockLevels }, at);
    if ('obstacle' in taken) throw await obstacleRefusal(tenant, taken.obstacle);
    const moved = [...supplierWrites, ...taken.stockLevels.writes(), ...costWrites, ...repricing];
    await transact([...writes, ...booksOpen, ...moved]);
  });
}

/** Builds the writes that restore the product prices replaced by a goods receipt. Two round trips. */
async function priceBackWrites(
  actor: Staff,
  companyId: number,
  lines: readonly GoodsReceiptLine[],
  occasion: PriceChangeContext & { readonly documentId: number },
): Promise<Write[]> {
  const priced = lines.filter(({ sale_price }) => sale_price !== null);
  const cards = await getItems(
    priced.map(({ product_id }) => recordKey(products.type, actor.tenant, product_id)),
  );
  const prices = cards.flatMap((card) => {
    const before = parseRecord(products.schema, card);
    const after = withPriceBefore(before, occasion);
    return after ? [{ before, after }] : [];
  });
  return priceWrites(actor, companyId, prices, occasion.at);
}

/** Builds the writes of new prices, and of the repricing that records them. One round trip for its ids. */
async function priceWrites(
  actor: Staff,
  companyId: number,
  prices: readonly CardChange[],
  at: Instant,
): Promise<Write[]> {
  const cards = prices.flatMap(({ before, after }) => replacement(products, actor.tenant, before, after));
  return [...cards, ...(await singleRepricing(actor, companyId, prices, at))];
}

/**
 * Reads the corrections of a receipt that is canceled. Each changes the receipt's version, so none is missed.
 */
async function readCorrections(tenant: Tenant, receiptId: number): Promise<Correction[]> {
  const where = [equals('purchase_id', receiptId)];
  const { rows } = await listItems(sourceOf(costCorrections, tenant), { ...ALL_ROWS, where });
  const corrections = rows.map((row) => parseStored(CostCorrection, row));
  const { type } = costCorrections;
  const found = await readLinesOfAll(
    corrections.map(({ id, products_count: count }) => ({ place: { type, tenant, id }, count })),
  );
  return corrections.map(({ supplier_operation_id }, index) => {
    const lines = found[index];
    if (!lines) throw new NotYet();
    return { supplier_operation_id, lines: lines.map((line) => parseStored(CostCorrectionLine, line)) };
  });
}
