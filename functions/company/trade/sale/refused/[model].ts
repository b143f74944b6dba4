import { endpoint } from '#lib/http/endpoint.ts';
import { RefusedSale, RefusedSaleEmbeds } from '#lib/trade/refused/record.ts';
import { get } from '#lib/trade/refused/refused.ts';

export const GET = endpoint({
  right: 'company.trade.sale.refused.show',
  query: RefusedSaleEmbeds,
  response: RefusedSale,
  note:
    '`bodies` are the first and the latest 19 others, newest last. Above 4 MB only the newest that fit are ' +
    'included, and `bodies_left_out` is true.',
  run: ({ actor, id, query, locale }) => get(actor, id, locale, query),
});
