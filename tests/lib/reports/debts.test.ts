import { expect, test } from 'vitest';
import { debtsReport } from '#lib/reports/debts.ts';
import { daysAfter, startOfDay } from '#lib/values/time.ts';
import { addClient } from '#tests/support/clients.ts';
import { lend, newWater } from '#tests/support/debts.ts';
import { directorAs } from '#tests/support/family.ts';
import { newShop } from '#tests/support/shop.ts';

test('a debt is overdue from the day after its due date, and moves on after 30, 60 and 90 days', async () => {
  const shop = await newShop();
  const [water, client] = await Promise.all([newWater(shop), addClient(shop)]);
  await lend(shop, { client, water, amount: 500, due: '2099-01-31' });
  const columnAfter = async (days: number) => {
    const director = directorAs(shop.directorId, shop.companyId);
    const at = startOfDay(daysAfter('2099-01-31', days));
    const { data, totals } = await debtsReport(
      director,
      { group: 'client', filter: {}, format: undefined },
      at,
    );
    expect(totals).toMatchObject([{ total: 500_00n }]);
    return data.flatMap(({ total: _, ...row }) =>
      Object.entries(row).flatMap(([name, value]) => (value === 500_00n ? name : [])),
    );
  };
  const columns = await Promise.all([0, 1, 30, 31, 60, 61, 90, 91, 1000].map(columnAfter));
  expect(columns.flat()).toEqual([
    'not_due',
    'overdue_1_30',
    'overdue_1_30',
    'overdue_31_60',
    'overdue_31_60',
    'overdue_61_90',
    'overdue_61_90',
    'overdue_over_90',
    'overdue_over_90',
  ]);
});
