import { endpoint } from '#lib/http/endpoint.ts';
import {
  CategoriesQuery,
  listStocktakeCategories,
  StocktakeCategories,
} from '#lib/trade/stocktake/report/categories.ts';

export const GET = endpoint({
  right: 'company.trade.inventory.categories',
  query: CategoriesQuery,
  response: StocktakeCategories,
  note:
    'Categories that the warehouse has goods of. The figures of each include those that stand under it, as they are ' +
    'counted with it; `total` has everything once.',
  run: ({ actor, query, locale }) => listStocktakeCategories(actor, query.stock_id, locale),
});
