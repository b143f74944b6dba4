import type * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { type DocumentType, documentInsertion } from '#lib/records/documents.ts';
import { lineWrites, readLines } from '#lib/records/lines.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import type { RecordRef, Tenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';

/** A document that says how many lines it has. */
export type LinedSchema = z.ZodType<unknown, { readonly id: number; readonly products_count: number }>;

/** A line: goods of one product. */
export type LineSchema = z.ZodType<unknown, Item>;

/** A type of document whose lines are goods. */
export interface LinedType<S extends LinedSchema, L extends LineSchema> extends DocumentType<S> {
  readonly line: L;
}

/** Says where a document of a family is. */
export function documentRef({ type }: { readonly type: string }, tenant: Tenant, id: number): RecordRef {
  return { type, tenant, id };
}

/** Reads all lines of a document; `Contention` if it has fewer by now. One round trip. */
export function readAllLines<S extends LinedSchema, L extends LineSchema>(
  type: LinedType<S, L>,
  tenant: Tenant,
  { id, products_count }: z.input<S>,
): Promise<z.input<L>[]> {
  return readLines(type.line, documentRef(type, tenant, id), products_count);
}

/** Builds the writes of a new document and, apart, of its lines. */
export function newDocumentWrites<S extends LinedSchema, L extends LineSchema>(
  type: LinedType<S, L>,
  tenant: Tenant,
  document: z.input<S>,
  lines: readonly z.input<L>[],
): { readonly header: Write; readonly packs: Write[] } {
  return {
    header: documentInsertion(type, tenant, document),
    packs: lineWrites(documentRef(type, tenant, document.id), lines),
  };
}

/** A document that moves goods in or out of one warehouse. */
type WarehouseSchema = LinedSchema & z.ZodType<unknown, { readonly stock_id: number }>;

/** A line with its product. */
type ProductLineSchema = LineSchema & z.ZodType<unknown, { readonly product_id: number }>;

/**
 * Reads what a document moves, and where: its lines, and the warehouse as it is by now. 400 as
 * `requireOpenWarehouse` says. One round trip.
 */
export async function readGoods<S extends WarehouseSchema, L extends ProductLineSchema>(
  type: LinedType<S, L>,
  actor: Staff,
  document: z.input<S>,
) {
  const [lines, item] = await Promise.all([
    readAllLines(type, actor.tenant, document),
    getItem(warehouses.keyOf(actor, document.stock_id)),
  ]);
  const warehouse = warehouses.requireOpenWarehouse(actor, item);
  return { lines, warehouse, productIds: [...new Set(lines.map(({ product_id }) => product_id))] };
}
