import { endpoint } from '#lib/http/endpoint.ts';
import { completeGoodsReceipt } from '#lib/trade/goods-receipt/end.ts';

export const PATCH = endpoint({
  right: 'company.trade.purchase.complete',
  idempotent: true,
  note:
    'The goods of a line become a batch dated now. Its `sale_price` is in the sale currency of the product. ' +
    '400 if the warehouse, the supplier or a product was deleted in the meantime.',
  run: ({ actor, id, at, saveResponse }) =>
    completeGoodsReceipt(actor, id, at, () => saveResponse(undefined)),
});
