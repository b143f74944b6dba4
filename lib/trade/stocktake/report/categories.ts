import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import type { StockLevel } from '#lib/stock/stock-level.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import {
  categoriesOf,
  categoryAncestors,
  mapStockLevels,
  productTraits,
  warehouseRows,
} from '#lib/trade/stocktake/goods.ts';
import { Id } from '#lib/values/fields.ts';
import { Localized } from '#lib/values/localized.ts';
import { byCurrency, Currency, LargeAmount } from '#lib/values/money.ts';
import { exactAmountOf, LargeQuantity } from '#lib/values/quantity.ts';
import type { Locale } from '#lib/values/text.ts';

/** Query string: the warehouse of the categories. */
export const CategoriesQuery = z.strictObject({ stock_id: Id });

const goods = {
  products_count: z.int(),
  quantity: LargeQuantity,
  amounts: z.record(Currency, LargeAmount),
};

/** Categories of a warehouse's goods, each including its descendants, and the total. */
export const StocktakeCategories = z.object({
  data: z.array(
    z.object({ id: z.int(), name: Localized, text: z.string(), parent_id: z.int().nullable(), ...goods }),
  ),
  total: z.object(goods),
});

interface Sum {
  products_count: number;
  quantity: bigint;
  readonly amounts: Record<Currency, bigint>;
}

/**
 * Lists the options of a partial stocktake: the warehouse's goods by category, at cost. 422 if the warehouse
 * is not open to the caller. Part 2, "Inventories".
 */
export async function listStocktakeCategories(
  actor: Staff,
  stockId: number,
  locale: Locale,
): Promise<z.input<typeof StocktakeCategories>> {
  const { tenant } = actor;
  await warehouses.requireWarehouse(actor, stockId, 'stock_id');
  const [all, rows] = await Promise.all([categoriesOf(tenant), warehouseRows(tenant, stockId)]);
  const found = await mapStockLevels({ tenant, stockId }, rows, ({ product_id, quantity, batches }) =>
    quantity > 0 ? { product_id, quantity: BigInt(quantity), amounts: worthOfAll(batches) } : undefined,
  );
  const stockLevels = found.filter((each) => each !== undefined);
  const kinds = await productTraits(
    tenant,
    stockLevels.map(({ product_id }) => product_id),
  );
  const [total, sums] = [newSum(), new Map<number, Sum>()];
  for (const stockLevel of stockLevels) {
    const categoryId = kinds.get(stockLevel.product_id)?.category_id ?? 0;
    add(total, stockLevel);
    for (const id of categoryAncestors(categoryId, all)) {
      const sum = sums.get(id) ?? newSum();
      sums.set(id, sum);
      add(sum, stockLevel);
    }
  }
  const data = [...all.values()].flatMap(({ id, name, parent_id }) => {
    const sum = sums.get(id);
    return sum ? [{ id, name, text: name[locale], parent_id, ...sum }] : [];
  });
  return { data, total };
}

function newSum(): Sum {
  return { products_count: 0, quantity: 0n, amounts: byCurrency(() => 0n) };
}

function add(sum: Sum, { quantity, amounts }: Pick<Sum, 'quantity' | 'amounts'>): void {
  sum.products_count += 1;
  sum.quantity += quantity;
  for (const currency of Currency.options) sum.amounts[currency] += amounts[currency];
}

function worthOfAll(batches: StockLevel['batches']): Sum['amounts'] {
  const amounts = newSum().amounts;
  for (const { cost, currency, left } of batches) amounts[currency] += exactAmountOf(cost, left);
  return amounts;
}
