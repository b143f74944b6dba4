import { endpoint } from '#lib/http/endpoint.ts';
import { cancelGoodsReceipt } from '#lib/trade/goods-receipt/end.ts';

export const PATCH = endpoint({
  right: 'company.trade.purchase.cancel',
  idempotent: true,
  note:
    'A completed goods receipt can be canceled while all its batches are untouched. A product whose price was ' +
    'not changed since gets its previous price back.',
  run: ({ actor, id, at, saveResponse }) => cancelGoodsReceipt(actor, id, at, () => saveResponse(undefined)),
});
