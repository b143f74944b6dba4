import { listing } from '#lib/http/listing.ts';
import { StocktakeLine } from '#lib/trade/stocktake/line.ts';
import { lines, StocktakeLineList } from '#lib/trade/stocktake/show.ts';

export const GET = listing({
  right: 'company.trade.inventory.products',
  query: StocktakeLineList,
  rows: StocktakeLine,
  note: 'Positions listed at the start come first, those added manually after them.',
  run: ({ actor, id, query }) => lines(actor, id, query),
});
