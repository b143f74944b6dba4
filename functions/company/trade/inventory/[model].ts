import { endpoint } from '#lib/http/endpoint.ts';
import { InventoryEmbeds } from '#lib/trade/inventory/record.ts';
import { get, InventoryWithLines } from '#lib/trade/inventory/show.ts';

export const GET = endpoint({
  right: 'company.trade.inventory.show',
  query: InventoryEmbeds,
  answers: InventoryWithLines,
  note:
    'Shows the warehouse and who is responsible, whatever `with[]` asks for. All lines, up to 10 000, without cards: ' +
    '`{model}/products` gives them by pages, with cards.',
  run: ({ actor, id, query }) => get(actor, id, query),
});
