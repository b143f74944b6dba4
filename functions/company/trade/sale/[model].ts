import { endpoint } from '#lib/http/endpoint.ts';
import { get, SaleEmbeds, SaleWithReturns } from '#lib/trade/sale/read.ts';

export const GET = endpoint({
  right: 'company.trade.sale.show',
  query: SaleEmbeds,
  response: SaleWithReturns,
  run: ({ actor, id, query }) => get(actor, id, query),
});
