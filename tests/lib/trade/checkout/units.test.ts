import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { countUnits } from '#bench/support/units.ts';
import { POST } from '#functions/company/trade/sale/index.ts';
import { newEvent } from '#tests/support/event.ts';
import { newGoods, newShop, type Shop, saleBody } from '#tests/support/shop.ts';
import { count, endStocktake, startStocktake, waitUntilFinished } from '#tests/support/stocktakes.ts';
import { newTrackedProduct, saleOfTrackingCodes } from '#tests/support/tracking-codes.ts';

let lines: string[];

beforeEach(() => {
  lines = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
});

afterEach(() => void vi.restoreAllMocks());

const Told = z.object({ message: z.literal('request'), round_trips: z.int() });

/** Figures of before sync and reports existed; they have fallen since. Part 4, 4.1, 9; Part 4, 4.5, 7. */
const FIGURES = [
  { count: 1, billed: 11, trips: 3 },
  { count: 10, billed: 29, trips: 3 },
];

test.each(FIGURES)(
  'writers pay nothing for copies: a sale of $count lines takes $billed units and $trips round trips',
  async ({ count, billed, trips }) => {
    const shop = await newShop();
    const goods: number[] = [];
    for (let each = 0; each < count; each++) {
      goods.push(await newGoods(shop, [{ quantity: 50, cost: 100 }], { sale_price: 1000 }));
    }
    const json = saleBody(shop, {
      products: goods.map((product_id) => ({ product_id, sold_quantity: 1 })),
      transactions: [{ payment_type: 'cash', amount: 1000 * count }],
    });
    expect(await priceOf(shop, () => json)).toEqual({ billed, trips });
  },
);

test('a late sale takes what another takes, and two units more once its goods were counted (Part 4, 4.4 (6))', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, [{ quantity: 50, cost: 100 }], { sale_price: 1000 });
  const json = () =>
    saleBody(shop, {
      products: [{ product_id: id, sold_quantity: 1, price: 1000 }],
      transactions: [{ payment_type: 'cash', amount: 1000 }],
      // An hour before the event of this test.
      sold_at: '2026-11-21 10:00:00',
    });
  expect(await priceOf(shop, json)).toEqual({ billed: 11, trips: 3 });
  const counting = await startStocktake(shop);
  await count(shop, counting, [[id, 48]]);
  await endStocktake(shop, counting, 'complete');
  await waitUntilFinished(shop, [id]);
  expect(await priceOf(shop, json)).toEqual({ billed: 13, trips: 3 });
});

/** Each tracking code is two units more: its claim, in the sale's own transaction. Part 4, 4.6, 4. */
const MARKED = [
  { count: 1, billed: 13, trips: 3 },
  { count: 50, billed: 111, trips: 3 },
];

test.each(MARKED)(
  'a sale of $count marks takes $billed units and $trips round trips',
  async ({ count, billed, trips }) => {
    const shop = await newShop();
    const goods = await newTrackedProduct(shop);
    let sold = 0;
    const json = () => {
      sold += 1;
      return saleOfTrackingCodes(
        shop,
        goods,
        Array.from({ length: count }, (_, index) => `${sold}-${index}`),
      );
    };
    expect(await priceOf(shop, json)).toEqual({ billed, trips });
  },
);

/** Creates a sale, and returns the usage of another one. */
async function priceOf({ director }: Shop, bodyOf: () => object) {
  const headers = { authorization: `Bearer ${director}`, 'content-type': 'application/json' };
  const place = { method: 'POST', rawPath: '/company/trade/sale', headers };
  const sell = async () => {
    const event = newEvent({ ...place, body: JSON.stringify(bodyOf()) });
    expect(await POST(...event)).toMatchObject({ statusCode: 200 });
  };
  await sell();
  lines = [];
  const { written_units: billed } = await countUnits(sell);
  const [told, ...others] = lines
    .filter((line) => line.startsWith('{'))
    .map((line) => Told.parse(JSON.parse(line)));
  expect(others).toEqual([]);
  return { billed, trips: told?.round_trips };
}
