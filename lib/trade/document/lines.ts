import type * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { type DocumentType, documentInsertion } from '#lib/records/documents.ts';
import { lineWrites, readLines } from '#lib/records/lines.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import type { RecordRef, Tenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';

/** Document with a line count. */
export type LinedSchema = z.ZodType<unknown, { readonly id: number; readonly products_count: number }>;

/** Line: goods of one product. */
export type LineSchema = z.ZodType<unknown, Item>;

/** Document type with lines of goods. */
export interface LinedType<S extends LinedSchema, L extends LineSchema> extends DocumentType<S> {
  readonly line: L;
  /** Completes a stored line for responses by its document. */
  readonly showLine?: (document: z.input<S>, line: z.input<L>) => z.input<L>;
}

/** Returns the lines of a document as responses show them. */
export function linesToShow<S extends LinedSchema, L extends LineSchema>(
  { showLine }: Pick<LinedType<S, L>, 'showLine'>,
  document: z.input<S>,
  lines: readonly z.input<L>[],
): z.input<L>[] {
  return lines.map((line) => (showLine ? showLine(document, line) : line));
}

/** Returns the record reference of a family's document. */
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

/** Builds the writes of a new document: its header and, separately, its lines. */
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

/** Document that moves goods in or out of one warehouse. */
type WarehouseSchema = LinedSchema & z.ZodType<unknown, { readonly stock_id: number }>;

/** Line with a product. */
type ProductLineSchema = LineSchema & z.ZodType<unknown, { readonly product_id: number }>;

/**
 * Reads a document's lines and the present state of its warehouse. 400 as in `requireOpenWarehouse`. One
 * round trip.
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
