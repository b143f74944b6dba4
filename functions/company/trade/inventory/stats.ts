import { endpoint } from '#lib/http/endpoint.ts';
import { InventoryStats, stats } from '#lib/trade/inventory/report/stats.ts';

export const GET = endpoint({
  right: 'company.trade.inventory.stats',
  answers: InventoryStats,
  run: ({ actor }) => stats(actor),
});
