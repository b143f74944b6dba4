import { listing } from '#lib/http/listing.ts';
import { Movement } from '#lib/stock/movement.ts';
import { MovementList, movements } from '#lib/stock/stock-level-row.ts';

export const GET = listing({
  right: 'company.stock.product.movements',
  query: MovementList,
  rows: Movement,
  run: ({ actor, id, query }) => movements(actor, id, query),
});
