import { vouch } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Home, Key } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { ONE } from '#lib/values/quantity.ts';
import type { Instant } from '#lib/values/time.ts';
import { Balance, balanceKey, balanceWrites, requireBounded, STOCK_PRODUCT } from './balance.ts';
import { putIn, takeParts } from './balance-change.ts';
import { takeOldest } from './batch.ts';
import { type Destination, inflowWrite } from './inflow.ts';
import type { Cause } from './movement.ts';
import { joinParts, type Part, splitParts } from './part.ts';

/** A document's balances in one warehouse, by product: those that were read, and those to be written. */
export interface Shelves {
  readonly home: Home;
  /** Those that were read; empty ones for products that the warehouse never had. */
  readonly before: Map<number, Balance>;
  /** With all that the document has moved so far. */
  readonly after: Map<number, Balance>;
  /** Goods that were put back to be taken again: they are taken first. */
  readonly promised: Map<number, readonly Part[]>;
}

/** Lists the keys of products' balances in a warehouse, to be read with all that a document needs. */
export function shelfKeys(home: Home, stockId: number, productIds: readonly number[]): Key[] {
  return productIds.map((productId) => balanceKey(home, stockId, productId));
}

/** Builds the shelves from the items read at `shelfKeys`. */
export function shelvesFrom(home: Home, items: readonly unknown[]): Shelves {
  const balances = items.flatMap((item) => (item === undefined ? [] : [vouch(Balance, item)]));
  const byProduct = balances.map((balance): [number, Balance] => [balance.product_id, balance]);
  return { home, before: new Map(byProduct), after: new Map(byProduct), promised: new Map() };
}

/** Reads the shelves of products in a warehouse. One round trip. */
export async function readShelves(home: Home, stockId: number, productIds: readonly number[]) {
  return shelvesFrom(home, await getItems(shelfKeys(home, stockId, productIds)));
}

/** Gives the free quantity of a product. */
export function freeOf({ after }: Shelves, productId: number): number {
  return after.get(productId)?.quantity ?? 0;
}

/** Says that goods are short of what is asked for, with how much there is. */
export function notEnough(available: number) {
  return { key: 'stock.not_enough', with: { available: available / ONE } } as const;
}

/**
 * Takes goods, those that are promised first, then of the oldest batches, and answers with their parts.
 * Undefined, and nothing changed, if there are fewer.
 */
export function takeFrom(shelves: Shelves, productId: number, quantity: number, cause: Cause) {
  const { after, promised } = shelves;
  const balance = after.get(productId);
  const first = promised.get(productId) ?? [];
  const parts = balance && takeOldest(balance.batches, quantity, first);
  if (!parts) return undefined;
  after.set(productId, takeParts(balance, parts, cause));
  promised.set(productId, splitParts(first, quantity)[1]);
  return parts;
}

/** Takes goods of exactly these batches, which must have enough. */
export function takePartsFrom(
  shelves: Shelves,
  productId: number,
  parts: readonly Part[],
  cause: Cause,
): void {
  const balance = shelves.after.get(productId);
  const left = new Map(balance?.batches.map((batch) => [batch.id, batch.left]));
  if (!balance || parts.some(({ id, quantity }) => (left.get(id) ?? 0) < quantity)) {
    throw new Error(`The shelf of product ${productId} does not have these goods`);
  }
  shelves.after.set(productId, takeParts(balance, parts, cause));
}

/** Makes shelves for products that the warehouse never had. One round trip if there are any. */
export async function addShelves(
  shelves: Shelves,
  { id: stock_id }: Pick<Destination, 'id'>,
  productIds: readonly number[],
  at: Instant,
): Promise<void> {
  const missing = [...new Set(productIds)].filter((productId) => !shelves.after.has(productId));
  if (missing.length === 0) return;
  const first = await nextId(STOCK_PRODUCT, shelves.home, missing.length);
  for (const [index, product_id] of missing.entries()) {
    const nothing = { quantity: 0, batches: [], recent: [], pages: 0, version: 0 };
    const empty = { id: first + index, stock_id, product_id, created_at: at, ...nothing };
    shelves.before.set(product_id, empty);
    shelves.after.set(product_id, empty);
  }
}

/**
 * Puts goods on an existing shelf. It may have more in the middle of a document than once that is written, as
 * long as the sum is exact. 400 as `putIn` says.
 */
export function putOn(shelves: Shelves, productId: number, parts: readonly Part[], cause: Cause): void {
  const balance = shelves.after.get(productId);
  if (!balance) throw new Error(`There is no shelf for product ${productId}`);
  shelves.after.set(productId, putIn(balance, parts, cause, Number.MAX_SAFE_INTEGER));
}

/** Puts the goods of lines on their shelves, into the very batches they are of. 400 as `putIn` says. */
export function putLinesOn(
  shelves: Shelves,
  lines: readonly { readonly id: number; readonly product_id: number; readonly batches: readonly Part[] }[],
  cause: Omit<Cause, 'lineId'>,
): void {
  for (const { id, product_id, batches } of lines)
    putOn(shelves, product_id, batches, { ...cause, lineId: id });
}

/** Puts goods back for the same document to take first. 400 as `putIn` says. */
export function putAside(shelves: Shelves, productId: number, parts: readonly Part[], cause: Cause): void {
  putOn(shelves, productId, parts, cause);
  shelves.promised.set(productId, joinParts(shelves.promised.get(productId) ?? [], parts));
}

/**
 * Builds the writes of all that changed on the shelves. If anything grew, also the inflow write: the
 * warehouse must still be there, open and of that company. 400 if there is more than a balance takes.
 */
export function shelfWrites({ home, ...shelves }: Shelves, warehouse?: Destination): Write[] {
  const changed = [...shelves.after.values()].flatMap((after) => {
    const before = shelves.before.get(after.product_id);
    return before && before !== after ? [{ before, after }] : [];
  });
  const filled = changed.filter(({ before, after }) => after.quantity > before.quantity);
  for (const { after } of filled) requireBounded(after);
  const isFilled = filled.length > 0;
  if (isFilled && !warehouse) throw new Error('Goods came into a warehouse that was not named');
  return [
    ...(isFilled && warehouse ? [inflowWrite(home, warehouse)] : []),
    ...changed.flatMap(({ before, after }) => balanceWrites(home, before, after)),
  ];
}
