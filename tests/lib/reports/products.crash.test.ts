import { expect, test } from 'vitest';
import { returnedGoodsRollups, soldGoodsRollups } from '#lib/reports/rollups/goods.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { updateRollups } from '#lib/table/rollups/update.ts';
import { withCalls } from '#tests/support/kill-after-calls.ts';
import { lastDays, readReport, updateReportRollups } from '#tests/support/reports.ts';
import { back, linesOfSale, sellFor, sendReturn } from '#tests/support/returns.ts';
import { newGoods, newShop, type Shop } from '#tests/support/shop.ts';

test('an update of line rollups that is cut off after any call leaves the report equal to sales and returns', async () => {
  const shop = await newShop();
  const [tea, cake] = [await newTea(shop), await newTea(shop)];
  // Rollups are up to date before each kill, so each finds an update of the same work.
  let traded = 0;
  const tradeOf = async (...ids: readonly number[]) => {
    await trade(shop, ids);
    traded += 1;
  };
  const expectReport = () => expectTimes(shop, traded, [tea, cake]);
  await tradeOf(tea, cake);
  await updateReportRollups(shop);
  for (let calls = 0, isDone = false; !isDone; calls++) {
    await tradeOf(cake, tea);
    isDone = await withCalls(calls, async () => {
      for (const kind of [soldGoodsRollups, returnedGoodsRollups]) {
        await updateRollups({ ...kind, worth: 1 }, familyTenant(shop.companyId), Date.now());
      }
    });
    await expectReport();
    await tradeOf(tea, cake);
    await expectReport();
    await updateReportRollups(shop);
    await expectReport();
  }
});

function newTea(shop: Shop): Promise<number> {
  return newGoods(shop, [{ quantity: 1000, cost: 3000 }], { sale_price: 5000 });
}

/** Sells two pieces of each, and takes back one of each. */
async function trade(shop: Shop, ids: readonly number[]): Promise<void> {
  const sale = await sellFor(shop, {
    products: ids.map((product_id) => ({ product_id, sold_quantity: 2 })),
    transactions: [{ payment_type: 'cash', amount: 20_000 }],
  });
  const lines = await linesOfSale(shop, sale);
  const quantities = Object.fromEntries(lines.map(({ id }) => [id, 1]));
  const { status } = await sendReturn(shop, sale, back(quantities, 10_000));
  expect(status).toBe(200);
}

/** Expects the given number of trades, by companies and by desks. */
async function expectTimes(shop: Shop, times: number, ids: readonly number[]): Promise<void> {
  const figures = {
    quantity: 2 * times,
    returned_quantity: times,
    revenue: 5000 * times,
    cost: 3000 * times,
  };
  for (const filter of ['', `&filter[cashbox_id][]=${shop.cashboxId}`]) {
    const { data } = await readReport(shop.director, `products?${lastDays(2)}${filter}`);
    expect(data).toMatchObject(ids.toSorted((a, b) => a - b).map((key) => ({ key, ...figures })));
  }
}
