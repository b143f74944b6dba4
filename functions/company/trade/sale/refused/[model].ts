import { endpoint } from '#lib/http/endpoint.ts';
import { RefusedSale } from '#lib/trade/refused/record.ts';
import { get } from '#lib/trade/refused/refused.ts';

export const GET = endpoint({
  right: 'company.trade.sale.refused.show',
  answers: RefusedSale,
  run: ({ actor, id, locale }) => get(actor, id, locale),
});
