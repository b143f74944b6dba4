import { endpoint } from '#lib/http/endpoint.ts';
import { StocktakeEmbeds } from '#lib/trade/stocktake/record.ts';
import { get, StocktakeWithLines } from '#lib/trade/stocktake/show.ts';

export const GET = endpoint({
  right: 'company.trade.inventory.show',
  query: StocktakeEmbeds,
  response: StocktakeWithLines,
  note:
    'Always includes the warehouse and the responsible user, regardless of `with[]`, and all lines, up to 10 ' +
    '000, without product cards; `{model}/products` pages through them with cards.',
  run: ({ actor, id, query }) => get(actor, id, query),
});
