import { endpoint } from '#lib/http/endpoint.ts';
import { get, SaleEmbeds } from '#lib/trade/sale/read.ts';
import { SaleWithLines } from '#lib/trade/sale/record.ts';

export const GET = endpoint({
  right: 'company.trade.sale.show',
  query: SaleEmbeds,
  answers: SaleWithLines,
  run: ({ actor, id, query }) => get(actor, id, query),
});
