import { expect, test } from 'vitest';
import { familyTenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { call } from '#tests/support/http.ts';
import { errorsIn } from '#tests/support/records.ts';
import { lastDays, updateReportRollups } from '#tests/support/reports.ts';
import { writeRows } from '#tests/support/rows.ts';
import { newShop } from '#tests/support/shop.ts';

const COUNT = 20_001;

test('over 20 000 documents by hour are 422 on the period, and null in today (Part 5, 5B.12 (2), (3))', async () => {
  const shop = await newShop();
  const [tenant, at] = [familyTenant(shop.companyId), Date.now()];
  const first = await nextId('sale', tenant, COUNT);
  const place = { company_id: shop.companyId, cashbox_id: shop.cashboxId, creator_id: shop.directorId };
  const sums = { sold_amount: 100, purchased_amount: 0, discount_amount: 0, exchanged_amount: 0 };
  const others = { currency: 'uzs', transactions: [], version: 1, stock_id: shop.stockId, products_count: 0 };
  await writeRows(
    { type: 'sale', tenant },
    Array.from({ length: COUNT }, (_, index) => {
      return { ...place, ...sums, ...others, id: first + index, created_at: at, sold_at: at };
    }),
  );
  const path = `/company/report/sales?group=hour&${lastDays(1)}`;
  expect(await errorsIn(path, shop.director)).toEqual({ 'filter.date': [expect.stringContaining('20')] });
  await updateReportRollups(shop);
  const { status, body } = await call('GET /company/report/today', { token: shop.director });
  expect(status).toBe(200);
  expect(body).toMatchObject({ hours: null, sales: { today: [{ sales_count: COUNT }] } });
});
