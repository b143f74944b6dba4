import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { countUnits } from '#bench/kit/units.ts';
import { POST } from '#functions/company/trade/sale/index.ts';
import { newEvent } from '#tests/kit/event.ts';
import { cheque, newGoods, newShop } from '#tests/kit/shop.ts';

let lines: string[];

beforeEach(() => {
  lines = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
});

afterEach(() => void vi.restoreAllMocks());

/** Figures of before there were copies, as `docs/measured.md` has them. Part 4, 4.1, 9. */
const FIGURES = [
  { count: 1, billed: 13, trips: 3 },
  { count: 10, billed: 35, trips: 3 },
];

test.each(FIGURES)(
  'writers pay nothing for copies: a sale of $count lines takes $billed units and $trips round trips',
  async ({ count, billed, trips }) => {
    const shop = await newShop();
    const goods: number[] = [];
    for (let each = 0; each < count; each++) {
      goods.push(await newGoods(shop, [{ quantity: 50, cost: 100 }], { sale_price: 1000 }));
    }
    const json = cheque(shop, {
      products: goods.map((product_id) => ({ product_id, sold_quantity: 1 })),
      transactions: [{ payment_type: 'cash', amount: 1000 * count }],
    });
    const headers = { authorization: `Bearer ${shop.director}`, 'content-type': 'application/json' };
    const given = { method: 'POST', rawPath: '/company/trade/sale', headers, body: JSON.stringify(json) };
    const sell = async () => {
      expect(await POST(...newEvent(given))).toMatchObject({ statusCode: 200 });
    };
    await sell();
    lines = [];
    const { written_units } = await countUnits(sell);
    const told = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    expect(told).toMatchObject([{ message: 'request', round_trips: trips }]);
    expect(written_units).toBe(billed);
  },
);
