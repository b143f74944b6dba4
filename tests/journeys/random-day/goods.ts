import { readLines } from '#lib/records/lines.ts';
import { readStockLevels } from '#lib/stock/stock-levels.ts';
import { correctCosts } from '#lib/trade/cost-correction/correct.ts';
import { CostCorrectionInput } from '#lib/trade/goods-receipt/cost-correction.ts';
import { cancelGoodsReceipt, completeGoodsReceipt } from '#lib/trade/goods-receipt/end.ts';
import * as receiving from '#lib/trade/goods-receipt/goods-receipt.ts';
import { GoodsReceiptInput, GoodsReceiptLine, goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { endTransit } from '#lib/trade/transfer/end.ts';
import { StockTransferInput, StockTransferLine, stockTransfers } from '#lib/trade/transfer/record.ts';
import { sendGoods } from '#lib/trade/transfer/send.ts';
import { cancelWriteOff, completeWriteOff } from '#lib/trade/write-off/end.ts';
import { WriteOffInput, writeOffs } from '#lib/trade/write-off/record.ts';
import * as newWriteOff from '#lib/trade/write-off/write-off.ts';
import { type Day, documentsOf } from './day.ts';
import { chosen, goodsOf, type How, type Makings, stockOf } from './step.ts';

const at = () => Date.now();

/** Steps with goods that come, go to another warehouse, or are lost. */
export const GOODS_STEPS = {
  receipt: async (day, actor, how) => {
    const products = goodsOf(day, how).map((goods) => ({
      ...goods,
      cost: (10_001 + (how.pick % 7)) / 100,
    }));
    const input = GoodsReceiptInput.parse({
      stock_id: stockOf(day, how),
      supplier_id: how.pick % 3 === 0 ? null : day.supplierId,
      currency: how.pick % 5 === 0 ? 'usd' : 'uzs',
      products,
    });
    return (saveResponse) => receiving.create(actor, input, at(), saveResponse);
  },
  receiptComplete: async ({ tenant }, actor, how) => {
    const draft = chosen(await documentsOf(tenant, goodsReceipts), how, ({ status }) => status === 'draft');
    return draft && ((saveResponse) => completeGoodsReceipt(actor, draft.id, at(), saveResponse));
  },
  receiptCancel: async ({ tenant }, actor, how) => {
    const made = chosen(await documentsOf(tenant, goodsReceipts), how, ({ status }) => status !== 'canceled');
    return made && ((saveResponse) => cancelGoodsReceipt(actor, made.id, at(), saveResponse));
  },
  costCorrection: async ({ tenant }, actor, how) => {
    const made = chosen(
      await documentsOf(tenant, goodsReceipts),
      how,
      ({ status }) => status === 'completed',
    );
    if (!made) return undefined;
    const place = { type: goodsReceipts.type, tenant, id: made.id };
    const lines = await readLines(GoodsReceiptLine, place, made.products_count);
    const products = lines
      .filter((_, index) => index === 0 || how.pick % 2)
      .map(({ id }, index) => ({ id, cost: (how.pieces + index) * 7.75 }));
    const input = CostCorrectionInput.parse({ products, comment: 'Опечатка' });
    return (saveResponse) => correctCosts(actor, { ...input, id: made.id }, at(), saveResponse);
  },
  writeOff: async (day, actor, how) => {
    const stock_id = stockOf(day, how);
    const [goods] = goodsOf(day, how);
    const { product_id = 0, quantity = 0 } = goods ?? {};
    const stockLevel = (await readStockLevels(day.tenant, stock_id, [product_id])).before.get(product_id);
    const batch = chosen(stockLevel?.batches ?? [], how, ({ left }) => left > 0);
    if (!batch) return undefined;
    const line = { product_id, source_product_id: batch.id, quantity, reason: 'common_loss' };
    const input = { source_type: 'stock', source_id: stock_id, name: 'Boy', products: [line] };
    return (saveResponse) => newWriteOff.create(actor, WriteOffInput.parse(input), at(), saveResponse);
  },
  writeOffComplete: async ({ tenant }, actor, how) => {
    const waits = chosen(await documentsOf(tenant, writeOffs), how, ({ completed_at }) => !completed_at);
    return waits && ((saveResponse) => completeWriteOff(actor, waits.id, at(), saveResponse));
  },
  writeOffCancel: async ({ tenant }, actor, how) => {
    const made = chosen(await documentsOf(tenant, writeOffs), how, ({ status }) => status !== 'canceled');
    return made && ((saveResponse) => cancelWriteOff(actor, made.id, at(), saveResponse));
  },
  transfer: async (day, actor, how) => {
    const [main = 0, second = 0, branch = 0] = day.stockIds;
    const ways = [main, how.pick % 3 ? second : branch];
    const [from_stock_id, to_stock_id] = how.pick % 2 ? ways : ways.toReversed();
    const input = StockTransferInput.parse({ from_stock_id, to_stock_id, products: goodsOf(day, how) });
    return (saveResponse) => sendGoods(actor, input, at(), saveResponse);
  },
  transferComplete: async (day, actor, how) => {
    const sent = await inTransit(day, how);
    return (
      sent &&
      ((saveResponse) =>
        endTransit(
          actor,
          { id: sent.id, status: 'completed', products: [] },
          { at: at(), locale: 'ru' },
          saveResponse,
        ))
    );
  },
  transferShort: async (day, actor, how) => {
    const sent = await inTransit(day, how);
    if (!sent) return undefined;
    const place = { type: stockTransfers.type, tenant: day.tenant, id: sent.id };
    const [line] = await readLines(StockTransferLine, place, sent.products_count);
    if (!line) return undefined;
    const missing = how.pick % 2 ? ('returned' as const) : ('lost' as const);
    const products = [{ id: line.id, quantity: Math.floor(line.quantity / 2), missing }];
    const ending = { id: sent.id, status: 'completed', products } as const;
    return (saveResponse) => endTransit(actor, ending, { at: at(), locale: 'ru' }, saveResponse);
  },
  transferCancel: async (day, actor, how) => {
    const sent = await inTransit(day, how);
    return (
      sent &&
      ((saveResponse) =>
        endTransit(
          actor,
          { id: sent.id, status: 'canceled', products: [] },
          { at: at(), locale: 'ru' },
          saveResponse,
        ))
    );
  },
} satisfies Makings;

async function inTransit({ tenant }: Day, how: How) {
  return chosen(await documentsOf(tenant, stockTransfers), how, ({ status }) => status === 'in_transit');
}
