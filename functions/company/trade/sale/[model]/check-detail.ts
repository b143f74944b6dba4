import { endpoint } from '#lib/http/endpoint.ts';
import { CheckDetail, checkDetail } from '#lib/trade/cheque-forms/check-detail.ts';

export const GET = endpoint({
  right: 'company.trade.sale.check-detail',
  answers: CheckDetail,
  note: 'The cashier is who made the cheque.',
  run: ({ actor, id }) => checkDetail(actor, id),
});
