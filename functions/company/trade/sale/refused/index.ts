import { listing } from '#lib/http/listing.ts';
import { RefusedSale, RefusedSaleList } from '#lib/trade/refused/record.ts';
import { list } from '#lib/trade/refused/refused.ts';

export const GET = listing({
  right: 'company.trade.sale.refused.index',
  query: RefusedSaleList,
  rows: RefusedSale,
  note:
    'Sales of tills without a network that were refused, of the desks that are open to the caller now. `bodies` ' +
    'are the first and the newest 19 others, the newest last; beyond 4 MB they are null, and `bodies_left_out` is true.',
  run: ({ actor, query, locale }) => list(actor, query, locale),
});
