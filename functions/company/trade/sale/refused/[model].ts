import { endpoint } from '#lib/http/endpoint.ts';
import { RefusedSale, RefusedSaleEmbeds } from '#lib/trade/refused/record.ts';
import { get } from '#lib/trade/refused/refused.ts';

export const GET = endpoint({
  right: 'company.trade.sale.refused.show',
  query: RefusedSaleEmbeds,
  answers: RefusedSale,
  note: 'Of `bodies` the newest are shown, up to 4 MB; if older ones are left out, `bodies_left_out` is true.',
  run: ({ actor, id, query, locale }) => get(actor, id, locale, query),
});
