import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type * as z from 'zod';
import { makerOf } from '#lib/auth/actor.ts';
import { MAX_BATCHES } from '#lib/stock/batch.ts';
import type { BatchPart } from '#lib/stock/batch-part.ts';
import { inflowCounter } from '#lib/stock/inflow.ts';
import { type Cause, type Movement, movementsIn, movementsOf, PAGE } from '#lib/stock/movement.ts';
import { readStockLevels, type StockLevels } from '#lib/stock/stock-levels.ts';
import { familyTenant, type Tenant } from '#lib/table/keys.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';

/** A stock level is created under the given ids: each story has a tenant of its own. */
const PLACE = { id: 3, company_id: 4 };
const [WATER, SUGAR] = [5, 6];
const PRODUCTS = [WATER, SUGAR];
const MAKER = makerOf({ id: 7 });
const FIRST = Date.parse('2026-11-21T06:00:00Z');

type Moved = z.input<typeof Movement>;

interface Operation {
  readonly kind: 'put' | 'take' | 'back' | 'pick';
  readonly product: number;
  readonly quantity: number;
}

/** A warehouse with successive documents, and the goods they took and have not put back. */
class Story {
  readonly tenant: Tenant = familyTenant(randomInt(2 ** 40));
  readonly taken = new Map<number, BatchPart[][]>(PRODUCTS.map((product) => [product, []]));
  documents = 0;
  done = 0;

  /** Goods can't be received into a missing warehouse. */
  static async begin(): Promise<Story> {
    const story = new Story();
    await transact(
      inflowCounter(story.tenant, undefined, { ...PLACE, is_deleted: false, inventory_id: null }),
    );
    return story;
  }

  async run({ kind, product, quantity }: Operation): Promise<void> {
    const lineId = ++this.documents;
    const at = FIRST + lineId;
    const cause = { documentId: lineId, lineId, at, by: MAKER };
    const back = kind === 'back' ? this.taken.get(product)?.pop() : undefined;
    const parts = await retryOnContention(async () => {
      const stockLevels = await readStockLevels(this.tenant, PLACE.id, [product]);
      await stockLevels.addMissing(PLACE, [product], at);
      const moved = this.move(stockLevels, { kind, product, quantity }, back, cause);
      if (moved) await transact(stockLevels.writes(PLACE));
      return moved;
    });
    if (!parts) return;
    this.done += 1;
    if (kind === 'take') this.taken.get(product)?.push([...parts]);
  }

  /** Moves parts and returns them; undefined if none could be moved. */
  move(
    stockLevels: StockLevels,
    { kind, product, quantity }: Operation,
    back: readonly BatchPart[] | undefined,
    cause: Omit<Cause, 'document'>,
  ): readonly BatchPart[] | undefined {
    switch (kind) {
      case 'put': {
        const part = { id: cause.lineId, quantity, cost: 100, currency: 'uzs', at: cause.at } as const;
        stockLevels.put(product, [part], { ...cause, document: 'purchase' });
        return [part];
      }
      case 'take': {
        const free = stockLevels.free(product);
        const parts = stockLevels.take(product, quantity, { ...cause, document: 'sale' });
        expect(parts !== undefined).toBe(free >= quantity);
        return parts;
      }
      case 'back':
        if (back) stockLevels.put(product, back, { ...cause, document: 'sale_return' });
        return back;
      case 'pick': {
        const newest = stockLevels.after.get(product)?.batches.at(-1);
        if (!newest) return undefined;
        const { left, ...batch } = newest;
        const part = { ...batch, quantity };
        const pick = () => stockLevels.takeExactly(product, [part], { ...cause, document: 'writeoff' });
        if (left < quantity) {
          expect(pick).toThrow('does not have these goods');
          return undefined;
        }
        pick();
        return [part];
      }
    }
  }
}

/** Replays movements in their stored order, and returns the remainder of each batch. */
function replay(movements: readonly Moved[]): Map<number, number> {
  const left = new Map<number, number>();
  let quantity = 0;
  for (const each of movements) {
    expect(each.quantity_before).toBe(quantity);
    quantity += each.quantity;
    expect(each.quantity_after).toBe(quantity);
    expect(quantity).toBeGreaterThanOrEqual(0);
    // In a merge the signs of the batch parts show which batches lost goods and which gained them.
    const sign = each.quantity < 0 ? -1 : 1;
    if (each.document_type === 'sale') expect(each.batches).toEqual(oldest(left, -each.quantity));
    for (const { id, quantity: share } of each.batches) left.set(id, (left.get(id) ?? 0) + sign * share);
    for (const [id, share] of left) {
      expect(share).toBeGreaterThanOrEqual(0);
      if (share === 0) left.delete(id);
    }
  }
  return left;
}

// A batch has the id of the document that made it, and those came one after the other.
function oldest(left: ReadonlyMap<number, number>, quantity: number): { id: number; quantity: number }[] {
  let wanted = quantity;
  return [...left]
    .sort(([a], [b]) => a - b)
    .flatMap(([id, share]) => {
      const taken = Math.min(share, wanted);
      wanted -= taken;
      return taken > 0 ? [{ id, quantity: taken }] : [];
    });
}

/**
 * Reads all movements of a product's balance, and checks that any range of them is that part of the whole.
 */
