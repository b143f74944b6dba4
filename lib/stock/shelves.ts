import { vouched } from '#lib/records/stored.ts';
import type { Home, Key } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/reads.ts';
import { nextId } from '#lib/table/sequences.ts';
import type { Write } from '#lib/table/transaction/write.ts';
import type { Instant } from '#lib/values/time.ts';
import { Balance, balanceKey, balanceWrites, putIn, STOCK_PRODUCT, take, takeParts } from './balance.ts';
import type { Part } from './batch.ts';
import { type Destination, inflowWrite } from './inflow.ts';
import type { Cause } from './movement.ts';

/** A document's balances in one warehouse, by product, as they were read and as they will be written. */
export interface Shelves {
  readonly home: Home;
  readonly held: Map<number, Balance>;
  readonly changed: Set<number>;
  /** Those of them that goods were put on. */
  readonly filled: Set<number>;
}

/** Lists the keys of products' balances in a warehouse, to be read beside whatever else a document needs. */
export function shelfKeys(home: Home, stockId: number, productIds: readonly number[]): Key[] {
  return productIds.map((productId) => balanceKey(home, stockId, productId));
}

/** Builds the shelves from the items read at `shelfKeys`. */
export function shelvesFrom(home: Home, items: readonly unknown[]): Shelves {
  const balances = items.flatMap((item) => (item === undefined ? [] : [vouched(Balance, item)]));
  return {
    home,
    held: new Map(balances.map((balance) => [balance.product_id, balance])),
    changed: new Set(),
    filled: new Set(),
  };
}

/** Reads the shelves of products in a warehouse. One round trip. */
export async function readShelves(
  home: Home,
  stockId: number,
  productIds: readonly number[],
): Promise<Shelves> {
  return shelvesFrom(home, await getItems(shelfKeys(home, stockId, productIds)));
}

/** Tells how much of a product is free. */
export function freeOf({ held }: Shelves, productId: number): number {
  return held.get(productId)?.quantity ?? 0;
}

/**
 * Takes goods, the oldest batches first, and answers with their parts. Undefined, and nothing changed, if
 * there are not enough.
 */
export function takeFrom(shelves: Shelves, productId: number, quantity: number, cause: Cause) {
  const balance = shelves.held.get(productId);
  const taken = balance && take(balance, quantity, cause);
  if (!taken) return undefined;
  place(shelves, taken.balance);
  return taken.parts;
}

/** Takes goods of exactly these batches. False, and nothing changed, if they don't have enough. */
export function takePartsFrom(
  shelves: Shelves,
  productId: number,
  parts: readonly Part[],
  cause: Cause,
): boolean {
  const balance = shelves.held.get(productId);
  const left = new Map(balance?.batches.map((batch) => [batch.id, batch.left]));
  if (!balance || parts.some(({ id, quantity }) => (left.get(id) ?? 0) < quantity)) return false;
  place(shelves, takeParts(balance, parts, cause));
  return true;
}

/** Makes shelves for products that the warehouse never had. One round trip if there are any. */
export async function addShelves(
  shelves: Shelves,
  { id: stock_id }: Pick<Destination, 'id'>,
  productIds: readonly number[],
  at: Instant,
): Promise<void> {
  const missing = [...new Set(productIds)].filter((productId) => !shelves.held.has(productId));
  if (missing.length === 0) return;
  const first = await nextId(STOCK_PRODUCT, shelves.home, missing.length);
  for (const [index, product_id] of missing.entries()) {
    const empty = { quantity: 0, batches: [], recent: [], pages: 0, version: 0 };
    shelves.held.set(product_id, {
      id: first + index,
      stock_id,
      product_id,
      created_at: at,
      ...empty,
    });
  }
}

/** Puts goods on an existing shelf. 400 as `putIn` says. */
export function putOn(shelves: Shelves, productId: number, parts: readonly Part[], cause: Cause): void {
  const balance = shelves.held.get(productId);
  if (!balance) throw new Error(`There is no shelf for product ${productId}`);
  place(shelves, putIn(balance, parts, cause));
  shelves.filled.add(productId);
}

/**
 * Builds the writes of everything that changed on the shelves, and, if goods came in, the count of that on
 * the warehouse, which must still exist, be open and have its company.
 */
export function shelfWrites({ home, held, changed, filled }: Shelves, warehouse?: Destination): Write[] {
  if (filled.size > 0 && !warehouse) throw new Error('Goods came into a warehouse that was not named');
  const inflows = filled.size > 0 && warehouse ? [inflowWrite(home, warehouse)] : [];
  const balances = [...changed].flatMap((productId) => held.get(productId) ?? []);
  return [...inflows, ...balances.flatMap((balance) => balanceWrites(home, balance))];
}

function place({ held, changed }: Shelves, balance: Balance): void {
  held.set(balance.product_id, balance);
  changed.add(balance.product_id);
}
