import type { Maker } from '#lib/auth/actor.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { timesOf } from '#lib/trade/document/fields.ts';
import { newDocumentWrites } from '#lib/trade/document/lines.ts';
import { type GoodsReceipt, type GoodsReceiptLine, goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { amountsOf, type WriteOff, type WriteOffLine, writeOffs } from '#lib/trade/write-off/record.ts';
import { translateLabel } from '#lib/values/labels/label.ts';
import { Currency, totalAmount } from '#lib/values/money.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import type { CheckedLine } from './line.ts';
import type { StoredStocktake } from './record.ts';

/** Writes of an adjustment: its header, and the chunks of lines, which are staged. */
type DocumentWrites = ReturnType<typeof newDocumentWrites>;

/** Common data of a stocktake's adjustments. */
interface Ending {
  readonly count: StoredStocktake;
  readonly tenant: Tenant;
  readonly by: Maker;
  readonly at: Instant;
  readonly locale: Locale;
}

/** Differences of a stocktake: surplus lines by currency, and lines of the shortage. */
interface Differences {
  readonly surplus: readonly (readonly [Currency, readonly GoodsReceiptLine[]])[];
  readonly shortage: readonly CheckedLine[];
}

/** Ids of a write-off, and the first ones of goods receipts and of the write-off's lines. */
interface AdjustmentIds {
  readonly receipt: number;
  readonly writeOff: number;
  readonly writeOffLine: number;
}

/** Selects the lines with differences. */
export function differencesOf(counted: readonly CheckedLine[]): Differences {
  const surplus = Currency.options
    .map((currency) => [currency, counted.flatMap((line) => surplusLine(line, currency))] as const)
    .filter(([, lines]) => lines.length > 0);
  return { surplus, shortage: counted.filter(({ shortage }) => shortage !== undefined) };
}

function surplusLine(
  { product_id, stock_quantity, actual_quantity, surplus }: CheckedLine,
  currency: Currency,
): GoodsReceiptLine[] {
  if (surplus?.currency !== currency) return [];
  const { batch_id: id, cost, amount } = surplus;
  return [{ id, product_id, quantity: actual_quantity - stock_quantity, cost, amount, sale_price: null }];
}

/**
 * Builds the adjustments of a completed stocktake: a goods receipt per currency of its surplus, and a
 * write-off of its shortage. Contract 9.11.
 */
export function stocktakeAdjustments(
  ending: Ending,
  { surplus, shortage }: Differences,
  ids: AdjustmentIds,
): DocumentWrites[] {
  const receipts = surplus.map(([currency, lines], index) => {
    const own = { id: ids.receipt + index, inventory_id: ending.count.id, currency, comment: null };
    const sums = { amount: totalAmount(lines), products_count: lines.length };
    const goodsReceipt: GoodsReceipt = { ...adjustmentHeader(ending), ...own, ...sums };
    return newDocumentWrites(goodsReceipts, ending.tenant, goodsReceipt, lines);
  });
  return shortage.length > 0 ? [...receipts, writeOffOf(ending, shortage, ids)] : receipts;
}

function writeOffOf(
  ending: Ending,
  short: readonly CheckedLine[],
  { writeOff: id, writeOffLine }: AdjustmentIds,
): DocumentWrites {
  const { count, tenant, locale } = ending;
  const given = { source_product_id: null, reason: 'common_loss', comment: null } as const;
  const lines = short.map(
    ({ product_id, stock_quantity, actual_quantity, shortage = [] }, index): WriteOffLine => ({
      ...given,
      id: writeOffLine + index,
      product_id,
      quantity: stock_quantity - actual_quantity,
      batches: shortage,
    }),
  );
  const writeOff: WriteOff = {
    ...adjustmentHeader(ending),
    id,
    source_type: 'inventory',
    source_id: count.id,
    name: translateLabel(locale, { key: 'inventory.title', with: { id: count.id } }),
    amounts: amountsOf(lines),
    products_count: lines.length,
  };
  return newDocumentWrites(writeOffs, tenant, writeOff, lines);
}

/** Returns the fields common to adjustments: created as completed, without a supplier or a payable. */
export function adjustmentHeader({
  count: { company_id, stock_id },
  by,
  at,
}: Pick<Ending, 'by' | 'at'> & { readonly count: Pick<StoredStocktake, 'company_id' | 'stock_id'> }) {
  return {
    ...by,
    company_id,
    stock_id,
    supplier_id: null,
    supplier_operation_id: null,
    status: 'completed',
    ...timesOf(at),
    completed_at: at,
  } as const;
}
