import { listing } from '#lib/http/listing.ts';
import { RefusedSale, RefusedSaleList } from '#lib/trade/refused/record.ts';
import { list } from '#lib/trade/refused/refused.ts';

export const GET = listing({
  right: 'company.trade.sale.refused.index',
  query: RefusedSaleList,
  rows: RefusedSale,
  note:
    'Refused offline sales of the desks currently accessible to the caller. `bodies` are the first and the ' +
    'latest 19 others, newest last; above 4 MB they are null, and `bodies_left_out` is true.',
  run: ({ actor, query, locale }) => list(actor, query, locale),
});
