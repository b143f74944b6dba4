import type { Staff } from '#lib/access/actor.ts';
import { listDocuments } from '#lib/records/documents.ts';
import type { Embed } from '#lib/records/embeds.ts';
import type { ListQuery } from '#lib/records/list-query.ts';
import { getWithLines } from '#lib/trade/product-lines.ts';
import { StockTransferLine, stockTransfers } from './record.ts';

/** Lists the transfers between warehouses open to the caller. */
export function list(actor: Staff, query: ListQuery) {
  return listDocuments(stockTransfers, actor, query);
}

/** Gets one transfer with its lines and with the embeds asked for. */
export function get(actor: Staff, id: number, wanted: readonly Embed[]) {
  return getWithLines({ type: stockTransfers, line: StockTransferLine }, actor, id, wanted);
}
