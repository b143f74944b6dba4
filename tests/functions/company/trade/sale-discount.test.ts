import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { faultsOf } from '#tests/support/books.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf } from '#tests/support/records.ts';
import { newService, saleOf, sellCash } from '#tests/support/services.ts';
import { newGoods, newShop, type Shop, saleBody } from '#tests/support/shop.ts';
import { newTeaSet } from '#tests/support/trade.ts';

const SALE = 'POST /company/trade/sale';
const TOO_LARGE = translate('ru', { key: 'sale.cheque_discount', with: { max: 1000 } });
const WATER = [{ quantity: 100, cost: 3000 }];

function refused(shop: Shop, given: object, token = shop.director): Promise<Record<string, string>> {
  return errorsOf(
    SALE,
    token,
    saleBody(shop, { transactions: [{ payment_type: 'cash', amount: 1 }], ...given }),
  );
}

test('a discount of the whole cheque is spread over goods, bundles and services by their amounts (Part 5, 5A.14 (1))', async () => {
  const shop = await newShop();
  const [water, repair] = [await newGoods(shop, WATER, { sale_price: 5000 }), await newService(shop)];
  const { bundle_id } = await newTeaSet(shop);
  const lines = {
    products: [{ product_id: water, sold_quantity: 1, discount: 1000 }],
    bundles: [{ bundle_id }],
    services: [{ service_id: repair }],
  };
  const made = await sellCash(shop, 25_999.99, { ...lines, discount: { amount: 0.01 } });
  expect(made.body).toMatchObject({
    ...{ sold_amount: 25_999.99, discount_amount: 1000.01 },
    cheque_discount: { percent: null, amount: 0.01 },
  });
  const percent = await sellCash(shop, 23_400, { ...lines, discount: { percent: 10 } });
  expect(percent.body).toMatchObject({
    ...{ sold_amount: 23_400, discount_amount: 3600 },
    cheque_discount: { percent: 10, amount: 2600 },
    services: [{ discount: 2000, amount: 18_000, vat_amount: 1928.57 }],
  });
  const sale = await saleOf(shop, percent.number('id'));
  expect(sale.products[0]).toMatchObject({ discount: 1400, amount: 3600 });
  expect((await sellCash(shop, 26_000, lines)).body).toMatchObject({ cheque_discount: null });
  expect(await faultsOf(shop)).toEqual([]);
});

test('it needs the right to discounts, is at most the sum, and leaves each line its minimum: 422 with one that passes (Part 5, 5A.14 (1))', async () => {
  const shop = await newShop();
  const [water, tea] = [
    await newGoods(shop, WATER, { sale_price: 5000, min_price: 4500 }),
    await newGoods(shop, WATER, { sale_price: 5000, barcode: '2' }),
  ];
  const products = [water, tea].map((product_id) => ({ product_id, sold_quantity: 1 }));
  const above = (amount: number) => refused(shop, { products, discount: { amount } });
  expect(await above(10_000.01)).toEqual({ discount: TOO_LARGE });
  expect(await above(1000.02)).toEqual({ discount: TOO_LARGE });
  expect(await sellCash(shop, 9000, { products, discount: { amount: 1000 } })).toMatchObject({ status: 200 });
  for (const discount of [{}, { amount: 1, percent: 1 }, { percent: 100.01 }, { amount: 0 }]) {
    expect(Object.keys(await refused(shop, { products, discount }))[0]).toMatch(/^discount/);
  }
  const places = { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] };
  const seller = await newEmployee(shop, ['company.trade.sale.store'], places);
  const cash = [{ payment_type: 'cash', amount: 9999 }];
  const given = { products, discount: { amount: 1 }, transactions: cash };
  expect(await refused(shop, given, seller)).toEqual({
    discount: translate('ru', { key: 'sale.discount_forbidden' }),
  });
});

test('a draft keeps the discount, and the same key with another one is another sale (Part 5, 5A.14 (1); 5.0 (5))', async () => {
  const shop = await newShop();
  const water = await newGoods(shop, WATER, { sale_price: 5000 });
  const { director: token, stockId: stock_id, cashboxId } = shop;
  const draft = `/company/trade/cashbox/${cashboxId}/cheque/1`;
  await call(`PUT ${draft}`, { token, json: { stock_id, discount: { percent: 12.5 } } });
  expect((await call(`GET ${draft}`, { token })).body).toMatchObject({ discount: { percent: 12.5 } });
  const products = [{ product_id: water, sold_quantity: 1 }];
  const sell = (amount: number) =>
    sellCash(shop, 5000 - amount, { key: 'a', products, discount: { amount } });
  expect(await sell(10)).toMatchObject({ status: 200 });
  expect(await sell(10)).toMatchObject({ status: 200 });
  expect(await sell(20)).toMatchObject({ status: 409, body: { code: 'sale.key_reused' } });
});
