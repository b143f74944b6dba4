import { expect, test } from 'vitest';
import { readToday, TodayQuery } from '#lib/reports/today/today.ts';
import { newMeter, roundTripsOf, runInContext } from '#lib/table/request-context.ts';
import { directorAs } from '#tests/support/family.ts';
import { updateReportRollups } from '#tests/support/reports.ts';
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
