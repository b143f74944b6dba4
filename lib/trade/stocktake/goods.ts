import * as z from 'zod';
import { products } from '#lib/catalog/card.ts';
import { categories } from '#lib/catalog/category.ts';
import { parseRecord, parseStored, type Stored } from '#lib/records/stored.ts';
import { STOCK_LEVEL_INDEXES, STOCK_LEVEL_ROW, StockLevel, stockLevelKey } from '#lib/stock/stock-level.ts';
import { equals } from '#lib/table/expression.ts';
import { partition, recordKey, type Tenant } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { getItems } from '#lib/table/read/get.ts';
import { ALL_ROWS } from '#lib/table/read/request.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { mapConcurrent, splitEvery } from '#lib/values/concurrency.ts';
import type { PlannedPosition } from './positions.ts';

/** Stock levels in memory at once, with all their batches and movements: some ten megabytes. */
const STEP = 250;
const PARALLEL = 4;

const Row = z.object({ id: z.int(), product_id: z.int() });
const Traits = z.object({ category_id: z.int(), brand_id: z.int().nullable() });

/** Category and brand of a product. */
export type ProductTraits = z.output<typeof Traits>;

/** Reads the rows of all products that a warehouse ever had, in the order of their first receipt. */
export async function warehouseRows(tenant: Tenant, stockId: number): Promise<PlannedPosition[]> {
  const source = { type: STOCK_LEVEL_ROW, tenant, indexes: STOCK_LEVEL_INDEXES };
  const { rows } = await listItems(source, { ...ALL_ROWS, where: [equals('stock_id', stockId)] });
  return rows.map((row) => Row.parse(row));
}

/** Reads the stock levels of rows, a few hundred at a time, and maps each, in the order of the rows. */
export function mapStockLevels<T>(
  { tenant, stockId }: { readonly tenant: Tenant; readonly stockId: number },
  rows: readonly PlannedPosition[],
  map: (balance: z.input<typeof StockLevel>) => T,
): Promise<T[]> {
  return inSteps(rows, async (step) => {
    const items = await getItems(step.map(({ product_id }) => stockLevelKey(tenant, stockId, product_id)));
    return items.map((item) => map(parseStored(StockLevel, item)));
  });
}

/** Reads the traits of products, including deleted ones. */
export async function productTraits(
  tenant: Tenant,
  productIds: readonly number[],
): Promise<Map<number, ProductTraits>> {
  const kinds = await inSteps(productIds, async (step) => {
    const cards = await getItems(step.map((id) => recordKey(products.type, tenant, id)));
    return cards.map((card): [number, ProductTraits] => [Number(card?.['id']), Traits.parse(card)]);
  });
  return new Map(kinds);
}

/** Reads the categories of a family, including deleted ones, by id. */
export async function categoriesOf(
  tenant: Tenant,
): Promise<ReadonlyMap<number, Stored<typeof categories.schema>>> {
  const items = await wholePartition(partition(categories.type, tenant));
  const all = items.map((item) => parseRecord(categories.schema, item));
  return new Map(all.map((category) => [category.id, category]));
}

/** Returns the ids of a category and its ancestors, nearest first. */
export function categoryAncestors(
  id: number,
  all: ReadonlyMap<number, { readonly parent_id: number | null }>,
): number[] {
  const lineage = [id];
  for (let above = all.get(id)?.parent_id; above; above = all.get(above)?.parent_id) lineage.push(above);
  return lineage;
}

async function inSteps<A, B>(all: readonly A[], work: (step: readonly A[]) => Promise<B[]>): Promise<B[]> {
  return (await mapConcurrent(splitEvery(all, STEP), PARALLEL, work)).flat();
}
