import { endpoint } from '#lib/http/endpoint.ts';
import { RefusedSale, RefusedSaleEmbeds } from '#lib/trade/refused/record.ts';
import { get } from '#lib/trade/refused/refused.ts';

export const GET = endpoint({
  right: 'company.trade.sale.refused.show',
  query: RefusedSaleEmbeds,
  response: RefusedSale,
  note:
    '`bodies` are the first and the newest 19 others, the newest last. Beyond 4 MB the newest are shown that fit, ' +
    'and `bodies_left_out` is true.',
  run: ({ actor, id, query, locale }) => get(actor, id, locale, query),
});
