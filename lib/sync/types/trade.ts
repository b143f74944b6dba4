import { parseStored } from '#lib/records/stored.ts';
import {
  defineSync,
  EMBEDDED,
  type RecordHeader,
  type SyncDefinitions,
} from '#lib/sync/definition/definition.ts';
import { defineSyncWithLines, linesField, readLinesOf } from '#lib/sync/definition/with-lines.ts';
import {
  CostCorrection,
  CostCorrectionLine,
  costCorrections,
} from '#lib/trade/goods-receipt/cost-correction.ts';
import { GoodsReceipt, GoodsReceiptLine, goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { Hold, HoldLine, holds } from '#lib/trade/hold/record.ts';
import { SaleTender, saleTenders } from '#lib/trade/sale-tender/record.ts';
import { CashboxShift, StoredShift, shifts } from '#lib/trade/shift/record.ts';
import { showShift } from '#lib/trade/shift/show.ts';
import {
  StockTransfer,
  StockTransferLine,
  showTransferLine,
  stockTransfers,
} from '#lib/trade/transfer/record.ts';
import { WriteOff, WriteOffLine, writeOffs } from '#lib/trade/write-off/record.ts';
import { repricingSync } from './repricing.ts';
import { returnSync, saleSync } from './sale.ts';
import { stocktakeSync } from './stocktake.ts';

const CARD = { product: true } as const;
const PLACES = { cashbox: true, stock: true } as const;

const CopiedHold = Hold.omit({ ...EMBEDDED, updater: true, stock: true });
const CopiedReceipt = GoodsReceipt.omit({ ...EMBEDDED, stock: true, supplier: true });
const CopiedTransfer = StockTransfer.omit({ ...EMBEDDED, from_stock: true, to_stock: true });

const CopiedShift = StoredShift.omit({ ...EMBEDDED, ...PLACES }).extend({
  summary: CashboxShift.shape.summary.nullable(),
});

function showTransferLines(head: RecordHeader, lines: readonly unknown[]) {
  const transfer = parseStored(StockTransfer, head);
  return lines.map((line) => showTransferLine(transfer, parseStored(StockTransferLine, line)));
}

/** Sync of documents. */
export const tradeSync = {
  'trade.sale': saleSync,
  'trade.sale.return': returnSync,
  'trade.sale.tender': () => defineSync(saleTenders, SaleTender.omit({ ...EMBEDDED, cashbox: true })),
  'trade.hold': () =>
    defineSyncWithLines(holds, CopiedHold.extend(linesField(HoldLine.omit(CARD))), readLinesOf(holds)),
  'trade.purchase': () =>
    defineSyncWithLines(
      goodsReceipts,
      CopiedReceipt.extend(linesField(GoodsReceiptLine.omit(CARD))),
      readLinesOf(goodsReceipts),
    ),
  'trade.cost-correction': () =>
    defineSyncWithLines(
      costCorrections,
      CostCorrection.omit({ creator: true, supplier: true }).extend(
        linesField(CostCorrectionLine.omit(CARD)),
      ),
      readLinesOf(costCorrections),
    ),
  'trade.writeoff': () =>
    defineSyncWithLines(
      writeOffs,
      WriteOff.omit(EMBEDDED).extend(linesField(WriteOffLine.omit(CARD))),
      readLinesOf(writeOffs),
    ),
  'trade.transfer': () =>
    defineSyncWithLines(
      stockTransfers,
      CopiedTransfer.extend(linesField(StockTransferLine.omit(CARD))),
      readLinesOf(stockTransfers, showTransferLines),
    ),
  'trade.inventory': stocktakeSync,
  'trade.recalculation-batch': repricingSync,
  'trade.cashbox-shift': () =>
    defineSync(shifts, CopiedShift, {
      show: async (heads, { locale }) =>
        heads.map((head) => {
          const shift = parseStored(StoredShift, head);
          const { summary: closed, opened_at: at } = shift;
          const summary = closed && showShift(shift, closed, { locale, at }).summary;
          return { record: { ...head, summary }, revision: head.version };
        }),
    }),
} satisfies SyncDefinitions;
