import { endpoint } from '#lib/http/endpoint.ts';
import { CreditDetail, creditDetail } from '#lib/trade/credit/agreement.ts';

export const GET = endpoint({
  right: 'company.trade.sale.credit-detail',
  response: CreditDetail,
  run: ({ actor, id }) => creditDetail(actor, id),
});
