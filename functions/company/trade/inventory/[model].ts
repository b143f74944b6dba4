import { endpoint } from '#lib/http/endpoint.ts';
import { StocktakeEmbeds } from '#lib/trade/stocktake/record.ts';
import { get, StocktakeWithLines } from '#lib/trade/stocktake/show.ts';

export const GET = endpoint({
  right: 'company.trade.inventory.show',
  query: StocktakeEmbeds,
  response: StocktakeWithLines,
  note:
    'Shows the warehouse and who is responsible, whatever `with[]` asks for. All lines, up to 10 000, without cards: ' +
    '`{model}/products` gives them by pages, with cards.',
  run: ({ actor, id, query }) => get(actor, id, query),
});
