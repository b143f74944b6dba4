import { afterAll, describe, expect, test } from 'vitest';
import { dropAnswer } from '#bench/chaos/fault.ts';
import { countWaiting } from '#lib/cash/desk/waiting.ts';
import { partition } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { SaleBatchInput, sellBatch } from '#lib/trade/offline/batch.ts';
import { RefusedSaleList } from '#lib/trade/refused/record.ts';
import { list } from '#lib/trade/refused/refused.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { directorAs } from '#tests/support/family.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import { offlineSaleBody } from '#tests/support/offline.ts';
import { cashInDesk, newGoods, newShop, piecesOf } from '#tests/support/shop.ts';
import { behindProxy } from '#tests/support/table-faults.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

const shop = await newShop();
const product = await newGoods(shop, [{ quantity: 10_000, cost: 1 }]);
const actor = directorAs(shop.directorId, shop.companyId);
const [PIECES, PRICE] = [10_000, 5000];

/** Creates a batch: two that are sold, and between them one that nothing can sell. */
function batch(name: string) {
  const odd = { due_date: '2000-01-01' };
  const entries = [
    offlineSaleBody(shop, product, `${name}-1`),
    offlineSaleBody(shop, product, `${name}-2`, odd),
    offlineSaleBody(shop, product, `${name}-3`),
  ];
  return SaleBatchInput.parse({ sales: entries });
}

type Batch = ReturnType<typeof batch>;

const send = (sent: Batch, isTimeUp = () => false) =>
  sellBatch(actor, sent, { at: Date.now(), locale: 'ru', isTimeUp });

/**
 * Expects that every sale of the given batches is sold once, or stored as refused once, depending on its
 * payment.
 */
async function expectOnce(names: readonly string[]): Promise<void> {
  const made = (await wholePartition(partition(sales.type, actor.tenant))).map(({ key }) => String(key));
  const { rows } = await list(actor, { ...RefusedSaleList.parse({}), pageSize: 10_000 }, 'ru');
  const sold = names.flatMap((name) => [`${name}-1`, `${name}-3`]);
  const waiting = names.map((name) => `${name}-2`);
  expect(made.toSorted()).toEqual(sold.toSorted());
  expect(rows.map(({ key, status }) => [key, status]).sort()).toEqual(
    waiting.map((key) => [key, 'waiting']).sort(),
  );
  // A repeated upload is the same, and is not stored again.
  expect(rows.every(({ bodies, attempts }) => bodies?.length === 1 && attempts > 0)).toBe(true);
  expect(await countWaiting(actor.tenant, [shop.cashboxId])).toEqual([waiting.length]);
  expect(await piecesOf(shop, product)).toBe(PIECES - sold.length);
  expect(await cashInDesk(shop)).toBe(sold.length * PRICE);
}

const names: string[] = [];

/** Creates the next batch: repeated, it is byte-identical. */
function nextBatch(name: string): Batch {
  names.push(name);
  return batch(name);
}

const OUTCOMES = [200, 422, 200];

describe('a batch', () => {
  test('killed after any of its calls, and sent again, sells and keeps each of its sales once', async () => {
    for (let calls = 0, lived = false; !lived; calls++) {
      const sent = nextBatch(`killed-${calls}`);
      lived = await withCalls(calls, () => send(sent));
      const { data } = await send(sent);
      expect(data.map(({ status }) => status)).toEqual(OUTCOMES);
      if (lived) expect(calls).toBeGreaterThan(20);
    }
    await expectOnce(names);
  });

  test('whose answer from the table is lost at any call sells and keeps each of its sales once', async () => {
    for (let call = 0, isMet = true; isMet; call++) {
      const sent = nextBatch(`lost-${call}`);
      let calls = 0;
      const rule = proxy.on(() => calls++ === call, dropAnswer);
      const { data } = await send(sent);
      isMet = rule.count > 0;
      rule.off();
      await proxy.idle();
      expect(data.map(({ status }) => status)).toEqual(OUTCOMES);
    }
    await expectOnce(names);
  });

  test('sent twice side by side, sells and keeps each of its sales once', async () => {
    for (const sent of ['both-1', 'both-2', 'both-3'].map(nextBatch)) {
      const both = await Promise.all([send(sent), send(sent)]);
      for (const { data } of both) expect(data.map(({ status }) => status)).toEqual(OUTCOMES);
    }
    await expectOnce(names);
  });

  test('cut off at each of its sales, and sent again, sells and keeps each of its sales once', async () => {
    for (const reached of [0, 1, 2]) {
      const sent = nextBatch(`cut-${reached}`);
      let begun = 0;
      const { data } = await send(sent, () => begun++ >= reached);
      expect(data.map(({ status }) => status)).toEqual(
        OUTCOMES.map((status, index) => (index < reached ? status : 503)),
      );
      await send(sent);
    }
    await expectOnce(names);
  });
});
