import { endpoint } from '#lib/http/endpoint.ts';
import { CountStats, stats } from '#lib/trade/count/stats.ts';

export const GET = endpoint({
  right: 'company.trade.inventory.stats',
  answers: CountStats,
  run: ({ actor }) => stats(actor),
});
