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
    'Quantities and amounts cover the positions counted so far. Filters by category and brand find stocktakes ' +
    'that have, or had, such a position, by the product card at the time of listing or counting.',
  run: ({ actor, query }) => list(actor, query),
});

export const POST = endpoint({
  right: 'company.trade.inventory.store',
  idempotent: true,
  body: StocktakeInput,
  response: Stocktake,
  note:
    'Closes the warehouse and lists its goods: all of them, or for `partial` those of `category_ids` with ' +
    'their subcategories and of `product_ids`. 400 if a stocktake of the warehouse is in progress, or for ' +
    'more than 10 000 positions.',
  run: ({ actor, body, at, saveResponse }) => start(actor, body, at, saveResponse),
});
