import { listing } from '#lib/http/listing.ts';
import { list, StockProduct, StockProductList } from '#lib/stock/stock-product.ts';

export const GET = listing({
  right: 'company.stock.product.index',
  query: StockProductList,
  rows: StockProduct,
  run: ({ actor, query }) => list(actor, query),
});
