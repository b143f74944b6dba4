import { afterAll, expect, test } from 'vitest';
import type { Fault } from '#bench/chaos/fault.ts';
import type { WireCall } from '#bench/chaos/table-call.ts';
import { readWarehouseGoods } from '#lib/reports/stock/goods.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { ONE } from '#lib/values/quantity.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { behindProxy, faultInTest } from '#tests/support/table-faults.ts';
import { end, newTwoDepots, TRANSFERS, type TwoDepots } from '#tests/support/transfers.ts';

const proxy = await behindProxy();

afterAll(() => proxy.stop());

/** More goods than stock levels read in one request. */
const GOODS = 110;

const depots = await newTwoDepots(GOODS);
const { token, companyId, stockId, secondId, goods } = depots;
const [first = 0] = goods;
const last = goods.at(-1) ?? 0;
const cashbox_id = await make('/company/cashbox/cashbox', token, { name: 'Касса', type: 'sale' });

/** Sums a report: pieces in all places, and their cost in sums. */
async function report(): Promise<{ readonly pieces: number; readonly cost: bigint }> {
  const all = await readWarehouseGoods(familyTenant(companyId), [stockId, secondId], Date.now());
  return {
    pieces: all.reduce((sum, { quantity, sent }) => sum + Number(quantity + sent), 0) / ONE,
    cost: all.reduce((sum, { costs }) => sum + costs.uzs, 0n),
  };
}

const isShelf = ({ operation, keys }: WireCall, product: number) =>
  operation === 'BatchGetItem' &&
  keys.some(({ pk }) => pk.startsWith(`balance#${familyTenant(companyId)}#`) && pk.endsWith(`#${product}`));

/** Runs one action before a read, and one after it. */
function around(before: () => Promise<unknown>, after: () => Promise<unknown> = async () => {}): Fault {
  return async ({ forward, answer }) => {
    await before();
    const read = await forward();
    await after();
    answer(read);
  };
}

/** Sends a product to the other warehouse, and has it arrive at once. */
async function move(
  { goods: _, ...from }: Pick<TwoDepots, 'stockId' | 'secondId' | 'goods'>,
  product_id: number,
) {
  const body = { from_stock_id: from.stockId, to_stock_id: from.secondId };
  const id = await make(TRANSFERS, token, { ...body, products: [{ product_id, quantity: 3 }] });
  expect(await end(token, id, 'complete')).toMatchObject({ status: 200 });
}

const there = (product: number) => move(depots, product);
const back = (product: number) => move({ stockId: secondId, secondId: stockId, goods }, product);

/** Holds goods, and returns the outcome. */
async function holdOf(product_id: number, quantity: number): Promise<() => Promise<void>> {
  const held = { cashbox_id, stock_id: stockId, cheque: 1, full_name: 'Aziz' };
  const id = await make('/company/trade/hold', token, { ...held, products: [{ product_id, quantity }] });
  return async () => {
    expect(await call(`PATCH /company/trade/hold/${id}/cancel`, { token })).toMatchObject({ status: 200 });
  };
}

const ALL = { pieces: GOODS * 10, cost: BigInt(GOODS * 10 * 200) };

test('goods are in a report of stock once (Part 4, 4.5)', async () => {
  expect(await report()).toEqual(ALL);
});

test('a transfer between two reads of stock levels is in a report once (Part 4, 4.5)', async () => {
  await there(first);
  // One of the two stock levels is read before it, the other after it.
  const rule = faultInTest(
    proxy,
    (call) => isShelf(call, last),
    around(() => there(last)),
  );
  expect([await report(), rule.count]).toEqual([ALL, 1]);
  const other = faultInTest(
    proxy,
    (call) => isShelf(call, first),
    around(() => back(first)),
  );
  expect([await report(), other.count]).toEqual([ALL, 1]);
});

test('a hold that is made and ended while its stock level is read costs what its goods do (Part 4, 4.5)', async () => {
  let cancel = async () => {};
  const hold = async () => {
    cancel = await holdOf(last, 4);
  };
  const rule = faultInTest(
    proxy,
    (call) => isShelf(call, last),
    around(hold, () => cancel()),
  );
  expect([await report(), rule.count]).toEqual([ALL, 1]);
});

test('a hold that loses a line while it is read, and is ended, is known by all its lines (Part 4, 4.5)', async () => {
  let cancel = async () => {};
  const change = async () => {
    const held = { cashbox_id, stock_id: stockId, cheque: 1, full_name: 'Aziz' };
    const both = [first, last].map((product_id) => ({ product_id, quantity: 2 }));
    const id = await make('/company/trade/hold', token, { ...held, products: both });
    const products = [{ product_id: first, quantity: 2 }];
    cancel = async () => {
      const update = { cashbox_id, cheque: 1, products };
      const path = `/company/trade/hold/${id}`;
      expect(await call(`PATCH ${path}/update-products`, { token, json: update })).toMatchObject({
        status: 200,
      });
      expect(await call(`PATCH ${path}/cancel`, { token })).toMatchObject({ status: 200 });
    };
  };
  const rule = faultInTest(
    proxy,
    (call) => isShelf(call, last),
    around(change, () => cancel()),
  );
  expect([await report(), rule.count]).toEqual([ALL, 1]);
});

test('a report whose documents never stand still is 503, never a wrong one', async () => {
  let cancel = async () => {};
  const hold = async () => {
    cancel = await holdOf(last, 1);
  };
  faultInTest(
    proxy,
    (call) => isShelf(call, last),
    around(hold, () => cancel()),
    { times: 1000 },
  );
  await expect(report()).rejects.toMatchObject({ status: 503 });
});
