import { expect, test } from 'vitest';
import { faultsOf } from '#tests/support/books.ts';
import { creditHeaders, creditRequest, sendCredit } from '#tests/support/credit.ts';
import { byWay, depositOf, takeDeposit } from '#tests/support/deposits.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf } from '#tests/support/records.ts';
import { linesOfSale } from '#tests/support/returns.ts';
import { newGoods, newShop } from '#tests/support/shop.ts';

test('behind a credit sale’s bank money the rest goes back to the account that it came from (Part 5, 5A.6, 3)', async () => {
  const shop = await newShop();
  const token = shop.director;
  const product = await newGoods(shop, [{ quantity: 100, cost: 1 }], { sale_price: 8000 });
  const headers = await creditHeaders(shop.companyId);
  const sale = (await sendCredit(headers, creditRequest(shop, product))).number('id');
  const client_id = (await call(`GET /company/trade/sale/${sale}`, { token })).number('client_id');
  await takeDeposit(shop, client_id, 5000);
  const [line] = await linesOfSale(shop, sale);
  const surcharged = await call(`POST /company/trade/sale/${sale}/exchange`, {
    token,
    json: {
      ...{ cashbox_id: shop.cashboxId, stock_id: shop.stockId, company_id: shop.companyId, currency: 'uzs' },
      ...{ client_id, products: [{ product_id: product, sold_quantity: 2 }] },
      returned_products: [{ id: line?.id, reason_type: 'not_match', returned_quantity: 2 }],
      transactions: byWay({ deposit: 4000 }),
    },
  });
  const made = surcharged.number('exchange_sale.id');
  const path = `/company/trade/sale/${made}/return`;
  const preview = await call(`POST ${path}/preview`, { token, json: {} });
  expect(preview.body).toMatchObject({ due: { amount: 16_000, deposit_least: 4000 } });
  expect(
    Object.keys(await errorsOf(`PATCH ${path}`, token, { transactions: byWay({ deposit: 16_000 }) })),
  ).toEqual(['transactions']);
  const back = await call(`PATCH ${path}`, {
    token,
    json: { transactions: byWay({ bank: 10_000, deposit: 4000, cash: 2000 }) },
  });
  expect(back).toMatchObject({ status: 200, body: { status: 'full_returned', paid_out_amount: 16_000 } });
  expect(await depositOf(shop, client_id)).toBe(5000);
  expect(await faultsOf(shop)).toEqual([]);
});
