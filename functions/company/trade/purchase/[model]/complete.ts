import { endpoint } from '#lib/http/endpoint.ts';
import { completeGoodsReceipt } from '#lib/trade/goods-receipt/end.ts';

export const PATCH = endpoint({
  right: 'company.trade.purchase.complete',
  idempotent: true,
  note:
    "The goods of a line become a batch that is dated now. Its `sale_price` is in the product's own sale " +
    'currency. 400 if the warehouse, the supplier or a product has been deleted since.',
  run: ({ actor, id, at, saveResponse }) =>
    completeGoodsReceipt(actor, id, at, () => saveResponse(undefined)),
});
