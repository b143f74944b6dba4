import { endpoint } from '#lib/http/endpoint.ts';
import * as purchases from '#lib/trade/receipt/receipt.ts';
import { Receipt, ReceiptEmbeds, ReceiptInput, ReceiptWithLines } from '#lib/trade/receipt/record.ts';

export const GET = endpoint({
  right: 'company.trade.purchase.show',
  query: ReceiptEmbeds,
  answers: ReceiptWithLines,
  note: 'Shows the first 1 000 lines, the first 100 with their `product`; `{model}/products` pages through all.',
  run: ({ actor, id, query }) => purchases.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.trade.purchase.update',
  strict: true,
  body: ReceiptInput,
  answers: Receipt,
  run: ({ actor, id, body, at }) => purchases.edit(actor, id, body, at),
});
