import { OperationStats, StatsQuery, statsOfToday } from '#lib/cash/operation/stats.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.cashbox.operation.stats',
  query: StatsQuery,
  response: OperationStats,
  note:
    '`income` and `outcome` are the transfers made today that are completed; canceled ones, reversed ones and ' +
    'reversals are not counted. `opening` is what each desk had at midnight, or with an open shift what that ' +
    'began with.',
  run: ({ actor, query, at }) => statsOfToday(actor, query, at),
});