async function historyOf(tenant: Tenant, stockLevels: StockLevels, product: number): Promise<Moved[]> {
  const balance = stockLevels.after.get(product);
  if (!balance) return [];
  const total = movementsIn(balance);
  const whole = await movementsOf(tenant, balance, { from: 0, to: total });
  expect(whole).toHaveLength(total);
  for (const size of [1, 7, PAGE, 20]) {
    const from = Math.max(0, total - size - 3);
    const to = Math.min(total, from + size);
    expect(await movementsOf(tenant, balance, { from, to })).toEqual(whole.slice(from, to));
  }
  return whole;
}

async function expectSound({ tenant, done }: Story): Promise<void> {
  const stockLevels = await readStockLevels(tenant, PLACE.id, PRODUCTS);
  let count = 0;
  for (const product of PRODUCTS) {
    const movements = await historyOf(tenant, stockLevels, product);
    count += movements.length;
    const { quantity = 0, batches = [] } = stockLevels.after.get(product) ?? {};
    expect(movements.reduce((sum, each) => sum + each.quantity, 0)).toBe(quantity);
    expect(batches.reduce((sum, { left }) => sum + left, 0)).toBe(quantity);
    expect(new Map(batches.map(({ id, left }) => [id, left]))).toEqual(replay(movements));
    const ages = batches.map(({ at }) => at);
    expect(ages).toEqual([...ages].sort((a, b) => a - b));
  }
  expect(count).toBe(done);
}

const operation = fc.record({
  kind: fc.constantFrom<Operation['kind']>('put', 'put', 'take', 'take', 'back', 'pick'),
  product: fc.constantFrom(...PRODUCTS),
  quantity: fc.integer({ min: 1, max: 12 }),
});

/** Rounds in sequence; the operations of one round run concurrently. */
const rounds = fc.array(fc.array(operation, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 30 });

test('balances, batches and movements agree, whatever goes in, out and back, some of it at once', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (story) => {
      const told = await Story.begin();
      for (const round of story) await Promise.all(round.map((each) => told.run(each)));
      await expectSound(told);
    }),
    { numRuns: 20 },
  );
});

test('a document too wide to put pages aside leaves movements whole and in order', async () => {
  const told = await Story.begin();
  const wide = Array.from({ length: 41 }, (_, index) => WATER + index);
  for (let id = 1; id <= 3 * PAGE + 5; id++) {
    const stockLevels = await readStockLevels(told.tenant, PLACE.id, wide);
    await stockLevels.addMissing(PLACE, wide, FIRST);
    const part = { id, quantity: id, cost: 100, currency: 'uzs', at: FIRST + id } as const;
    const cause = { document: 'purchase', documentId: id, lineId: id, at: part.at, by: MAKER } as const;
    for (const product of wide) stockLevels.put(product, [part], cause);
    await transact(stockLevels.writes(PLACE));
    told.done += PRODUCTS.length;
  }
  await expectSound(told);
  told.documents = 100;
  for (const product of PRODUCTS) {
    await told.run({ kind: 'take', product, quantity: 7 });
    await told.run({ kind: 'put', product, quantity: 1 });
  }
  await expectSound(told);
});

const RECEIPT = { document: 'purchase', documentId: 8, lineId: 9, at: FIRST, by: MAKER } as const;

/**
 * Puts `count` batches of one piece of water into stock at once; the cost of each follows from its number.
 */
async function fill({ tenant }: Story, count: number, costOf: (id: number) => number): Promise<void> {
  const stockLevels = await readStockLevels(tenant, PLACE.id, [WATER]);
  await stockLevels.addMissing(PLACE, [WATER], FIRST);
  const parts = Array.from({ length: count }, (_, index): BatchPart => {
    return { id: index + 1, quantity: 5, cost: costOf(index + 1), currency: 'uzs', at: FIRST + index + 1 };
  });
  stockLevels.put(WATER, parts, RECEIPT);
  await transact(stockLevels.writes(PLACE));
}

test('a thousand batches and one are merged by cost, as a movement that changes no quantity', async () => {
  const told = await Story.begin();
  await fill(told, MAX_BATCHES, (id) => (id === 500 ? 7 : 100));
  told.documents = MAX_BATCHES;
  told.done = 1;
  await told.run({ kind: 'take', product: WATER, quantity: 8 });
  await told.run({ kind: 'put', product: WATER, quantity: 3 });
  await told.run({ kind: 'put', product: WATER, quantity: 3 });
  const { before } = await readStockLevels(told.tenant, PLACE.id, [WATER]);
  expect(before.get(WATER)?.batches).toMatchObject([
    { id: -2, cost: 100, at: FIRST + 2, left: 5 * MAX_BATCHES - 8 - 5 + 6 },
    { id: 500, cost: 7, left: 5 },
  ]);
  expect(before.get(WATER)?.recent).toMatch(/\npurchase \S+ \S+ 0 \S+ \S+ \S+ \S+\n$/);
  told.done += 1;
  // Goods that were sold before the merge come back under the lines that brought them.
  await told.run({ kind: 'back', product: WATER, quantity: 0 });
  const { before: after } = await readStockLevels(told.tenant, PLACE.id, [WATER]);
  expect(after.get(WATER)?.batches.slice(0, 2)).toMatchObject([
    { id: 1, at: FIRST + 1, left: 5 },
    { id: -2, at: FIRST + 2 },
  ]);
  await expectSound(told);
});
