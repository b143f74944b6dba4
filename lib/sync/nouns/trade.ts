import { parseStored } from '#lib/records/stored.ts';
import { type Copies, copyOf, EMBEDDED } from '#lib/sync/copy/copy.ts';
import { copyWithLines, linesField, readLinesOf } from '#lib/sync/copy/with-lines.ts';
import { Hold, HoldLine, holds } from '#lib/trade/hold/record.ts';
import { Receipt, ReceiptLine, receipts } from '#lib/trade/receipt/record.ts';
import { CashboxShift, StoredShift, shifts } from '#lib/trade/shift/record.ts';
import { showShift } from '#lib/trade/shift/show.ts';
import { StockTransfer, StockTransferLine, stockTransfers } from '#lib/trade/transfer/record.ts';
import { WriteOff, WriteOffLine, writeOffs } from '#lib/trade/write-off/record.ts';
import { countCopy } from './count.ts';
import { repricingCopy } from './repricing.ts';
import { returnCopy, saleCopy } from './sale.ts';

const CARD = { product: true } as const;
const PLACES = { cashbox: true, stock: true } as const;

const CopiedHold = Hold.omit({ ...EMBEDDED, updater: true, stock: true });
const CopiedReceipt = Receipt.omit({ ...EMBEDDED, stock: true, supplier: true });
const CopiedTransfer = StockTransfer.omit({ ...EMBEDDED, from_stock: true, to_stock: true });

const CopiedShift = StoredShift.omit({ ...EMBEDDED, ...PLACES }).extend({
  summary: CashboxShift.shape.summary.nullable(),
});

/** The copies of a family's documents. */
export const tradeCopies = {
  'trade.sale': saleCopy,
  'trade.sale.return': returnCopy,
  'trade.hold': () =>
    copyWithLines(holds, CopiedHold.extend(linesField(HoldLine.omit(CARD))), readLinesOf(holds)),
  'trade.purchase': () =>
    copyWithLines(receipts, CopiedReceipt.extend(linesField(ReceiptLine.omit(CARD))), readLinesOf(receipts)),
  'trade.writeoff': () =>
    copyWithLines(
      writeOffs,
      WriteOff.omit(EMBEDDED).extend(linesField(WriteOffLine.omit(CARD))),
      readLinesOf(writeOffs),
    ),
  'trade.transfer': () =>
    copyWithLines(
      stockTransfers,
      CopiedTransfer.extend(linesField(StockTransferLine.omit(CARD))),
      readLinesOf(stockTransfers),
    ),
  'trade.inventory': countCopy,
  'trade.recalculation-batch': repricingCopy,
  'trade.cashbox-shift': () =>
    copyOf(shifts, CopiedShift, {
      show: async (heads, { locale }) =>
        heads.map((head) => {
          const shift = parseStored(StoredShift, head);
          const { summary: closed, opened_at: at } = shift;
          const summary = closed && showShift(shift, closed, { locale, at }).summary;
          return { record: { ...head, summary }, revision: head.version };
        }),
    }),
} satisfies Copies;
