import { parseStored } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Key, Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { ONE } from '#lib/values/quantity.ts';
import type { Instant } from '#lib/values/time.ts';
import { takeOldest } from './batch.ts';
import { type BatchPart, joinParts, splitParts } from './batch-part.ts';
import { type Destination, inflowWrite } from './inflow.ts';
import type { Cause } from './movement.ts';
import {
  requireStockLimit,
  STOCK_LEVEL_ROW,
  StockLevel,
  stockLevelKey,
  stockLevelWrites,
} from './stock-level.ts';
import { addToStock, partsIn, takeParts } from './stock-level-change.ts';

/**
 * Returns the keys of products' stock levels in a warehouse, to be read along with a document's other data.
 */
export function stockLevelKeys(tenant: Tenant, stockId: number, productIds: readonly number[]): Key[] {
  return productIds.map((productId) => stockLevelKey(tenant, stockId, productId));
}

/** Reads the stock levels of products in a warehouse. One round trip. */
export async function readStockLevels(tenant: Tenant, stockId: number, productIds: readonly number[]) {
  return new StockLevels(tenant, await getItems(stockLevelKeys(tenant, stockId, productIds)));
}

/** Builds the message for insufficient stock, with the available quantity. */
export function insufficientStock(available: number) {
  return { key: 'stock.not_enough', with: { available: available / ONE } } as const;
}

/**
 * A document's stock levels in one warehouse, by product: as read, and after the document's movements so far,
 * which `writes` persists.
 */
export class StockLevels {
  readonly tenant: Tenant;
  /** Stock levels as read; empty ones for products that the warehouse never had. */
  readonly before: Map<number, StockLevel>;
  readonly after: Map<number, StockLevel>;
  /** Goods that were returned for the same document, which takes them first. */
  readonly #reservedParts = new Map<number, readonly BatchPart[]>();

  /** Parses the items read at `stockLevelKeys`. */
  constructor(tenant: Tenant, items: readonly unknown[]) {
    const balances = items.flatMap((item) => (item === undefined ? [] : [parseStored(StockLevel, item)]));
    this.tenant = tenant;
    this.before = new Map(balances.map((balance) => [balance.product_id, balance]));
    this.after = new Map(this.before);
  }

  /** Returns a copy, whose movements leave this one as it is. */
  copy(): StockLevels {
    const copy = new StockLevels(this.tenant, []);
    for (const [id, level] of this.before) copy.before.set(id, level);
    for (const [id, level] of this.after) copy.after.set(id, level);
    for (const [id, parts] of this.#reservedParts) copy.#reservedParts.set(id, parts);
    return copy;
  }

  /** Returns the free quantity of a product. */
  free(productId: number): number {
    return this.after.get(productId)?.quantity ?? 0;
  }

  /** Finds a batch of a product; undefined if it is exhausted. */
  batch(productId: number, id: number | null) {
    return this.after.get(productId)?.batches.find((batch) => batch.id === id);
  }

  /**
   * Takes reserved goods first, then from the oldest batches, and returns their parts. Undefined, with
   * nothing changed, if the quantity is insufficient.
   */
  take(productId: number, quantity: number, cause: Cause) {
    const balance = this.after.get(productId);
    const first = this.#reservedParts.get(productId) ?? [];
    const parts = balance && takeOldest(balance.batches, quantity, first);
    if (!parts) return undefined;
    this.after.set(productId, takeParts(balance, parts, cause));
    this.#reservedParts.set(productId, splitParts(first, quantity)[1]);
    return parts;
  }

  /** Takes goods of exactly these batches, which must have enough. */
  takeExactly(productId: number, parts: readonly BatchPart[], cause: Cause): void {
    const balance = this.after.get(productId);
    const left = new Map(balance?.batches.map((batch) => [batch.id, batch.left]));
    if (!balance || parts.some(({ id, quantity }) => (left.get(id) ?? 0) < quantity)) {
      throw new Error(`The shelf of product ${productId} does not have these goods`);
    }
    this.after.set(productId, takeParts(balance, parts, cause));
  }

  /** Adds empty stock levels for products that the warehouse never had. One round trip if there are any. */
  async addMissing(
    { id: stock_id }: Pick<Destination, 'id'>,
    productIds: readonly number[],
    at: Instant,
  ): Promise<void> {
    const missing = [...new Set(productIds)].filter((productId) => !this.after.has(productId));
    if (missing.length === 0) return;
    const first = await nextId(STOCK_LEVEL_ROW, this.tenant, missing.length);
    for (const [index, product_id] of missing.entries()) {
      const nothing = { quantity: 0, batches: [], recent: '', pages: 0, version: 0 };
      const empty = { id: first + index, stock_id, product_id, created_at: at, ...nothing };
      this.before.set(product_id, empty);
      this.after.set(product_id, empty);
    }
  }

  /**
   * Adds goods to an existing stock level. Within a document it may exceed the limit of a written one, as
   * long as the sum is exact. 400 as in `addToStock`.
   */
  put(productId: number, parts: readonly BatchPart[], cause: Cause): void {
    const balance = this.after.get(productId);
    if (!balance) throw new Error(`There is no shelf for product ${productId}`);
    this.after.set(productId, addToStock(balance, parts, cause, Number.MAX_SAFE_INTEGER));
  }

  /** Returns the goods of lines to their own batches. 400 as in `addToStock`. */
  putLines(
    lines: readonly {
      readonly id: number;
      readonly product_id: number;
      readonly batches: readonly BatchPart[];
    }[],
    cause: Omit<Cause, 'lineId'>,
  ): void {
    for (const { id, product_id, batches } of lines) this.put(product_id, batches, { ...cause, lineId: id });
  }

  /** Returns the parts of goods as they would lie in the stock level of their product. */
  placed(productId: number, parts: readonly BatchPart[]): readonly BatchPart[] {
    const balance = this.after.get(productId);
    return balance ? partsIn(balance, parts) : parts;
  }

  /** Returns goods to stock for the same document to take first. 400 as in `addToStock`. */
  putAside(productId: number, parts: readonly BatchPart[], cause: Cause): void {
    const placed = this.placed(productId, parts);
    this.put(productId, parts, cause);
    this.#reservedParts.set(productId, joinParts(this.#reservedParts.get(productId) ?? [], placed));
  }

  /**
   * Builds the writes of all changes. If a quantity grew, includes the inflow write, which requires that the
   * warehouse exists, is open and belongs to that company. 400 over the limit of a stock level.
   */
  writes(warehouse?: Destination): Write[] {
    const changed = [...this.after.values()].flatMap((after) => {
      const before = this.before.get(after.product_id);
      return before && before !== after ? [{ before, after }] : [];
    });
    const filled = changed.filter(({ before, after }) => after.quantity > before.quantity);
    for (const { after } of filled) requireStockLimit(after);
    const isFilled = filled.length > 0;
    if (isFilled && !warehouse) throw new Error('Goods came into a warehouse that was not named');
    return [
      ...(isFilled && warehouse ? [inflowWrite(this.tenant, warehouse)] : []),
      ...changed.flatMap(({ before, after }) => stockLevelWrites(this.tenant, before, after)),
    ];
  }
}
