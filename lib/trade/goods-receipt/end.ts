import { makerOf, requireTrading, type Staff } from '#lib/auth/actor.ts';
import { keyOfRates, ratesFrom } from '#lib/cash/company-rates.ts';
import { products, readProductName } from '#lib/catalog/card.ts';
import { type PriceChangeContext, recordPriceCause, withPriceBefore } from '#lib/catalog/price.ts';
import { singleRepricing } from '#lib/catalog/repricing/write.ts';
import { requireOpenBooks } from '#lib/people/company/closed-books.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { replacement } from '#lib/records/record-writes.ts';
import { parseRecord } from '#lib/records/stored.ts';
import type { BatchPart } from '#lib/stock/batch-part.ts';
import { clearLastCosts } from '#lib/stock/last-cost.ts';
import type { Cause } from '#lib/stock/movement.ts';
import { readStockLevels, type StockLevels } from '#lib/stock/stock-levels.ts';
import { completionWrites, readCreditor, reversalWrites } from '#lib/stock/supplier/payables.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { readGoods } from '#lib/trade/document/lines.ts';
import { badRequest } from '#lib/values/api-error.ts';
import type { Currency, Rates } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { operationsOfCorrections } from './corrections.ts';
import { getDraft } from './goods-receipt.ts';
import { whyNotPriced } from './price.ts';
import { type GoodsReceipt, type GoodsReceiptLine, goodsReceipts } from './record.ts';

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
  const { tenant } = actor;
  return retryOnContention(async () => {
    const before = await getDraft(actor, id);
    const [{ lines, warehouse, productIds }, creditor] = await Promise.all([
      readGoods(goodsReceipts, actor, before),
      readCreditor(tenant, before.supplier_id),
    ]);
    requireTrading(actor, warehouse);
    const [stockLevels, [ratesItem, ...cards]] = await Promise.all([
      readStockLevels(tenant, warehouse.id, productIds),
      getItems([
        keyOfRates(tenant, actor.companyId),
        ...productIds.map((productId) => recordKey(products.type, tenant, productId)),
      ]),
    ]);
    const occasion = { cause: 'receipt', documentId: id, by: actor, at } as const;
    const terms = { currency: before.currency, rates: ratesFrom(ratesItem).rates, occasion };
    const prices = lines.flatMap((line, index) => priceChange(cards[index], line, terms) ?? []);
    const [repricing] = await Promise.all([
      priceWrites(actor, warehouse.company_id, prices, at),
      stockLevels.addMissing(warehouse, productIds, at),
    ]);
    const { currency, amount } = before;
    const received = lines.map((line) => ({ ...line, batches: [batchOf(line, before, at)] }));
    stockLevels.putLines(received, { document: 'purchase', documentId: id, at, by: makerOf(actor) });
    const supplier_operation_id = creditor?.operationId ?? null;
    const completion = { status: 'completed', completed_at: at, updated_at: at } as const;
    // The warehouse may have moved to another company since the draft was created.
    const after = { ...before, ...completion, company_id: warehouse.company_id, supplier_operation_id };
    const more = { type: 'receipt', source_type: 'purchase', path: 'amount' } as const;
    await transact([
      ...documentReplacement(goodsReceipts, tenant, before, after),
      ...repricing,
      ...completionWrites(actor, after, { ...more, creditor, currency, amount }, at),
      ...stockLevels.writes(warehouse),
      ...saveResponse(),
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
  const cards = prices.flatMap(({ before, after }) => replacement(products, actor.tenant, before, after));
  return [...cards, ...(await singleRepricing(actor, companyId, prices, at))];
}

function batchOf(
  { id, quantity, cost }: GoodsReceiptLine,
  { currency, supplier_id }: Pick<GoodsReceipt, 'currency' | 'supplier_id'>,
  at: Instant,
): BatchPart {
  return { id, quantity, cost, currency, at, ...(supplier_id !== null && { supplier_id }) };
}

/** Basis for validating the prices of a goods receipt's lines, with the context of the change. */
interface Terms {
  readonly currency: Currency;
  readonly rates: Rates;
  readonly occasion: PriceChangeContext;
}

function priceChange(
  card: Item | undefined,
  { sale_price, cost }: GoodsReceiptLine,
  { currency, rates, occasion }: Terms,
) {
  const before = parseRecord(products.schema, card);
  if (before.is_deleted) throw badRequest('purchase.product_gone', { name: before.name });
  if (sale_price === null || sale_price === before.sale_price) return undefined;
  const obstacle = whyNotPriced(before, { sale_price, cost, currency }, rates);
  if (obstacle?.floor !== undefined)
    throw badRequest('purchase.price_too_low', { name: before.name, min: obstacle.floor / 100 });
  if (obstacle) throw badRequest('purchase.price_without_rate', { name: before.name, currency });
  const after = { ...before, sale_price, updated_at: occasion.at };
  return { before, after: recordPriceCause(before, after, occasion) };
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
    if (before.inventory_id !== null) throw badRequest('purchase.of_inventory');
    if (before.status === 'canceled') throw badRequest('purchase.canceled');
    const after = { ...before, status: 'canceled', updated_at: at } as const;
    const writes = [...documentReplacement(goodsReceipts, tenant, before, after), ...saveResponse()];
    if (before.completed_at === null) return transact(writes);
    const booksOpen = requireOpenBooks(actor, before.completed_at, at);
    const [{ lines, warehouse, productIds }, corrections] = await Promise.all([
      readGoods(goodsReceipts, actor, before),
      operationsOfCorrections(tenant, id),
    ]);
    const operations = [before.supplier_operation_id, ...corrections];
    const supplierWrites = await reversalWrites(actor, operations, 'amount', at);
    const occasion = { cause: 'receipt', documentId: id, by: actor, at } as const;
    const [stockLevels, costWrites, repricing] = await Promise.all([
      readStockLevels(tenant, warehouse.id, productIds),
      clearLastCosts(tenant, warehouse.id, lines),
      priceBackWrites(actor, before.company_id, lines, occasion),
    ]);
    await takeWhole(stockLevels, lines, { document: 'purchase', documentId: id, at, by: makerOf(actor) });
    const moved = [...supplierWrites, ...stockLevels.writes(), ...costWrites, ...repricing];
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

/** Takes the batches of lines from stock. 400 with the product name of the first that is not intact. */
async function takeWhole(
  stockLevels: StockLevels,
  lines: readonly GoodsReceiptLine[],
  occasion: Omit<Cause, 'lineId'>,
): Promise<void> {
  for (const { id, product_id, quantity } of lines) {
    const batch = stockLevels.batch(product_id, id);
    if (batch?.left !== quantity) {
      throw badRequest('purchase.not_whole', { name: await readProductName(stockLevels.tenant, product_id) });
    }
    const { left: _, ...origin } = batch;
    stockLevels.takeExactly(product_id, [{ ...origin, quantity }], { ...occasion, lineId: id });
  }
}
