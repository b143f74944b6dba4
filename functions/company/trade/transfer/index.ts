import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { LINES_NOTE } from '#lib/trade/document/response-size.ts';
import * as transfers from '#lib/trade/transfer/record.ts';
import {
  ListedTransfer,
  StockTransfer,
  StockTransferInput,
  StockTransferList,
} from '#lib/trade/transfer/record.ts';
import { sendGoods } from '#lib/trade/transfer/send.ts';
import { stockTransferSheet } from '#lib/trade/transfer/sheet.ts';

export const GET = listing({
  right: 'company.trade.transfer.index',
  query: StockTransferList,
  rows: ListedTransfer,
  sheet: stockTransferSheet,
  note: LINES_NOTE,
  run: ({ actor, query }) => transfers.list(actor, query),
});

export const POST = endpoint({
  right: 'company.trade.transfer.store',
  idempotent: true,
  body: StockTransferInput,
  response: StockTransfer,
  note:
    'The goods leave the oldest batches of `from_stock_id` at once and are in neither warehouse while ' +
    '`in_transit`. `to_stock_id` is any warehouse of the family, as listed by `GET ' +
    '/company/trade/transfer/stocks`. Visible with access to either warehouse; canceling requires access to ' +
    'the source, completing access to the destination.',
  run: ({ actor, body, at, saveResponse }) => sendGoods(actor, body, at, saveResponse),
});
