import { listing } from '#lib/http/listing.ts';
import { InventoryLine } from '#lib/trade/inventory/line.ts';
import { InventoryLineList, lines } from '#lib/trade/inventory/show.ts';

export const GET = listing({
  right: 'company.trade.inventory.products',
  query: InventoryLineList,
  rows: InventoryLine,
  note: 'What was listed at the start comes first, what was added by hand after it.',
  run: ({ actor, id, query }) => lines(actor, id, query),
});
