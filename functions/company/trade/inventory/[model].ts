import { endpoint } from '#lib/http/endpoint.ts';
import { CountEmbeds } from '#lib/trade/count/record.ts';
import { CountWithLines, get } from '#lib/trade/count/show.ts';

export const GET = endpoint({
  right: 'company.trade.inventory.show',
  query: CountEmbeds,
  answers: CountWithLines,
  note:
    'Shows the warehouse and who is responsible, whatever `with[]` asks for. All lines, up to 10 000, without cards: ' +
    '`{model}/products` gives them by pages, with cards.',
  run: ({ actor, id, query }) => get(actor, id, query),
});
