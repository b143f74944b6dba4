import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { readStockLevels } from '#lib/stock/stock-levels.ts';
import { cancelGoodsReceipt, completeGoodsReceipt } from '#lib/trade/goods-receipt/end.ts';
import * as receipts from '#lib/trade/goods-receipt/goods-receipt.ts';
import { GoodsReceiptInput } from '#lib/trade/goods-receipt/record.ts';
import { endTransit } from '#lib/trade/transfer/end.ts';
import * as transfers from '#lib/trade/transfer/record.ts';
import { StockTransferInput } from '#lib/trade/transfer/record.ts';
import { sendGoods } from '#lib/trade/transfer/send.ts';
import { cancelWriteOff, completeWriteOff } from '#lib/trade/write-off/end.ts';
import { WriteOffInput } from '#lib/trade/write-off/record.ts';
import * as writtenOff from '#lib/trade/write-off/write-off.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { ONE } from '#lib/values/quantity.ts';
import { testMovements } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import { type AnswerWrites, nothing } from '#tests/support/save-response.ts';
import { behindProxy } from '#tests/support/table-faults.ts';
import { newTwoDepots } from '#tests/support/transfers.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

/** Creates two warehouses, and returns a director's operations on their goods. */
async function newScene(count: number, quantity: number) {
  const depots = await newTwoDepots(count, { quantity });
  const actor = directorAs(depots.directorId, depots.companyId);
  const { goods, stockId, secondId, supplierId } = depots;
  const at = Date.now();

  const receive = async (product_id: number, pieces: number, cost: number, saveResponse = nothing) => {
    const products = [{ product_id, quantity: pieces, cost }];
    const json = { stock_id: stockId, supplier_id: supplierId, currency: 'uzs', products };
    const { id } = await receipts.create(actor, GoodsReceiptInput.parse(json), at, nothing);
    await completeGoodsReceipt(actor, id, at, saveResponse);
    return id;
  };

  /** A waiting write-off of the newest batch of a product. */
  const draft = async (
    product_id: number,
    stock: number,
    pieces: number,
    source = {},
    saveResponse = nothing,
  ) => {
    const { before } = await readStockLevels(actor.tenant, stock, [product_id]);
    const batch = before.get(product_id)?.batches.at(-1)?.id ?? 0;
    const products = [{ product_id, source_product_id: batch, quantity: pieces, reason: 'common_loss' }];
    const json = { source_type: 'stock', source_id: stock, name: 'Бой', products, ...source };
    return (await writtenOff.create(actor, WriteOffInput.parse(json), at, saveResponse)).id;
  };

  const send = async (product_id: number, from: number, pieces: number, saveResponse = nothing) => {
    const places = { from_stock_id: from, to_stock_id: from === stockId ? secondId : stockId };
    const products = [{ product_id, quantity: pieces }];
    return (await sendGoods(actor, StockTransferInput.parse({ ...places, products }), at, saveResponse)).id;
  };

  /** Receives one piece of a transfer; the rest is missing. */
  const receiveShort = async (transfer: number, missing: 'lost' | 'returned', saveResponse = nothing) => {
    const [line] = (await transfers.get(actor, transfer, [])).products;
    const products = [{ id: line?.id ?? 0, quantity: ONE, missing }];
    return endTransit(
      actor,
      { id: transfer, status: 'completed', products },
      { at, locale: 'ru' },
      saveResponse,
    );
  };

  return { depots, actor, goods, at, receive, draft, send, receiveShort };
}

const scene = await newScene(1, 1000);
const { actor, at, depots } = scene;
const [product = 0] = scene.goods;
const { stockId, secondId, receiptId } = depots;
const ofReceipt = { source_type: 'purchase', source_id: receiptId };

const draft = () => scene.draft(product, stockId, 1, ofReceipt);

/** Operations, each with the change of the pieces in both warehouses made by every execution. */
const operations = {
  'a write-off that is made': {
    prepare: async () => 0,
    run: (_: number, saveResponse: AnswerWrites) => scene.draft(product, stockId, 1, ofReceipt, saveResponse),
    change: [0, 0],
  },
  'a write-off that is completed': {
    prepare: draft,
    run: (id: number, saveResponse: AnswerWrites) => completeWriteOff(actor, id, at, saveResponse),
    change: [-1, 0],
  },
  'a write-off that is canceled': {
    prepare: async () => {
      const id = await draft();
      await completeWriteOff(actor, id, at, nothing);
      return id;
    },
    run: (id: number, saveResponse: AnswerWrites) => cancelWriteOff(actor, id, at, saveResponse),
    change: [0, 0],
  },
  'a transfer that is sent': {
    prepare: async () => 0,
    run: (_: number, saveResponse: AnswerWrites) => scene.send(product, stockId, 1, saveResponse),
    change: [-1, 0],
  },
  'a transfer that is completed': {
    prepare: () => scene.send(product, stockId, 1),
    run: (id: number, saveResponse: AnswerWrites) =>
      endTransit(actor, { id, status: 'completed', products: [] }, { at, locale: 'ru' }, saveResponse),
    change: [-1, 1],
  },
  'a transfer of which some is lost': {
    prepare: () => scene.send(product, stockId, 2),
    run: (id: number, saveResponse: AnswerWrites) => scene.receiveShort(id, 'lost', saveResponse),
    change: [-2, 1],
  },
  'a transfer of which some returns': {
    prepare: () => scene.send(product, stockId, 2),
    run: (id: number, saveResponse: AnswerWrites) => scene.receiveShort(id, 'returned', saveResponse),
    change: [-1, 1],
  },
  'a transfer that is canceled': {
    prepare: () => scene.send(product, stockId, 1),
    run: (id: number, saveResponse: AnswerWrites) =>
      endTransit(actor, { id, status: 'canceled', products: [] }, { at, locale: 'ru' }, saveResponse),
    change: [0, 0],
  },
  'a receipt that is canceled': {
    prepare: () => scene.receive(product, 1, 3),
    run: (id: number, saveResponse: AnswerWrites) => cancelGoodsReceipt(actor, id, at, saveResponse),
    change: [0, 0],
  },
};

