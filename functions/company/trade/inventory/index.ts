import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { Stocktake, StocktakeList } from '#lib/trade/stocktake/record.ts';
import { stocktakeSheet } from '#lib/trade/stocktake/report/sheets.ts';
import { StocktakeInput } from '#lib/trade/stocktake/scope.ts';
import { list } from '#lib/trade/stocktake/show.ts';
import { start } from '#lib/trade/stocktake/start.ts';

export const GET = listing({
  right: 'company.trade.inventory.index',
  query: StocktakeList,
  rows: Stocktake,
  sheet: stocktakeSheet,
  note:
    'Quantities and sums are those of the lines that are checked so far. The filters of categories and brands find ' +
    'counts that have, or have had, a line of such goods, as its card said when it was listed or counted.',
  run: ({ actor, query }) => list(actor, query),
});

export const POST = endpoint({
  right: 'company.trade.inventory.store',
  idempotent: true,
  body: StocktakeInput,
  response: Stocktake,
  note:
    'Closes the warehouse, and lists its goods: all of them, or for `partial` those of `category_ids`, with all that ' +
    'stand under them, and of `product_ids`. 400 if a count is in progress there, or over 10 000 positions.',
  run: ({ actor, body, at, saveResponse }) => start(actor, body, at, saveResponse),
});
