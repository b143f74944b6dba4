import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { dropAnswer } from '#bench/chaos/fault.ts';
import type { TableCall } from '#bench/chaos/table-call.ts';
import { ratesOf } from '#lib/cash/company-rates.ts';
import { products } from '#lib/catalog/product/card.ts';
import { repricings } from '#lib/catalog/product/repricing.ts';
import { stored } from '#lib/records/stored.ts';
import { absent } from '#lib/table/expression.ts';
import { type Key, partition, recordKey } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/reads.ts';
import { put } from '#lib/table/transaction/write.ts';
import { wholePartition } from '#lib/table/walk.ts';
import { RepricingInput } from '#lib/trade/repricing/input.ts';
import { create } from '#lib/trade/repricing/reprice.ts';
import { Refusal } from '#lib/values/refusal.ts';
import { directorAs, newFamily } from '#tests/kit/family.ts';
import { behindProxy, faultInTest } from '#tests/kit/faults.ts';
import { withCalls } from '#tests/kit/life.ts';
import { newGoods } from '#tests/kit/stock.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

/** A family with three products of 5 000 each, and what a batch would make of them. */
async function newScene() {
  const family = await newFamily();
  const ids = await newGoods(family, 3);
  const actor = directorAs(family.directorId, family.companyId);
  const inputOf = (turn: number) =>
    RepricingInput.parse({
      company_id: family.companyId,
      currency_rate: 13_000 + turn,
      products: ids.map((product_id) => ({ product_id, sale_price: 6000 + turn, sale_currency: 'uzs' })),
    });
  const run = (turn: number, key: Key) =>
    create(actor, inputOf(turn), { at: Date.now(), locale: 'ru' }, () => [
      put(
        key,
        { made: turn },
        { if: absent('pk'), otherwise: new Refusal(409, { key: 'idempotency.still_running' }) },
      ),
    ]);
  /** The prices, the rate and how many batches there are, in sums. */
  const seen = async () => {
    const [cards, { rates }, batches] = await Promise.all([
      getItems(ids.map((id) => recordKey(products.type, actor.home, id))),
      ratesOf(actor.home, family.companyId),
      wholePartition(partition(repricings.type, actor.home)),
    ]);
    const prices = cards.map((card) => stored(products.schema, card).sale_price / 100);
    return { prices: [...new Set(prices)], rate: rates.usd / 100, batches: batches.length };
  };
  return { run, seen };
}

const newKey = (): Key => ({ pk: `idempotency#test-${randomUUID()}`, sk: 'key' });

test('a batch killed after any of its calls is made whole or not at all, and sent again it is made once', async () => {
  const { run, seen } = await newScene();
  let before = { prices: [5000], rate: 12_650, batches: 0 };
  let turns = 0;
  for (let calls = 0, lived = false; !lived; calls++) {
    const key = newKey();
    const after = { prices: [6000 + turns], rate: 13_000 + turns, batches: turns + 1 };
    lived = await withCalls(calls, () => run(turns, key));
    const isMade = (await getItem(key)) !== undefined;
    expect(await seen()).toEqual(isMade ? after : before);
    if (!isMade) await run(turns, key);
    expect(await seen()).toEqual(after);
    before = after;
    turns += 1;
  }
  expect(turns).toBeGreaterThan(5);
}, 60_000);

test('a batch whose answer from the table is lost, whichever it is, is made once or not at all', async () => {
  const { run, seen } = await newScene();
  let turns = 0;
  for (let lost = 0, isOver = false; !isOver; lost++) {
    let asked = 0;
    const isLost = (_: TableCall) => asked++ === lost;
    const rule = faultInTest(proxy, isLost, dropAnswer);
    const key = newKey();
    const turn = turns;
    const told = await run(turn, key).then(
      () => true,
      () => false,
    );
    rule.off();
    isOver = asked <= lost;
    const isMade = (await getItem(key)) !== undefined;
    // Whoever is told of success has it; who is told of nothing may find it made, and is told so by the key.
    if (told) expect(isMade).toBe(true);
    if (!isMade) await run(turn, key);
    turns += 1;
    expect(await seen()).toEqual({ prices: [6000 + turn], rate: 13_000 + turn, batches: turns });
  }
  expect(turns).toBeGreaterThan(5);
}, 60_000);
