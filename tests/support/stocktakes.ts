import { vi } from 'vitest';
import * as z from 'zod';
import type { Reply } from '#bin/cli/person.ts';
import { isIn, type Staff } from '#lib/auth/actor.ts';
import { identify } from '#lib/auth/identify.ts';
import { readToken } from '#lib/auth/tokens.ts';
import { STOCK_LEVEL_ROW } from '#lib/stock/stock-level.ts';
import { stockLevelKeys } from '#lib/stock/stock-levels.ts';
import { getRawItems, lockOf } from '#lib/table/items.ts';
import { familyTenant, partition } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { call } from './http.ts';
import { MAX_WAIT_MS } from './patience.ts';
import { make } from './records.ts';
import { newGoods, newShop, type Shop } from './shop.ts';

export const INVENTORIES = '/company/trade/inventory';

/** Creates a shop with three products: 10, 20 and 30 pieces. */
export async function newStoreForStocktake() {
  const shop = await newShop();
  const products = [
    await newGoods(shop, [{ quantity: 10, cost: 100 }]),
    await newGoods(shop, [
      { quantity: 5, cost: 10 },
      { quantity: 15, cost: 2, currency: 'usd' },
    ]),
    await newGoods(shop, [{ quantity: 30, cost: 7.5 }]),
  ] as const;
  return { shop, token: shop.director, products };
}

/** Starts a stocktake of a shop's warehouse, and returns its id. */
export function startStocktake(
  { director, stockId: stock_id }: Pick<Shop, 'director' | 'stockId'>,
  given: object = {},
): Promise<number> {
  return make(INVENTORIES, director, { stock_id, type: 'full', ...given });
}

/** Takes the owner of a token as the domain does. */
export async function staffOf(token: string): Promise<Staff> {
  const at = Date.now();
  const actor = await identify(await readToken(token, at), at);
  if (!isIn('company', actor)) throw new Error('Counts are made by staff');
  return actor;
}

const Line = z.object({
  id: z.int(),
  stock_product_id: z.int(),
  product_id: z.int(),
  stock_quantity: z.number(),
  actual_quantity: z.number().nullable(),
  is_checked: z.boolean(),
  difference: z.number().nullable(),
  held_quantity: z.number(),
  counted_by_id: z.int().nullable(),
  counted_at: z.string().nullable(),
});

const Count = z.looseObject({ status: z.string(), products: z.array(Line) });

/** Reads a stocktake as shown to a caller. */
export async function countSeen(token: string, id: number) {
  const { body } = await call(`GET ${INVENTORIES}/${id}`, { token });
  return Count.parse(body);
}

/** Reads the ids of a shop's products in its warehouse, by product. */
export async function rowIds({ companyId, stockId }: Shop): Promise<Map<number, number>> {
  const Row = z.object({ id: z.int(), stock_id: z.int(), product_id: z.int() });
  const items = await wholePartition(partition(STOCK_LEVEL_ROW, familyTenant(companyId)));
  const rows = items.map((item) => Row.parse(item)).filter(({ stock_id }) => stock_id === stockId);
  return new Map(rows.map(({ id, product_id }) => [product_id, id]));
}

/** Counts products of a shop: the actual quantity of each. */
export async function count(
  shop: Shop,
  id: number,
  counted: readonly (readonly [product: number, actual: number])[],
  headers = {},
): Promise<Reply> {
  const rows = await rowIds(shop);
  const products_tmp = counted.map(([product, actual_quantity]) => ({
    stock_product_id: rows.get(product) ?? 0,
    actual_quantity,
  }));
  return call(`PATCH ${INVENTORIES}/${id}/add-products`, {
    token: shop.director,
    json: { products_tmp },
    headers,
  });
}

/** Ends a stocktake: `complete` or `cancel`. */
export function endStocktake(
  { director: token }: Pick<Shop, 'director'>,
  id: number,
  how: 'complete' | 'cancel',
  headers = {},
): Promise<Reply> {
  return call(`PATCH ${INVENTORIES}/${id}/${how}`, { token, headers });
}

/** Waits until the worker has finished the stock levels of products. */
export async function waitUntilFinished(
  { companyId, stockId }: Shop,
  products: readonly number[],
): Promise<void> {
  await vi.waitFor(
    async () => {
      const items = await getRawItems(stockLevelKeys(familyTenant(companyId), stockId, products));
      if (items.some((item) => lockOf(item) !== undefined)) throw new Error('Shelves are locked');
    },
    { timeout: MAX_WAIT_MS, interval: 50 },
  );
}
