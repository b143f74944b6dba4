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
import { addToStock, takeParts } from './stock-level-change.ts';

/** Lists the keys of products' balances in a warehouse, to be read with all that a document needs. */
export function stockLevelKeys(tenant: Tenant, stockId: number, productIds: readonly number[]): Key[] {
  return productIds.map((productId) => stockLevelKey(tenant, stockId, productId));
}

/** Reads the shelves of products in a warehouse. One round trip. */
export async function readStockLevels(tenant: Tenant, stockId: number, productIds: readonly number[]) {
  return new StockLevels(tenant, await getItems(stockLevelKeys(tenant, stockId, productIds)));
}

/** Says that goods are short of what is asked for, with how much there is. */
export function insufficientStock(available: number) {
  return { key: 'stock.not_enough', with: { available: available / ONE } } as const;
}

/**
 * A document's balances in one warehouse, by product: as they were read, and with all that the document has
 * moved so far, which `writes` then writes.
 */
export class StockLevels {
  readonly tenant: Tenant;
  /** Those that were read; empty ones for products that the warehouse never had. */
  readonly before: Map<number, StockLevel>;
  readonly after: Map<number, StockLevel>;
  /** Goods that were put back to be taken again: they are taken first. */
  readonly #promised = new Map<number, readonly BatchPart[]>();

  /** Takes the items that were read at `stockLevelKeys`. */
  constructor(tenant: Tenant, items: readonly unknown[]) {
    const balances = items.flatMap((item) => (item === undefined ? [] : [parseStored(StockLevel, item)]));
    this.tenant = tenant;
    this.before = new Map(balances.map((balance) => [balance.product_id, balance]));
    this.after = new Map(this.before);
  }

  /** Gives the free quantity of a product. */
  free(productId: number): number {
    return this.after.get(productId)?.quantity ?? 0;
  }

  /** Finds a batch of a product; undefined if nothing is left of it. */
  batch(productId: number, id: number | null) {
    return this.after.get(productId)?.batches.find((batch) => batch.id === id);
  }

  /**
   * Takes goods, those that are promised first, then of the oldest batches, and answers with their parts.
   * Undefined, and nothing changed, if there are fewer.
   */
  take(productId: number, quantity: number, cause: Cause) {
    const balance = this.after.get(productId);
    const first = this.#promised.get(productId) ?? [];
    const parts = balance && takeOldest(balance.batches, quantity, first);
    if (!parts) return undefined;
    this.after.set(productId, takeParts(balance, parts, cause));
    this.#promised.set(productId, splitParts(first, quantity)[1]);
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

  /** Adds empty shelves for products that the warehouse never had. One round trip if there are any. */
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
   * Puts goods on a shelf that is there. It may have more in the middle of a document than once that is
   * written, as long as the sum is exact. 400 as `addToStock` says.
   */
  put(productId: number, parts: readonly BatchPart[], cause: Cause): void {
    const balance = this.after.get(productId);
    if (!balance) throw new Error(`There is no shelf for product ${productId}`);
    this.after.set(productId, addToStock(balance, parts, cause, Number.MAX_SAFE_INTEGER));
  }

  /**
   * Puts the goods of lines on their shelves, into the very batches they are of. 400 as `addToStock` says.
   */
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

  /** Puts goods back for the same document to take first. 400 as `addToStock` says. */
  putAside(productId: number, parts: readonly BatchPart[], cause: Cause): void {
    this.put(productId, parts, cause);
    this.#promised.set(productId, joinParts(this.#promised.get(productId) ?? [], parts));
  }

  /**
   * Builds the writes of all that changed. If anything grew, also the inflow write: the warehouse must still
   * be there, open and of that company. 400 if there is more than a balance takes.
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
