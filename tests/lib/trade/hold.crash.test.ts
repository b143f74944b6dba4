import { afterAll, expect, test } from 'vitest';
import { answerError, delay } from '#bench/chaos/fault.ts';
import type { WireCall } from '#bench/chaos/table-call.ts';
import { readStockLevels } from '#lib/stock/stock-levels.ts';
import { withDeadline } from '#lib/table/deadline.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { addProducts, cancelHold, create, updateProducts } from '#lib/trade/hold/hold.ts';
import { HeldGoods, HoldContents, HoldInput } from '#lib/trade/hold/record.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { ONE } from '#lib/values/quantity.ts';
import { testMovements } from '#tests/support/disrupted.ts';
import { directorAs } from '#tests/support/family.ts';
import { type AnswerWrites, nothing } from '#tests/support/save-response.ts';
import { cashInDesk, newGoods, newShop, saleBody } from '#tests/support/shop.ts';
import { behindProxy, faultInTest } from '#tests/support/table-faults.ts';
import { expectHandled } from '#tests/support/unhandled.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

expectHandled();

const AT = Date.now();

/** Creates a shop with two products, of each a thousand pieces. */
async function newScene() {
  const shop = await newShop();
  const ids = await Promise.all([1, 2].map(() => newGoods(shop, [{ quantity: 1000, cost: 1 }])));
  return { shop, ids, actor: directorAs(shop.directorId, shop.companyId) };
}

type Scene = Awaited<ReturnType<typeof newScene>>;

function goodsOf({ shop, ids }: Scene, quantity: number) {
  const products = ids.map((product_id) => ({ product_id, quantity }));
  return { cashbox_id: shop.cashboxId, cheque: 1, products };
}

function hold(scene: Scene, quantity: number, saveResponse: AnswerWrites = nothing) {
  const customer = { stock_id: scene.shop.stockId, full_name: 'Aziz' };
  return create(scene.actor, HoldInput.parse({ ...goodsOf(scene, quantity), ...customer }), AT, saveResponse);
}

const scene = await newScene();

/** Returns the free and held pieces of the first product. */
async function pieces(): Promise<number[]> {
  const { ids, actor, shop } = scene;
  const { before } = await readStockLevels(actor.tenant, shop.stockId, ids);
  const balance = before.get(ids[0] ?? 0);
  return [(balance?.quantity ?? 0) / ONE, (balance?.held ?? 0) / ONE];
}

/** Operations, each with the change of the free and held pieces made by every execution. */
const operations = {
  'a hold': {
    prepare: async () => 0,
    run: (_: number, saveResponse: AnswerWrites) => hold(scene, 1, saveResponse),
    change: [-1, 1],
  },
  'adding to a hold': {
    prepare: async () => (await hold(scene, 1)).id,
    run: (id: number, saveResponse: AnswerWrites) =>
      addProducts(scene.actor, { id, ...HeldGoods.parse(goodsOf(scene, 2)) }, AT, saveResponse),
    change: [-3, 3],
  },
  'an update of a hold': {
    prepare: async () => (await hold(scene, 3)).id,
    run: (id: number, saveResponse: AnswerWrites) =>
      updateProducts(scene.actor, { id, ...HoldContents.parse(goodsOf(scene, 1)) }, AT, saveResponse),
    change: [-1, 1],
  },
  'a cancel of a hold': {
    prepare: async () => (await hold(scene, 2)).id,
    run: (id: number, saveResponse: AnswerWrites) => cancelHold(scene.actor, id, AT, saveResponse),
    change: [0, 0],
  },
  'a sale of a hold': {
    prepare: async () => (await hold(scene, 1)).id,
    run: (id: number, saveResponse: AnswerWrites) => {
      const paid = { transactions: [{ payment_type: 'cash', amount: 10_000 }] };
      return sell(scene.actor, SaleInput.parse(saleBody(scene.shop, { hold_id: id, ...paid })), AT, {
        saveResponse,
      });
    },
    change: [-1, 0],
  },
};

const isDraw = ({ operation, keys: [key] }: WireCall) =>
  operation === 'UpdateItem' && key?.pk.startsWith('sequences#') === true;
const isRead = ({ operation, keys: [key] }: WireCall) =>
  operation === 'BatchGetItem' && key?.pk.startsWith('hold#') === true;

test.each([
  ['the ids can’t be drawn while the hold is read', isDraw, isRead],
  ['the hold can’t be read while the ids are drawn', isRead, isDraw],
])('a sale of a hold fails, and its process goes on, if %s', async (_, isRefused, isSlow) => {
  const id = await operations['a sale of a hold'].prepare();
  faultInTest(proxy, isRefused, answerError({ name: 'AccessDeniedException' }));
  faultInTest(proxy, isSlow, delay(300));
  const sale = withDeadline(20_000, () => operations['a sale of a hold'].run(id, nothing));
  await expect(sale).rejects.toThrow('A fault that was asked for');
  await proxy.idle();
  await cancelHold(scene.actor, id, AT, nothing);
});

testMovements(proxy, operations, pieces, 4);

test('the money of all holds that were sold is in the desk', async () => {
  expect((await cashInDesk(scene.shop)) % 10_000).toBe(0);
  expect(await cashInDesk(scene.shop)).toBeGreaterThan(50_000);
});
