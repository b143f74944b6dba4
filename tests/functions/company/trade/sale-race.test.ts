import { expect, test } from 'vitest';
import { make } from '#tests/support/records.ts';
import { cashOf, newGoods, newShop, piecesOf, sellOne } from '#tests/support/shop.ts';

test('twenty desks selling the last hundred pieces of a product sell exactly a hundred', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, [{ quantity: 100, cost: 1000 }]);
  const desks = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      make('/company/cashbox/cashbox', shop.director, { name: `Race ${index}`, type: 'sale' }),
    ),
  );
  const sold = await Promise.all(desks.map((cashboxId) => sellOut({ ...shop, cashboxId }, id)));
  expect(sold.reduce((sum, count) => sum + count, 0)).toBe(100);
  expect(await piecesOf(shop, id)).toBe(0);
  const money = await Promise.all(desks.map((cashboxId) => cashOf({ ...shop, cashboxId })));
  expect(money).toEqual(sold.map((count) => count * 5000));
});

test('sales at one desk at the same moment all count', async () => {
  const shop = await newShop();
  const ids = await Promise.all(Array.from({ length: 8 }, () => newGoods(shop, [{ quantity: 1, cost: 1 }])));
  const answers = await Promise.all(ids.map((id) => sellOne(shop, id, 1, 5000)));
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
  expect(await cashOf(shop)).toBe(40_000);
});

/** Sells one piece after the other until there are none; returns their number. */
async function sellOut(shop: Parameters<typeof sellOne>[0], id: number): Promise<number> {
  for (let sold = 0; ; ) {
    const { status } = await sellOne(shop, id, 1, 5000);
    if (status === 422) return sold;
    // Other calls were faster at each attempt: the till retries.
    if (status === 200) sold += 1;
    else expect(status).toBe(409);
  }
}
