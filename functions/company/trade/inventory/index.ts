import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { Count, CountList } from '#lib/trade/count/record.ts';
import { historySheet } from '#lib/trade/count/report/sheets.ts';
import { CountInput } from '#lib/trade/count/scope.ts';
import { list } from '#lib/trade/count/show.ts';
import { start } from '#lib/trade/count/start.ts';

export const GET = listing({
  right: 'company.trade.inventory.index',
  query: CountList,
  rows: Count,
  sheet: historySheet,
  note:
    'Quantities and sums are those of the lines that are checked so far. The filters of categories and brands find ' +
    'counts that have, or have had, a line of such goods, as its card said when it was listed or counted.',
  run: ({ actor, query }) => list(actor, query),
});

export const POST = endpoint({
  right: 'company.trade.inventory.store',
  idempotent: true,
  body: CountInput,
  answers: Count,
  note:
    'Closes the warehouse, and lists its goods: all of them, or for `partial` those of `category_ids`, with all that ' +
    'stand under them, and of `product_ids`. 400 if a count is in progress there, or over 10 000 positions.',
  run: ({ actor, body, at, remember }) => start(actor, body, at, remember),
});
