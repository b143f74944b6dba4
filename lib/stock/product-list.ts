import * as z from 'zod';
import { requireRight, type Staff } from '#lib/auth/actor.ts';
import { Product, products } from '#lib/catalog/card.ts';
import { list as listProducts } from '#lib/catalog/product/product.ts';
import { Format, MAX_PAGE_SIZE, parametersOf, Show } from '#lib/records/query/filters.ts';
import { recordRequest } from '#lib/records/query/list-query.ts';
import { parseStored } from '#lib/records/stored.ts';
import { getItems } from '#lib/table/read/get.ts';
import { invalid } from '#lib/values/api-error.ts';
import { Id } from '#lib/values/fields.ts';
import { Quantity } from '#lib/values/quantity.ts';
import { StockLevel } from './stock-level.ts';
import { stockLevelKeys } from './stock-levels.ts';
import { requireWarehouse } from './warehouse.ts';

/** Balance of a product in one warehouse. Part 5, 5B.1, 5. */
const Balance = z.object({ stock_product_id: z.int(), quantity: Quantity, held_quantity: Quantity });

/** Product in a list, with its balance in a warehouse. */
export const ListedProduct = Product.extend({ balance: Balance.nullish() });

const BALANCE = 'balance';

const { filters, sorts = ['id'], embeds = {} } = products;

const offer = { sorts, embeds, pageSize: MAX_PAGE_SIZE };

const Parameters = z.strictObject({
  ...parametersOf(filters, {
    ...offer,
    embeds: { ...embeds, [BALANCE]: { field: BALANCE, keysOf: () => [], shape: () => null } },
  }),
  show: Show,
  format: Format,
  stock_id: Id.optional(),
});

/** Query string of the list. */
export const List = Parameters.transform((query) => ({
  ...recordRequest({ ...query, with: query.with?.filter((name) => name !== BALANCE) }, offer),
  format: query.format,
  stock_id: query.stock_id,
  hasBalance: query.with?.includes(BALANCE) === true,
}));

/**
 * Lists products, with `with[]=balance` along with their balances in a warehouse. 403 without the right to
 * see stock, 422 on `stock_id` if it is missing, unknown or not open to the caller.
 */
export async function list(actor: Staff, { stock_id, hasBalance, ...request }: z.output<typeof List>) {
  if (!hasBalance) return listProducts(actor, request);
  requireRight(actor, 'company.stock.product.index');
  if (stock_id === undefined) throw invalid({ stock_id: 'validation.required' });
  const [page] = await Promise.all([
    listProducts(actor, request),
    requireWarehouse(actor, stock_id, 'stock_id'),
  ]);
  const items = await getItems(
    stockLevelKeys(
      actor.tenant,
      stock_id,
      page.rows.map(({ id }) => id),
    ),
  );
  return { ...page, rows: page.rows.map((row, index) => ({ ...row, balance: balanceIn(items[index]) })) };
}

function balanceIn(item: unknown): z.input<typeof Balance> | null {
  if (item === undefined) return null;
  const { id, quantity, held = 0 } = parseStored(StockLevel, item);
  return { stock_product_id: id, quantity, held_quantity: held };
}
