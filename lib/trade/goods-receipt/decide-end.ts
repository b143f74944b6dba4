import { makerOf, requireTrading, type Staff } from '#lib/auth/actor.ts';
import type { ProductObstacle, products } from '#lib/catalog/card.ts';
import { type PriceChangeContext, recordPriceCause } from '#lib/catalog/price.ts';
import { documentReplacement } from '#lib/records/documents.ts';
import type { Stored } from '#lib/records/stored.ts';
import type { Destination } from '#lib/stock/inflow.ts';
import type { StockLevels } from '#lib/stock/stock-levels.ts';
import { type Creditor, completionWrites } from '#lib/stock/supplier/payables.ts';
import type { Write } from '#lib/table/change/write.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { REVEALING } from '#lib/values/message.ts';
import type { Rates } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import type { CostCorrection, CostCorrectionLine } from './cost-correction.ts';
import { whyNotPriced } from './price.ts';
import { type GoodsReceiptLine, goodsReceipts } from './record.ts';

type Receipt = Stored<typeof goodsReceipts.schema>;
type Card = Stored<typeof products.schema>;

/** Data that a completion is decided by, as read. */
export interface ReceiptFacts {
  readonly before: Receipt;
  readonly lines: readonly GoodsReceiptLine[];
  /** Product of each line. */
  readonly cards: readonly Card[];
  readonly warehouse: Destination;
  /** Undefined without a supplier. */
  readonly creditor: Creditor | undefined;
  readonly rates: Rates;
  /** Stock levels of all its products in the warehouse. */
  readonly stockLevels: StockLevels;
}

/** Change of a product's price. */
export interface CardChange {
  readonly before: Card;
  readonly after: Card;
}

/** A valid completion, with all that its writes need. */
interface ReceiptPlan extends Pick<ReceiptFacts, 'before' | 'warehouse' | 'creditor' | 'stockLevels'> {
  readonly after: Receipt;
  readonly prices: readonly CardChange[];
}

/**
 * Decides the completion of a draft: its lines become batches, and products take the given prices. 400 if the
 * company of the warehouse or a product is gone, and if a price is now below its product's floor.
 * Contract 9.32.
 */
export function decideReceipt(actor: Staff, facts: ReceiptFacts, at: Instant): ReceiptPlan {
  const { before, lines, cards, warehouse, creditor, rates } = facts;
  requireTrading(actor, warehouse);
  const occasion = { cause: 'receipt', documentId: before.id, by: actor, at } as const;
  const prices = lines.flatMap((line, index) => {
    const card = cards[index];
    return card ? priceChange(card, { ...line, currency: before.currency }, rates, occasion) : [];
  });
  // The goods move on a copy: the facts stay as they were read.
  const stockLevels = facts.stockLevels.copy();
  const { currency, supplier_id } = before;
  const supplier = supplier_id !== null && { supplier_id };
  const received = lines.map(({ id, product_id, quantity, cost }) => {
    return { id, product_id, batches: [{ id, quantity, cost, currency, at, ...supplier }] };
  });
  stockLevels.putLines(received, { document: 'purchase', documentId: before.id, at, by: makerOf(actor) });
  const completion = { status: 'completed', completed_at: at, updated_at: at } as const;
  const after = {
    ...{ ...before, ...completion },
    // The warehouse may have moved to another company since the draft was created.
    company_id: warehouse.company_id,
    supplier_operation_id: creditor?.operationId ?? null,
  };
  return { before, after, warehouse, creditor, stockLevels, prices };
}

function priceChange(
  before: Card,
  { sale_price, ...line }: Parameters<typeof whyNotPriced>[1],
  rates: Rates,
  occasion: PriceChangeContext,
): CardChange[] {
  if (before.is_deleted) throw badRequest('purchase.product_gone', { name: before.name });
  if (sale_price === null || sale_price === before.sale_price) return [];
  const obstacle = whyNotPriced(before, { sale_price, ...line }, rates);
  if (obstacle?.floor !== undefined)
    throw badRequest('purchase.price_too_low', {
      ...{ name: before.name, min: obstacle.floor / 100 },
      ...(obstacle.isByCost && REVEALING),
    });
  if (obstacle)
    throw badRequest('purchase.price_without_rate', { name: before.name, currency: line.currency });
  const after = { ...before, sale_price, updated_at: occasion.at };
  return [{ before, after: recordPriceCause(before, after, occasion) }];
}

/**
 * Builds all writes of a completion, apart from those of prices and the saved response. 422 on `amount` if
 * the payable would exceed the limit, 400 if the supplier is gone.
 */
export function receiptWrites(
  actor: Staff,
  { before, after, warehouse, creditor, stockLevels }: ReceiptPlan,
  at: Instant,
): Write[] {
  const { currency, amount } = after;
  const owed = { type: 'receipt', source_type: 'purchase', path: 'amount', currency, amount } as const;
  return [
    ...documentReplacement(goodsReceipts, actor.tenant, before, after),
    ...completionWrites(actor, after, { ...owed, creditor }, at),
    ...stockLevels.writes(warehouse),
  ];
}

/** Requires that a goods receipt can be canceled. 400 for one of a stocktake, and for a canceled one. */
export function requireCancelableReceipt({ inventory_id, status }: Receipt): void {
  if (inventory_id !== null) throw badRequest('purchase.of_inventory');
  if (status === 'canceled') throw badRequest('purchase.canceled');
}

/** Correction of a receipt's costs, as far as its cancel needs it. */
export interface Correction extends Pick<CostCorrection, 'supplier_operation_id'> {
  readonly lines: readonly Pick<CostCorrectionLine, 'quantity' | 'remaining_quantity' | 'gone_amount'>[];
}

/**
 * Returns the supplier operations of a canceled goods receipt: its own, and those of its corrections. 400 if
 * a correction counted anything as gone. Part 5, 5A.4, 5.
 */
export function operationsToReverse(
  { supplier_operation_id }: Pick<Receipt, 'supplier_operation_id'>,
  corrections: readonly Correction[],
): (number | null)[] {
  if (corrections.some(hasCountedGone)) throw badRequest('purchase.corrected');
  return [supplier_operation_id, ...corrections.map((each) => each.supplier_operation_id)];
}

/**
 * Checks whether a correction counted anything as gone: goods, or an amount, which reports keep. With all
 * goods in stock, in parts, their rounding alone may be an amount. Part 5, 5A.4, 3.
 */
export function hasCountedGone({ lines }: Pick<Correction, 'lines'>): boolean {
  return lines.some(
    ({ quantity, remaining_quantity, gone_amount }) => remaining_quantity < quantity || gone_amount !== 0,
  );
}

/**
 * Takes the batches of a canceled goods receipt from a copy of the stock levels; an obstacle if one is no
 * longer intact. Contract 9.12.
 */
export function takeReceived(
  actor: Staff,
  { before, lines, ...facts }: Pick<ReceiptFacts, 'before' | 'lines' | 'stockLevels'>,
  at: Instant,
): { readonly stockLevels: StockLevels } | { readonly obstacle: ProductObstacle } {
  const stockLevels = facts.stockLevels.copy();
  const cause = { document: 'purchase', documentId: before.id, at, by: makerOf(actor) } as const;
  for (const { id, product_id, quantity } of lines) {
    const batch = stockLevels.batch(product_id, id);
    if (batch?.left !== quantity) return { obstacle: { key: 'purchase.not_whole', product_id } };
    const { left: _, ...origin } = batch;
    stockLevels.takeExactly(product_id, [{ ...origin, quantity }], { ...cause, lineId: id });
  }
  return { stockLevels };
}
