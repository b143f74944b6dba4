import { endpoint } from '#lib/http/endpoint.ts';
import { StocktakeStats, stats } from '#lib/trade/stocktake/stats.ts';

export const GET = endpoint({
  right: 'company.trade.inventory.stats',
  response: StocktakeStats,
  run: ({ actor }) => stats(actor),
});
