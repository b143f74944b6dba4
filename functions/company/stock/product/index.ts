import { listing } from '#lib/http/listing.ts';
import { list, StockLevelList, StockLevelRow } from '#lib/stock/stock-level-row.ts';

export const GET = listing({
  right: 'company.stock.product.index',
  query: StockLevelList,
  rows: StockLevelRow,
  run: ({ actor, query }) => list(actor, query),
});
