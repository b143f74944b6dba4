import { listing } from '#lib/http/listing.ts';
import { CountLine } from '#lib/trade/count/line.ts';
import { CountLineList, lines } from '#lib/trade/count/show.ts';

export const GET = listing({
  right: 'company.trade.inventory.products',
  query: CountLineList,
  rows: CountLine,
  note: 'What was listed at the start comes first, what was added by hand after it.',
  run: ({ actor, id, query }) => lines(actor, id, query),
});
