import { expect, test } from 'vitest';
import * as z from 'zod';
import { readRowsOf } from '#lib/reports/frame/rows.ts';
import { STOCK_LEVEL_INDEXES, STOCK_LEVEL_ROW } from '#lib/stock/stock-level.ts';
import { oneOf } from '#lib/table/expression.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { newGoods, newShop } from '#tests/support/shop.ts';

test('a report of as many rows as it may have is given, one of more is 422 on the filter', async () => {
  const shop = await newShop();
  for (const cost of [1, 2, 3]) await newGoods(shop, [{ quantity: 1, cost }]);
  const source = {
    type: STOCK_LEVEL_ROW,
    tenant: familyTenant(shop.companyId),
    indexes: STOCK_LEVEL_INDEXES,
  };
  const asked = {
    fields: z.object({ product_id: z.int() }),
    where: [oneOf('stock_id', [shop.stockId])],
    filter: 'filter.stock_id',
  };
  expect(await readRowsOf(source, asked, 3)).toHaveLength(3);
  await expect(readRowsOf(source, asked, 2)).rejects.toMatchObject({
    status: 422,
    fields: { 'filter.stock_id': { key: 'report.too_many_rows', with: { max: 2 } } },
  });
});
