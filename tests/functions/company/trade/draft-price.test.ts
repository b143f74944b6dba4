import { expect, test } from 'vitest';
import { workbookOf } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';
import { addToDraft, cardOf, PRODUCTS, REPRICINGS, repricingRow } from '#tests/support/repricing.ts';
import { newGoods, newShop, saleBody } from '#tests/support/shop.ts';
import { receiveGoods } from '#tests/support/stock.ts';

const HEADER = [
  'name',
  'category',
  'brand',
  'unit',
  'barcode',
  'plu',
  'price',
  'currency',
  'description',
  'id',
];

test('drafts hold no price: the group repricing alone spares what stands in one; card, import, sync and receipt change it, and the draft sells at the price of its sale (Contract 9.111)', async () => {
  const shop = await newShop();
  const { director: token, stockId: stock_id, cashboxId } = shop;
  const id = await newGoods(shop, [{ quantity: 10, cost: 1 }], { barcode: '4780001', external_id: 'W' });
  await addToDraft(shop, id);
  const priceIs = async (sale_price: number) => expect(await cardOf(shop, id)).toMatchObject({ sale_price });

  const { companyId: company_id } = shop;
  const batch = { company_id, products: [repricingRow(id)] };
  expect(await call(`POST ${REPRICINGS}`, { token, json: batch })).toMatchObject({
    status: 422,
    body: { code: 'repricing.none_left' },
  });
  await priceIs(5000);

  const form = { name: 'Water', ...shop.catalog, barcode: '4780001', sale_currency: 'uzs', external_id: 'W' };
  await call(`PUT ${PRODUCTS}/${id}`, { token, json: { ...form, sale_price: 7000 } });
  await priceIs(7000);
  const row = ['Water', 'Напитки', 'Nestlé', 'штука', '4780001', null, 7100, 'uzs', null, 'W'];
  const file = await workbookOf([HEADER, row]);
  await call(`POST ${PRODUCTS}/import`, { token, form: formOf({ file, mode: 'update' }) });
  await priceIs(7100);
  const products = [{ external_id: 'W', sale_price: 7200 }];
  await call(`PUT ${PRODUCTS}/sync`, { token, json: { products } });
  await priceIs(7200);
  await receiveGoods(token, {
    stock_id,
    products: [{ product_id: id, quantity: 1, cost: 1, sale_price: 7300 }],
  });
  await priceIs(7300);

  const draft = `GET /company/trade/cashbox/${cashboxId}/cheque/1`;
  expect((await call(draft, { token })).body).toMatchObject({ products: [{ product_id: id, price: null }] });
  const json = saleBody(shop, {
    cheque: 1,
    products: [{ product_id: id, sold_quantity: 1 }],
    transactions: [{ payment_type: 'cash', amount: 7300 }],
  });
  expect(await call('POST /company/trade/sale', { token, json })).toMatchObject({
    status: 200,
    body: { sold_amount: 7300 },
  });
  expect((await call(draft, { token })).body).toMatchObject({ products: [] });
});
