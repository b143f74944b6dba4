import { expect, test } from 'vitest';
import { SalesQuery } from '#lib/reports/sales/query.ts';
import { salesReport } from '#lib/reports/sales/sales.ts';
import { newMeter, roundTripsOf, runInContext } from '#lib/table/request-context.ts';
import { dayOf, daysAfter } from '#lib/values/time.ts';
import { directorAs } from '#tests/support/family.ts';
import { updateReportRollups } from '#tests/support/reports.ts';
import { newGoods, newShop, sellOne } from '#tests/support/shop.ts';

// The fourth round trip of Part 4, 4.5, 7 is authentication.
test('a month of sales is three round trips beside that of the caller, folded in or not', async () => {
  const shop = await newShop();
  const tea = await newGoods(shop, [{ quantity: 10, cost: 3000 }], { sale_price: 5000 });
  const actor = directorAs(shop.directorId, shop.companyId);
  const today = dayOf(Date.now());
  const date = { 0: daysAfter(today, -30), 1: today };
  const filters = { date, company_id: [shop.companyId], cashbox_id: [shop.cashboxId] };
  for (const _ of ['not folded in', 'folded in', 'folded in, with news']) {
    await sellOne(shop, tea, 1, 5000);
    for (const group of ['day', 'month', 'company', 'cashbox', 'creator']) {
      const meter = newMeter();
      const query = SalesQuery.parse({ group, filter: filters });
      await runInContext({ meter }, () => salesReport(actor, query));
      expect(roundTripsOf(meter), group).toBeLessThanOrEqual(3);
    }
    await updateReportRollups(shop);
  }
});
