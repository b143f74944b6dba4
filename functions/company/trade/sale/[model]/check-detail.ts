import { endpoint } from '#lib/http/endpoint.ts';
import { SaleDetail, saleDetail } from '#lib/trade/sale-documents/sale-detail.ts';

export const GET = endpoint({
  right: 'company.trade.sale.check-detail',
  response: SaleDetail,
  note: 'The cashier is the user who created the sale.',
  run: ({ actor, id }) => saleDetail(actor, id),
});
