import { endpoint } from '#lib/http/endpoint.ts';
import { cancelGoodsReceipt } from '#lib/trade/goods-receipt/end.ts';

export const PATCH = endpoint({
  right: 'company.trade.purchase.cancel',
  idempotent: true,
  note: 'A completed one is canceled while all its batches are whole. Sale prices that it gave stay.',
  run: ({ actor, id, at, saveResponse }) => cancelGoodsReceipt(actor, id, at, () => saveResponse(undefined)),
});
