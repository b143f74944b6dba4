import { OperationStats, StatsQuery, statsOfToday } from '#lib/cash/operation/stats.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.cashbox.operation.stats',
  query: StatsQuery,
  response: OperationStats,
  note:
    '`income` and `outcome` cover operations completed today; canceled and reversed operations and reversals ' +
    'are excluded. `opening` is the balance of each desk at midnight, or at the opening of its open shift.',
  run: ({ actor, query, at }) => statsOfToday(actor, query, at),
});