/** Counts the pieces of the product in both warehouses. */
async function pieces(): Promise<number[]> {
  const both = await Promise.all(
    [stockId, secondId].map((stock) => readStockLevels(actor.tenant, stock, [product])),
  );
  return both.map(({ before }) => (before.get(product)?.quantity ?? 0) / ONE);
}

testMovements(proxy, operations, pieces, 2);

test('after all of it the books add up, suppliers’ operations too', async () => {
  const { violations } = await readBooks(depots.companyId);
  expect(violations.map(({ book, subject, what }) => `${book}: ${subject} ${what}`)).toEqual([]);
});

interface Step {
  readonly kind: 'receive' | 'write-off' | 'send' | 'complete' | 'cancel' | 'cancel-receipt';
  readonly which: number;
  readonly isFirst: boolean;
  readonly quantity: number;
}

const step = fc.record<Step>({
  kind: fc.constantFrom<Step['kind'][]>(
    'receive',
    'write-off',
    'send',
    'complete',
    'cancel',
    'cancel-receipt',
  ),
  which: fc.nat(),
  isFirst: fc.boolean(),
  quantity: fc.integer({ min: 1, max: 40_000 }).map((units) => units / 10_000),
});

type Scene = Awaited<ReturnType<typeof newScene>>;

/** Documents of one story, in sequence or concurrently; a rejected one changes nothing. */
class Story {
  readonly writeOffs: number[] = [];
  readonly transfers: number[] = [];
  readonly receipts: number[] = [];
  done = 0;
  readonly #scene: Scene;

  constructor(told: Scene) {
    this.#scene = told;
  }

  async run(each: Step): Promise<void> {
    try {
      await this.#do(each);
      this.done += 1;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
    }
  }

  async #do({ kind, which, isFirst, quantity }: Step): Promise<void> {
    const { depots: places, goods, actor: by, at: now, receive, draft: newDraft, send } = this.#scene;
    const goodsId = goods[which % goods.length] ?? 0;
    const stock = isFirst ? places.stockId : places.secondId;
    const pick = (ids: readonly number[]) => ids[which % ids.length] ?? 0;
    switch (kind) {
      case 'receive':
        return void this.receipts.push(await receive(goodsId, quantity, (1 + (which % 3)) / 100));
      case 'write-off': {
        const id = await newDraft(goodsId, stock, quantity);
        this.writeOffs.push(id);
        return completeWriteOff(by, id, now, nothing);
      }
      case 'send':
        return void this.transfers.push(await send(goodsId, stock, quantity));
      case 'complete':
        return endTransit(
          by,
          { id: pick(this.transfers), status: 'completed', products: [] },
          { at: now, locale: 'ru' },
          nothing,
        );
      case 'cancel':
        if (isFirst)
          return endTransit(
            by,
            { id: pick(this.transfers), status: 'canceled', products: [] },
            { at: now, locale: 'ru' },
            nothing,
          );
        return cancelWriteOff(by, pick(this.writeOffs), now, nothing);
      case 'cancel-receipt':
        return cancelGoodsReceipt(by, pick(this.receipts), now, nothing);
    }
  }
}

/** Sums completed goods receipts by cost, less the goods in stock, in transit and written off. */
async function restsByCost({ actor: by, depots: places, goods }: Scene, story: Story) {
  const rests = new Map<number, number>();
  const add = (parts: readonly { readonly cost: number; readonly quantity: number }[], sign = -1) => {
    for (const { cost, quantity } of parts) rests.set(cost, (rests.get(cost) ?? 0) + sign * quantity);
  };
  for (const id of [places.receiptId, ...story.receipts]) {
    const { status, products } = await receipts.get(by, id, []);
    if (status === 'completed') add(products, 1);
  }
  for (const stock of [places.stockId, places.secondId]) {
    const { before } = await readStockLevels(by.tenant, stock, goods);
    const batches = [...before.values()].flatMap((balance) => balance.batches);
    add(batches.map(({ cost, left }) => ({ cost, quantity: left })));
  }
  for (const id of story.transfers) {
    const { status, products } = await transfers.get(by, id, []);
    if (status === 'in_transit') add(products.flatMap(({ batches }) => batches));
  }
  for (const id of story.writeOffs) {
    const { status, products } = await writtenOff.get(by, id, []);
    if (status === 'completed') add(products.flatMap(({ batches }) => batches));
  }
  return new Set(rests.values());
}

test('whatever is received, written off, moved and canceled, some of it at once, all of it adds up', async () => {
  const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 8, maxLength: 20 });
  let done = 0;
  await fc.assert(
    fc.asyncProperty(rounds, async (told) => {
      const own = await newScene(2, 5);
      const story = new Story(own);
      for (const round of told) await Promise.all(round.map((each) => story.run(each)));
      done += story.done;
      expect(await restsByCost(own, story)).toEqual(new Set([0]));
      // Movements form chains that end in stock levels and batches, and operations add up to the payable.
      const { violations } = await readBooks(own.depots.companyId);
      expect(violations.map(({ book, subject, what }) => `${book}: ${subject} ${what}`)).toEqual([]);
    }),
    { numRuns: 5 },
  );
  expect(done).toBeGreaterThan(20);
});
