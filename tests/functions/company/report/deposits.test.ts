import { expect, test } from 'vitest';
import { addClient } from '#tests/support/clients.ts';
import { newDepositor, sellWater, takeDeposit } from '#tests/support/deposits.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { newShop } from '#tests/support/shop.ts';

const REPORT = '/company/report/deposits';

test('the report has the deposits of clients now, by currency (Part 5, 5A.6, 5)', async () => {
  const shop = await newDepositor(100);
  const token = shop.director;
  const other = await addClient(shop, '998905550011');
  await takeDeposit(shop, other, 7.5);
  await takeDeposit(shop, other, 20, { currency: 'usd' });
  await sellWater(shop, 40, { deposit: 40 });
  const row = (key: number | null, currency: string, amount: number) => ({
    ...{ key, label: key === null ? null : 'Aziz', currency, amount },
  });
  const { body } = await call(`GET ${REPORT}`, { token });
  expect(body).toEqual({
    data: [row(shop.client, 'uzs', 60), row(other, 'uzs', 7.5), row(other, 'usd', 20)],
    totals: [row(null, 'uzs', 67.5), row(null, 'usd', 20)],
    period: null,
  });
  await sellWater(shop, 60, { deposit: 60 });
  expect(Object((await call(`GET ${REPORT}`, { token })).body).data).toHaveLength(2);
  const { rows } = await downloadSheet(`${REPORT}?format=excel`, token);
  expect(rows.slice(1)).toEqual([
    [other, 'Aziz', 'UZS', 7.5],
    [other, 'Aziz', 'USD', 20],
    [null, 'Итого', 'UZS', 7.5],
    [null, 'Итого', 'USD', 20],
  ]);
});

test('a family without deposits has no rows, and the report needs its right (Part 5, 5A.6, 5)', async () => {
  const shop = await newShop();
  expect((await call(`GET ${REPORT}`, { token: shop.director })).body).toEqual({
    ...{ data: [], totals: [], period: null },
  });
  const token = await newEmployee(shop, ['company.report.debts']);
  expect((await call(`GET ${REPORT}`, { token })).status).toBe(403);
});
