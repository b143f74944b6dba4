import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { LINES_NOTE } from '#lib/trade/document/answer-size.ts';
import * as purchases from '#lib/trade/receipt/receipt.ts';
import { ListedReceipt, Receipt, ReceiptInput, ReceiptList } from '#lib/trade/receipt/record.ts';
import { receiptSheet } from '#lib/trade/receipt/sheet.ts';

export const GET = listing({
  right: 'company.trade.purchase.index',
  query: ReceiptList,
  rows: ListedReceipt,
  sheet: receiptSheet,
  note: LINES_NOTE,
  run: ({ actor, query }) => purchases.list(actor, query),
});

export const POST = endpoint({
  right: 'company.trade.purchase.store',
  idempotent: true,
  body: ReceiptInput,
  answers: Receipt,
  run: ({ actor, body, at, remember }) => purchases.create(actor, body, at, remember),
});
