import type { BenchShop } from '#bench/support/shop.ts';
import { writeItems } from '#bench/support/write-items.ts';
import { products } from '#lib/catalog/card.ts';
import { STOCK_LEVEL_ROW, stockLevelKey } from '#lib/stock/stock-level.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';

/** Ids of copied products, and of their rows in a warehouse. */
interface Copies {
  readonly products: readonly number[];
  readonly rows: readonly number[];
}

/** Fills a warehouse with this many products, each with the card and the stock of the shop's first one. */
export async function copyGoods(
  tenant: Tenant,
  shop: BenchShop,
  stock_id: number,
  count: number,
): Promise<Copies> {
  const [first = 0] = shop.products;
  const cardKey = recordKey(products.type, tenant, first);
  const [card, balance] = await getItems([cardKey, stockLevelKey(tenant, shop.stock, first)]);
  const [firstCard, firstRow] = await Promise.all([
    nextId(products.type, tenant, count),
    nextId(STOCK_LEVEL_ROW, tenant, count),
  ]);
  const copies = Array.from({ length: count }, (_, index) => ({
    id: firstCard + index,
    row: firstRow + index,
  }));
  const items = copies.map(({ id, row }) => {
    const place = { id: row, stock_id, product_id: id, created_at: balance?.['created_at'], version: 1 };
    return [
      { ...card, ...recordKey(products.type, tenant, id), id, barcode: `copy ${id}` },
      { ...balance, ...place, ...stockLevelKey(tenant, stock_id, id) },
      { ...place, ...recordKey(STOCK_LEVEL_ROW, tenant, row) },
    ];
  });
  await writeItems(items.flat());
  return { products: copies.map(({ id }) => id), rows: copies.map(({ row }) => row) };
}
