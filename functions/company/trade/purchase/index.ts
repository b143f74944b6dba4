import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { LINES_NOTE } from '#lib/trade/document/response-size.ts';
import * as purchases from '#lib/trade/goods-receipt/goods-receipt.ts';
import {
  GoodsReceipt,
  GoodsReceiptInput,
  GoodsReceiptList,
  ListedGoodsReceipt,
} from '#lib/trade/goods-receipt/record.ts';
import { goodsReceiptSheet } from '#lib/trade/goods-receipt/sheet.ts';

export const GET = listing({
  right: 'company.trade.purchase.index',
  query: GoodsReceiptList,
  rows: ListedGoodsReceipt,
  sheet: goodsReceiptSheet,
  note: LINES_NOTE,
  run: ({ actor, query }) => purchases.list(actor, query),
});

export const POST = endpoint({
  right: 'company.trade.purchase.store',
  idempotent: true,
  body: GoodsReceiptInput,
  response: GoodsReceipt,
  run: ({ actor, body, at, saveResponse }) => purchases.create(actor, body, at, saveResponse),
});
