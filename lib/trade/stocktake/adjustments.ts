import type { Maker } from '#lib/auth/actor.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { timesOf } from '#lib/trade/document/fields.ts';
import { newDocumentWrites } from '#lib/trade/document/lines.ts';
import { type GoodsReceipt, type GoodsReceiptLine, goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import {
  amountsOf,
  WRITE_OFF_LINE,
  type WriteOff,
  type WriteOffLine,
  writeOffs,
} from '#lib/trade/write-off/record.ts';
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

/**
 * Builds the adjustments of a completed stocktake: a goods receipt per currency of its surplus, and a
 * write-off.
 */
export async function stocktakeAdjustments(
  ending: Ending,
  lines: readonly CheckedLine[],
): Promise<DocumentWrites[]> {
  const made = await Promise.all([
    ...Currency.options.map((currency) => receiptOf(ending, currency, lines)),
    writeOffOf(ending, lines),
  ]);
  return made.flat();
}

/** Builds the goods receipt of a surplus in a currency; none without such lines. */
async function receiptOf(
  ending: Ending,
  currency: Currency,
  counted: readonly CheckedLine[],
): Promise<DocumentWrites[]> {
  const lines = counted.flatMap(
    ({ product_id, stock_quantity, actual_quantity, surplus }): GoodsReceiptLine[] => {
      if (surplus?.currency !== currency) return [];
      const { batch_id: id, cost, amount } = surplus;
      return [{ id, product_id, quantity: actual_quantity - stock_quantity, cost, amount, sale_price: null }];
    },
  );
  if (lines.length === 0) return [];
  const id = await nextId(goodsReceipts.type, ending.tenant);
  const goodsReceipt: GoodsReceipt = {
    ...adjustmentHeader(ending),
    id,
    inventory_id: ending.count.id,
    currency,
    amount: totalAmount(lines),
    comment: null,
    products_count: lines.length,
  };
  return [newDocumentWrites(goodsReceipts, ending.tenant, goodsReceipt, lines)];
}

/** Builds the write-off of a shortage; none without one. */
async function writeOffOf(ending: Ending, counted: readonly CheckedLine[]): Promise<DocumentWrites[]> {
  const { count, tenant, locale } = ending;
  const short = counted.filter(({ shortage }) => shortage !== undefined);
  if (short.length === 0) return [];
  const [id, first] = await Promise.all([
    nextId(writeOffs.type, tenant),
    nextId(WRITE_OFF_LINE, tenant, short.length),
  ]);
  const given = { source_product_id: null, reason: 'common_loss', comment: null } as const;
  const lines = short.map(
    ({ product_id, stock_quantity, actual_quantity, shortage = [] }, index): WriteOffLine => ({
      ...given,
      id: first + index,
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
  return [newDocumentWrites(writeOffs, tenant, writeOff, lines)];
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
