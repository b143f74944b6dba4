import type * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import { getItem } from '#lib/table/read/get.ts';
import { type LinedSchema, type LinedType, type LineSchema, readAllLines } from './lines.ts';

/** A document that moves goods in or out of one warehouse. */
type WarehouseSchema = LinedSchema & z.ZodType<unknown, { readonly stock_id: number }>;

/** A line with its product. */
type ProductLineSchema = LineSchema & z.ZodType<unknown, { readonly product_id: number }>;

/**
 * Reads what a document moves, and where: its lines, and the warehouse as it is by now. 400 as
 * `requireWorking` says. One round trip.
 */
export async function readGoods<S extends WarehouseSchema, L extends ProductLineSchema>(
  type: LinedType<S, L>,
  actor: Staff,
  document: z.input<S>,
) {
  const [lines, item] = await Promise.all([
    readAllLines(type, actor.home, document),
    getItem(warehouses.keyOf(actor, document.stock_id)),
  ]);
  const warehouse = warehouses.requireWorking(actor, item);
  return { lines, warehouse, productIds: [...new Set(lines.map(({ product_id }) => product_id))] };
}
