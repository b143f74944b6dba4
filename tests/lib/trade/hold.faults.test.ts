import { afterAll, describe, expect, test } from 'vitest';
import { readShelves } from '#lib/stock/shelves.ts';
import { familyHome } from '#lib/table/keys.ts';
import type { Write } from '#lib/table/transaction/write.ts';
import { addProducts } from '#lib/trade/hold/add.ts';
import { cancelHold } from '#lib/trade/hold/cancel.ts';
import { create } from '#lib/trade/hold/create.ts';
import { HeldGoods, HoldContents, HoldInput } from '#lib/trade/hold/input.ts';
import { updateProducts } from '#lib/trade/hold/update.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { sell } from '#lib/trade/sale/sell.ts';
import { ONE } from '#lib/values/quantity.ts';
import { killedEverywhere, unansweredEverywhere } from '#tests/kit/disrupted.ts';
import { directorAs } from '#tests/kit/family.ts';
import { behindProxy } from '#tests/kit/faults.ts';
import { cashOf, cheque, newGoods, newShop, type Shop } from '#tests/kit/shop.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const AT = Date.now();
const nothing = (): Write[] => [];

type Remember = typeof nothing;

/** A shop with two products, of each a thousand pieces. */
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

function hold(scene: Scene, quantity: number, remember: Remember = nothing) {
  const customer = { stock_id: scene.shop.stockId, full_name: 'Aziz' };
  return create(scene.actor, HoldInput.parse({ ...goodsOf(scene, quantity), ...customer }), AT, remember);
}

/** What is free and what is held of the first product, in pieces. */
async function shelfOf(shop: Shop, productId: number) {
  const { held } = await readShelves(familyHome(shop.companyId), shop.stockId, [productId]);
  const balance = held.get(productId);
  return [(balance?.quantity ?? 0) / ONE, (balance?.held ?? 0) / ONE];
}

const scene = await newScene();

/** Each with what it leaves free and held of a thousand pieces after so many times. */
const operations = {
  'a hold': {
    prepare: async () => 0,
    run: (_: number, remember: Remember) => hold(scene, 1, remember),
    left: (times: number) => [1000 - times, times],
  },
  'adding to a hold': {
    prepare: async () => (await hold(scene, 1)).id,
    run: (id: number, remember: Remember) =>
      addProducts(scene.actor, { id, ...HeldGoods.parse(goodsOf(scene, 2)) }, AT, remember),
    left: (times: number) => [1000 - 3 * times, 3 * times],
  },
  'an update of a hold': {
    prepare: async () => (await hold(scene, 3)).id,
    run: (id: number, remember: Remember) =>
      updateProducts(scene.actor, { id, ...HoldContents.parse(goodsOf(scene, 1)) }, AT, remember),
    left: (times: number) => [1000 - times, times],
  },
  'a cancel of a hold': {
    prepare: async () => (await hold(scene, 2)).id,
    run: (id: number, remember: Remember) => cancelHold(scene.actor, id, AT, remember),
    left: () => [1000, 0],
  },
  'a sale of a hold': {
    prepare: async () => (await hold(scene, 1)).id,
    run: (id: number, remember: Remember) => {
      const paid = { transactions: [{ payment_type: 'cash', amount: 10_000 }] };
      return sell(scene.actor, SaleInput.parse(cheque(scene.shop, { hold_id: id, ...paid })), AT, remember);
    },
    left: (times: number) => [1000 - times, 0],
  },
};

describe.each(Object.entries(operations))('%s', (_, { prepare, run, left }) => {
  /** Done so many times from where the shelf stands now. */
  const disrupted = async () => {
    const [id = 0] = scene.ids;
    const [free = 0, held = 0] = await shelfOf(scene.shop, id);
    const check = async (__: number, times: number) => {
      const [more = 0, kept = 0] = left(times);
      expect(await shelfOf(scene.shop, id)).toEqual([free - (1000 - more), held + kept]);
    };
    return { prepare, run, check };
  };

  test('killed after any of its calls, and sent again, is done once', async () => {
    expect(await killedEverywhere(await disrupted())).toBeGreaterThan(4);
  }, 60_000);

  test('whose answer from the table is lost at any call is done once', async () => {
    expect(await unansweredEverywhere(proxy, await disrupted())).toBeGreaterThan(4);
  }, 60_000);
});

test('the money of all holds that were sold is in the desk', async () => {
  expect((await cashOf(scene.shop)) % 10_000).toBe(0);
  expect(await cashOf(scene.shop)).toBeGreaterThan(50_000);
});
