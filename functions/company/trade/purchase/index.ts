import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { PurchaseInput } from '#lib/trade/receipt/input.ts';
import * as purchases from '#lib/trade/receipt/receipt.ts';
import { Purchase, PurchaseList } from '#lib/trade/receipt/record.ts';
import { purchaseSheet } from '#lib/trade/receipt/sheet.ts';

export const GET = listing({
  right: 'company.trade.purchase.index',
  query: PurchaseList,
  rows: Purchase,
  sheet: purchaseSheet,
  run: ({ actor, query }) => purchases.list(actor, query),
});

export const POST = endpoint({
  right: 'company.trade.purchase.store',
  idempotent: true,
  body: PurchaseInput,
  answers: Purchase,
  run: ({ actor, body, at, remember }) => purchases.create(actor, body, at, remember),
});
