import { expect, test } from 'vitest';
import { companies } from '#lib/people/company/record.ts';
import { editRecord } from '#lib/records/record-writes.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { renderInstant } from '#lib/values/time.ts';
import { faultsOf } from '#tests/support/books.ts';
import { newCompany } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { lastDays, readReport, updateReportRollups } from '#tests/support/reports.ts';
import { sendReturn } from '#tests/support/returns.ts';
import { newService, saleOf, sellCash } from '#tests/support/services.ts';
import { newGoods, newShop, type Shop } from '#tests/support/shop.ts';
import { newTeaSet } from '#tests/support/trade.ts';

const WATER = [{ quantity: 100, cost: 3000 }];

/** Sets the VAT rate of a shop's company. */
function setVat({ companyId }: Pick<Shop, 'companyId'>, vat_percent: string | null, at = Date.now()) {
  const place = { type: companies, tenant: PLATFORM, id: companyId };
  return editRecord(place, at, (company) => ({ ...company, vat_percent }));
}

test('a line has the VAT within its amount, at its own rate or that of the desk’s company (Part 5, 5A.2 (1), (2))', async () => {
  const shop = await newShop();
  const own = await newGoods(shop, WATER, { sale_price: 1000, vat_percent: 15 });
  const none = await newGoods(shop, WATER, { sale_price: 1000, barcode: '2' });
  const zero = await newGoods(shop, WATER, { sale_price: 1000, barcode: '3', vat_percent: 0 });
  const products = [own, none, zero].map((product_id) => ({ product_id, sold_quantity: 1, discount: 10 }));
  const made = await sellCash(shop, 2970, { products });
  const sale = await saleOf(shop, made.number('id'));
  expect(sale.products).toMatchObject([
    { amount: 990, vat_percent: 15, vat_amount: 129.13 },
    { amount: 990, vat_percent: 12, vat_amount: 106.07 },
    { amount: 990, vat_percent: 0, vat_amount: 0 },
  ]);
  expect(sale).toMatchObject({
    vat_amount: 235.2,
    vat: [
      { vat_percent: 0, amount: 990, vat_amount: 0 },
      { vat_percent: 12, amount: 990, vat_amount: 106.07 },
      { vat_percent: 15, amount: 990, vat_amount: 129.13 },
    ],
  });
});

test('a company without a rate has lines with null and 0; later changes of a rate change no line (Part 5, 5A.2 (1), (2))', async () => {
  const shop = await newShop();
  const water = await newGoods(shop, WATER, { sale_price: 1000 });
  await setVat(shop, null);
  const products = [{ product_id: water, sold_quantity: 1 }];
  const made = await sellCash(shop, 1000, { products });
  await setVat(shop, '7.5');
  expect(await saleOf(shop, made.number('id'))).toMatchObject({
    vat_amount: 0,
    vat: [{ vat_percent: null, amount: 1000, vat_amount: 0 }],
    products: [{ vat_percent: null, vat_amount: 0 }],
  });
  const later = await sellCash(shop, 1000, { products });
  expect(later.body).toMatchObject({ vat: [{ vat_percent: 7.5, amount: 1000, vat_amount: 69.77 }] });
});

test('a bundle’s parts have their own rates (Part 5, 5A.2 (2))', async () => {
  const shop = await newShop();
  const { bundle_id } = await newTeaSet(shop);
  const made = await sellCash(shop, 2000, { bundles: [{ bundle_id }] });
  const sale = await saleOf(shop, made.number('id'));
  for (const line of sale.products) {
    expect(line).toMatchObject({ vat_percent: 12 });
    expect(line.vat_amount).toBeCloseTo((line.amount * 12) / 112, 1);
  }
  expect(await faultsOf(shop)).toEqual([]);
});

test('returned VAT is by quantity, and a line whole back gives its own back (Part 5, 5A.2 (3))', async () => {
  const shop = await newShop();
  const water = await newGoods(shop, WATER, { sale_price: 0.5 });
  const made = await sellCash(shop, 1.5, { products: [{ product_id: water, sold_quantity: 3 }] });
  const sale = await saleOf(shop, made.number('id'));
  expect(sale.vat_amount).toBe(0.16);
  const id = sale.products[0]?.id;
  for (let piece = 0; piece < 3; piece++) {
    await sendReturn(shop, sale.id, {
      products: [{ id, reason_type: 'defective', returned_quantity: 1 }],
      transactions: [{ payment_type: 'cash', amount: 0.5 }],
    });
  }
  const { body } = await call('GET /company/trade/sale/return?sort[]=id', { token: shop.director });
  const back = (vat_amount: number) => ({
    vat_amount,
    vat: [{ vat_percent: 12, amount: 0.5, vat_amount }],
    products: [{ vat_percent: 12, vat_amount }],
  });
  expect(body).toMatchObject({ data: [back(0.05), back(0.06), back(0.05)] });
  expect(await faultsOf(shop)).toEqual([]);
});

