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
    'Categories with goods in the warehouse. Figures of a category include its subcategories, which are ' +
    'counted with it; `total` counts everything once.',
  run: ({ actor, query, locale }) => listStocktakeCategories(actor, query.stock_id, locale),
});
