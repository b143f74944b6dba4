import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { fullText, products } from '#lib/catalog/card.ts';
import { Colleague } from '#lib/people/user/colleague.ts';
import { getDocument, listDocuments } from '#lib/records/documents.ts';
import { type Embed, embed, sameTenantReference } from '#lib/records/query/embeds.ts';
import { exact, MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { type ListQuery, rowsQuery } from '#lib/records/query/list-query.ts';
import { parseStored } from '#lib/records/stored.ts';
import { Warehouse } from '#lib/stock/warehouse.ts';
import { all } from '#lib/table/expression.ts';
import { partition } from '#lib/table/keys.ts';
import { type Page, pageSlice } from '#lib/table/read/request.ts';
import { OfflineSaleOfCount, readLateSales } from '#lib/trade/sale/before-count.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { mapStockLevels } from './goods.ts';
import { newUncheckedLine, StocktakeLine, showLine } from './line.ts';
import { type Position, readPositions } from './positions.ts';
import { detailEmbeds, Stocktake, stocktakeRef, stocktakes } from './record.ts';
import { shownSums } from './totals.ts';

/**
 * Stocktake with its warehouse, responsible user, all lines, without cards, and offline sales made before it
 * and uploaded after it. Part 2, "Inventories"; Contract 9.9.
 */
export const StocktakeWithLines = Stocktake.extend({
  stock: Warehouse.nullable(),
  responsible: Colleague.nullable(),
  products: z.array(StocktakeLine),
  /**
   * Lines of offline sales made before it and uploaded after it, newest first, at most 100. Part 4, 4.4, 6.
   */
  late_sales: z.array(OfflineSaleOfCount),
});

/** Query string of a stocktake's lines. */
export const StocktakeLineList = rowsQuery(
  {
    is_checked: exact('is_checked', z.boolean()),
    difference: exact('outcome', enumeration('inventory.difference', ['above', 'below', 'matched'])),
  },
  { embeds: { product: sameTenantReference('product', products.type, fullText) }, pageSize: MAX_PAGE_SIZE },
);

/** Lists the stocktakes of warehouses open to the caller: the history. */
export function list(actor: Staff, query: ListQuery) {
  return listDocuments(stocktakes, actor, { ...query, embeds: [...shownSums, ...query.embeds] });
}

/** Reads a stocktake and its positions; a canceled one has none. One round trip. */
export async function readWithPositions(actor: Staff, id: number, embeds?: readonly Embed[]) {
  const [count, positions] = await Promise.all([
    getDocument(stocktakes, actor, id, embeds),
    readPositions(stocktakeRef(actor.tenant, id)),
  ]);
  return { count, positions: count.status === 'canceled' ? [] : positions };
}

/**
 * Reads a stocktake with its warehouse, responsible user, all lines, and the requested embeds. Two round
 * trips; in progress, it also reads the stock levels of unchecked positions.
 */
export async function get(actor: Staff, id: number, requestedEmbeds: readonly Embed[]) {
  const embeds = [...new Set([...shownSums, ...detailEmbeds, ...requestedEmbeds])];
  const [{ count, positions }, late_sales] = await Promise.all([
    readWithPositions(actor, id, embeds),
    readLateSales(actor.tenant, id),
  ]);
  const { stock = null, responsible = null } = count;
  const products = await linesOf(actor, count.stock_id, positions);
  return { ...count, stock, responsible, products, late_sales };
}

/**
 * Lists a page of a stocktake's lines: the planned ones in the order of the plan, then those added manually.
 * Three round trips.
 */
export async function lines(actor: Staff, id: number, query: ListQuery): Promise<Page<StocktakeLine>> {
  const { page, pageSize } = query;
  const { count, positions } = await readWithPositions(actor, id);
  const isMatch = all(query.where).matches;
  const matching = positions.filter(({ line }) =>
    isMatch({ is_checked: line !== undefined, outcome: outcomeOf(line) }),
  );
  const found = pageSlice(matching, query);
  const pk = partition(stocktakes.type, actor.tenant);
  const bare = await linesOf(actor, count.stock_id, found);
  const rows = await embed(
    bare.map((line) => ({ ...line, pk })),
    query.embeds,
  );
  return { rows: rows.map((row) => parseStored(StocktakeLine, row)), total: matching.length, page, pageSize };
}

function outcomeOf(line: Position['line']): string | undefined {
  if (!line) return undefined;
  const { stock_quantity, actual_quantity } = line;
  if (actual_quantity === stock_quantity) return 'matched';
  return actual_quantity > stock_quantity ? 'above' : 'below';
}

/** Returns the published lines; unchecked ones show their present stock level. */
async function linesOf(
  { tenant }: Staff,
  stockId: number,
  positions: readonly Position[],
): Promise<StocktakeLine[]> {
  const open = positions.filter(({ line }) => line === undefined);
  const unchecked = await mapStockLevels({ tenant, stockId }, open, newUncheckedLine);
  const byId = new Map(unchecked.map((line) => [line.id, line]));
  return positions.flatMap(({ id, line }) => (line ? showLine(line) : (byId.get(id) ?? [])));
}
