import { listing } from '#lib/http/listing.ts';
import { StocktakeLine } from '#lib/trade/stocktake/line.ts';
import { lines, StocktakeLineList } from '#lib/trade/stocktake/show.ts';

export const GET = listing({
  right: 'company.trade.inventory.products',
  query: StocktakeLineList,
  rows: StocktakeLine,
  note: 'What was listed at the start comes first, what was added by hand after it.',
  run: ({ actor, id, query }) => lines(actor, id, query),
});