test('the VAT of a late sale is that of its moment (Part 5, 5.0 (5))', async () => {
  const shop = await newShop();
  const at = Date.now();
  const own = await newGoods(shop, WATER, { sale_price: 1000, vat_percent: 15 }, at - 60_000);
  const other = await newGoods(shop, WATER, { sale_price: 2000, barcode: '2' }, at - 60_000);
  const path = `/company/product/product/${own}`;
  const json = { ...JSON.parse(JSON.stringify((await call(`GET ${path}`, { token: shop.director })).body)) };
  await call(`PUT ${path}`, { token: shop.director, json: { ...json, sale_price: 1500, vat_percent: 5 } });
  // Later than the price, so that no second has both changes.
  await setVat(shop, '20', Date.now() + 2000);
  const products = [
    { product_id: own, sold_quantity: 1, price: 1000 },
    { product_id: other, sold_quantity: 1, price: 2000 },
  ];
  const made = await sellCash(shop, 3000, { sold_at: renderInstant(at), products });
  expect(made.body).toMatchObject({ vat: [{ vat_percent: 12 }, { vat_percent: 15 }] });
});

test('the report of VAT sums sales less returns by rate to the revenue of the sales (Part 5, 5A.2 (5))', async () => {
  const shop = await newShop();
  const [water, repair] = [
    await newGoods(shop, WATER, { sale_price: 1000, vat_percent: 15 }),
    await newService(shop),
  ];
  const made = await sellCash(shop, 22_000, {
    products: [{ product_id: water, sold_quantity: 2 }],
    services: [{ service_id: repair }],
  });
  const sale = await saleOf(shop, made.number('id'));
  await sendReturn(shop, sale.id, {
    products: [{ id: sale.products[0]?.id, reason_type: 'defective', returned_quantity: 1 }],
    transactions: [{ payment_type: 'cash', amount: 1000 }],
  });
  await updateReportRollups(shop);
  const key = shop.cashboxId;
  const rows = [
    {
      ...{ currency: 'uzs', vat_percent: 12, sold_amount: 20_000, sold_vat: 2142.86 },
      ...{ returned_amount: 0, returned_vat: 0, amount: 20_000, vat_amount: 2142.86 },
    },
    {
      ...{ currency: 'uzs', vat_percent: 15, sold_amount: 2000, sold_vat: 260.87 },
      ...{ returned_amount: 1000, returned_vat: 130.44, amount: 1000, vat_amount: 130.43 },
    },
  ];
  const report = await readReport(shop.director, `vat?group=cashbox&${lastDays(1)}`);
  expect(report.data).toEqual(rows.map((row) => ({ key, label: expect.any(String), ...row })));
  expect(report.totals).toEqual(rows.map((row) => ({ key: null, label: null, ...row })));
  const sales = await readReport(shop.director, `sales?group=cashbox&${lastDays(1)}`);
  expect(sales.data).toMatchObject([{ revenue: 21_000, cost: 8000 }]);
  const branch = await newCompany(shop.companyId);
  const none = await readReport(
    shop.director,
    `vat?group=company&filter[company_id]=${branch}&${lastDays(1)}`,
  );
  expect(none.data).toEqual([]);
});

test('the report of products has services by `group=service` alone (Part 5, 5A.1 (5))', async () => {
  const shop = await newShop();
  const [water, repair] = [await newGoods(shop, WATER, { sale_price: 1000 }), await newService(shop)];
  const made = await sellCash(shop, 41_000, {
    products: [{ product_id: water, sold_quantity: 1 }],
    services: [{ service_id: repair, quantity: 2 }],
  });
  const sale = await saleOf(shop, made.number('id'));
  await sendReturn(shop, sale.id, {
    services: [{ id: sale.services[0]?.id, reason_type: 'defective', returned_quantity: 0.5 }],
    transactions: [{ payment_type: 'cash', amount: 10_000 }],
  });
  await updateReportRollups(shop);
  const goods = await readReport(shop.director, `products?${lastDays(1)}`);
  expect(goods.data).toMatchObject([{ key: water, revenue: 1000 }]);
  const services = await readReport(shop.director, `products?group=service&${lastDays(1)}`);
  expect(services.data).toMatchObject([
    {
      ...{ key: repair, label: 'Repair', quantity: 2, returned_quantity: 0.5 },
      ...{ revenue: 30_000, cost: 7500, abc: null },
    },
  ]);
});

test('forms have the VAT of their rows and sums by rate, services after the goods (Part 5, 5A.2 (4))', async () => {
  const shop = await newShop();
  const [water, repair] = [
    await newGoods(shop, WATER, { sale_price: 1000, vat_percent: 15 }),
    await newService(shop),
  ];
  const made = await sellCash(shop, 21_000, {
    products: [{ product_id: water, sold_quantity: 1 }],
    services: [{ service_id: repair }],
  });
  const path = `GET /company/trade/sale/${made.number('id')}`;
  const vat = [
    { vat_percent: 12, amount: 20_000, vat_amount: 2142.86 },
    { vat_percent: 15, amount: 1000, vat_amount: 130.43 },
  ];
  expect((await call(`${path}/invoice`, { token: shop.director })).body).toMatchObject({
    rows: [
      { vat_percent: 15, vat_amount: 130.43 },
      { name: 'Repair', category: null, quantity: 1, amount: 20_000, vat_percent: 12, vat_amount: 2142.86 },
    ],
    vat_amount: 2273.29,
    vat,
  });
  expect((await call(`${path}/check-detail`, { token: shop.director })).body).toMatchObject({
    vat,
    products: [{ vat_percent: 15 }],
    services: [{ vat_percent: 12 }],
  });
  expect((await call(`${path}/print`, { token: shop.director })).status).toBe(200);
});
