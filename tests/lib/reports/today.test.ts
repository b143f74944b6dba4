import { expect, test } from 'vitest';
import { readToday, TodayQuery } from '#lib/reports/today/today.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { newMeter, roundTripsOf, runInContext } from '#lib/table/request-context.ts';
import { nextId } from '#lib/table/sequences.ts';
import { directorAs } from '#tests/support/family.ts';
import { updateReportRollups } from '#tests/support/reports.ts';
import { writeRows } from '#tests/support/rows.ts';
import { newGoods, newShop, sellOne } from '#tests/support/shop.ts';

test('today is at most six round trips beside knowing the caller, folded in or not (Part 5, 5B.12 (3))', async () => {
  const shop = await newShop();
  const tea = await newGoods(shop, [{ quantity: 10, cost: 3000 }], { sale_price: 5000 });
  const actor = directorAs(shop.directorId, shop.companyId);
  for (const _ of ['not folded in', 'folded in', 'folded in, with news']) {
    await sellOne(shop, tea, 1, 5000);
    for (const company_id of [undefined, [shop.companyId]]) {
      const meter = newMeter();
      const query = TodayQuery.parse({ filter: { company_id } });
      const { sales } = await runInContext({ meter }, () =>
        readToday(actor, query, { at: Date.now(), locale: 'ru' }),
      );
      expect(sales?.today).toMatchObject([{ currency: 'uzs' }]);
      expect(roundTripsOf(meter)).toBeLessThanOrEqual(6);
    }
    await updateReportRollups(shop);
  }
});

test('above 20 000 documents today has no hours, and all else (Part 5, 5B.12 (3))', async () => {
  const shop = await newShop();
  const tea = await newGoods(shop, [{ quantity: 10, cost: 3000 }], { sale_price: 5000 });
  await sellOne(shop, tea, 1, 5000);
  const [tenant, at] = [familyTenant(shop.companyId), Date.now()];
  const first = await nextId('sale', tenant, 20_000);
  const place = { company_id: shop.companyId, cashbox_id: shop.cashboxId, creator_id: shop.directorId };
  const sums = { sold_amount: 100, purchased_amount: 0, discount_amount: 0, exchanged_amount: 0 };
  const others = { currency: 'uzs', transactions: [], version: 1, stock_id: shop.stockId, products_count: 0 };
  await writeRows(
    { type: 'sale', tenant },
    Array.from({ length: 20_000 }, (_, index) => {
      return { ...place, ...sums, ...others, id: first + index, created_at: at, sold_at: at };
    }),
  );
  await updateReportRollups(shop);
  const actor = directorAs(shop.directorId, shop.companyId);
  const found = await readToday(actor, TodayQuery.parse({}), { at, locale: 'ru' });
  expect(found.hours).toBeNull();
  expect(found.sales?.today).toMatchObject([{ sales_count: 20_001 }]);
});
