import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { listDocuments } from '#lib/records/documents.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import type { ListQuery } from '#lib/records/query/list-query.ts';
import { allWarehouses, Warehouse } from '#lib/stock/warehouse.ts';
import { getWithLines } from '#lib/trade/product-lines.ts';
import { StockTransferLine, stockTransfers } from './record.ts';

/** Destinations of goods. Decisions, 9 (78). */
export const Destinations = z.object({
  data: z.array(Warehouse.pick({ id: true, name: true, company_id: true })),
});

/** Lists the transfers from and to the warehouses open to the caller. */
export function list(actor: Staff, query: ListQuery) {
  return listDocuments(stockTransfers, actor, query);
}

/** Gets one transfer with its lines and with the embeds asked for. */
export function get(actor: Staff, id: number, wanted: readonly Embed[]) {
  return getWithLines({ type: stockTransfers, line: StockTransferLine }, actor, id, wanted);
}

/** Lists all warehouses of the family that are not deleted, open to the caller or not. */
export async function destinations({ home }: Staff) {
  return { data: (await allWarehouses(home)).filter(({ is_deleted }) => !is_deleted) };
}
