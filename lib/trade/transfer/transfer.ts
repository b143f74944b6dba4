import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { allWarehouses, Warehouse } from '#lib/stock/warehouse.ts';
import { documentsWithLines } from '#lib/trade/document/show.ts';
import { stockTransfers } from './record.ts';

/** Destinations of goods. Decisions, 9 (78). */
export const Destinations = z.object({
  data: z.array(Warehouse.pick({ id: true, name: true, company_id: true })),
});

/** List the transfers from and to the warehouses open to the caller, and get one with its lines. */
export const { list, get } = documentsWithLines(stockTransfers);

/** Lists all warehouses of the family that are not deleted, open to the caller or not. */
export async function destinations({ home }: Staff) {
  return { data: (await allWarehouses(home)).filter(({ is_deleted }) => !is_deleted) };
}
