import { endpoint } from '#lib/http/endpoint.ts';
import { readToday, TODAY_RIGHTS, Today, TodayQuery } from '#lib/reports/today/today.ts';

export const GET = endpoint({
  right: 'company.report.today',
  mayNeed: Object.fromEntries(Object.values(TODAY_RIGHTS).map((right) => [right, null])),
  query: TodayQuery,
  response: Today,
  note:
    'Figures of the day so far, beside whole days before: rows are those of the reports `sales` (by day and by ' +
    'hour), `products` (the ten with the highest revenue) and `cash` (by desk). A part whose right the caller ' +
    'lacks is null, as its report would be refused, `hours` also above 20 000 sales, returns and corrections of costs. `below_minimum` is of ' +
    'the last hourly look.',
  run: ({ actor, query, at, locale }) => readToday(actor, query, { at, locale }),
});
