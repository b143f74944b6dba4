import { listing } from '#lib/http/listing.ts';
import { DocumentLineList, listLines } from '#lib/trade/document/show.ts';
import { GoodsReceiptLine, goodsReceipts } from '#lib/trade/goods-receipt/record.ts';

export const GET = listing({
  right: 'company.trade.purchase.products',
  query: DocumentLineList,
  rows: GoodsReceiptLine,
  note: 'All lines of the goods receipt in order, each with its `product`; that of a stocktake may have 10 000.',
  run: ({ actor, id, query }) => listLines(goodsReceipts, actor, id, query),
});
