import { endpoint } from '#lib/http/endpoint.ts';
import * as purchases from '#lib/trade/goods-receipt/goods-receipt.ts';
import {
  GoodsReceipt,
  GoodsReceiptEdit,
  GoodsReceiptEmbeds,
  GoodsReceiptWithLines,
} from '#lib/trade/goods-receipt/record.ts';

export const GET = endpoint({
  right: 'company.trade.purchase.show',
  query: GoodsReceiptEmbeds,
  response: GoodsReceiptWithLines,
  note: 'Includes the first 1 000 lines, the first 100 with `product`; `{model}/products` pages through all.',
  run: ({ actor, id, query }) => purchases.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.trade.purchase.update',
  strict: true,
  body: GoodsReceiptEdit,
  response: GoodsReceipt,
  note: 'A line with its `id` and without `cost` keeps its cost, if product and currency are the same.',
  run: ({ actor, id, body, at }) => purchases.edit(actor, id, body, at),
});
