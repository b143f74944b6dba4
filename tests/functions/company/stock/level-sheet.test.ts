import { expect, test } from 'vitest';
import { translateLabel } from '#lib/values/labels/label.ts';
import { newClerk } from '#tests/support/costs.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { newGoods, newShop, type Shop } from '#tests/support/shop.ts';
import { newWarehouse, receiveGoods, STOCK_LEVELS } from '#tests/support/stock.ts';
import { holdGoods } from '#tests/support/trade.ts';
import { TRANSFERS } from '#tests/support/transfers.ts';

const CURRENCIES = ['UZS', 'USD', 'EUR', 'RUB'];

async function rowsOf(token: string, query = '', locale: 'ru' | 'uz' = 'ru') {
  const { rows } = await downloadSheet(`${STOCK_LEVELS}?format=excel&sort[]=id${query}`, token, locale);
  return rows.slice(1);
}

/** Creates a shop with goods of two costs, of which three are held, and goods bought in dollars. */
async function newStock() {
  const shop = await newShop();
  const milk = await newGoods(
    shop,
    [
      { quantity: 2, cost: 1000 },
      { quantity: 4.5, cost: 1200 },
    ],
    { name: '=Сут', barcode: '0478001' },
  );
  const oil = await newGoods(shop, [{ quantity: 10, cost: 2.5, currency: 'usd' }], {
    name: 'Ёғ',
    barcode: '012',
  });
  await hold(shop, milk, 3);
  return { shop, milk, oil };
}

async function hold(shop: Shop, product_id: number, quantity: number): Promise<void> {
  const { status } = await holdGoods(shop, { products: [{ product_id, quantity }] });
  expect(status).toBe(200);
}

const MILK = ['0478001', '=Сут', 'штука', 'Main', 3.5, 3, 7400, 0, 0, 0];
const OIL = ['012', 'Ёғ', 'штука', 'Main', 10, 0, 0, 25, 0, 0];

test('the workbook of stock has free and held quantities, and the cost of both by currency (Part 5, 5B.9 (3))', async () => {
  const { shop } = await newStock();
  const { rows, filename } = await downloadSheet(`${STOCK_LEVELS}?format=excel&sort[]=id`, shop.director);
  expect(filename).toContain(translateLabel('ru', { key: 'sheet.stock' }));
  expect(rows).toEqual([
    [
      ...['Штрихкод', 'Товар', 'Единица измерения', 'Склад', 'Количество', 'В отложке'],
      ...CURRENCIES.map((currency) => `По себестоимости, ${currency}`),
    ],
    MILK,
    OIL,
  ]);
});

test('it has all rows that the filters leave, whatever the page, in warehouses open to the caller (Part 5, 5B.9 (3))', async () => {
  const { shop, milk, oil } = await newStock();
  const { director: token } = shop;
  const far = await newWarehouse(token, 'Дальний');
  await receiveGoods(token, { stock_id: far, products: [{ product_id: oil, quantity: 1, cost: 10 }] });
  const there = [...OIL.slice(0, 3), 'Дальний', 1, 0, 10, 0, 0, 0];
  expect(await rowsOf(token, '&page=2&page-size=1')).toEqual([MILK, OIL, there]);
  expect(await rowsOf(token, `&filter[product_id]=${milk}`)).toEqual([MILK]);
  expect(await rowsOf(token, `&filter[stock_id]=${far}`)).toEqual([there]);
  const rights = ['company.stock.product.index', 'company.cost.show'];
  const clerk = await newEmployee(shop, rights, { stock_ids: [far] });
  expect(await rowsOf(clerk)).toEqual([there]);
});

test('goods in transit are in neither warehouse, and goods that are gone cost nothing (Part 5, 5B.9 (3))', async () => {
  const { shop, milk, oil } = await newStock();
  const { director: token, stockId: from_stock_id } = shop;
  const to_stock_id = await newWarehouse(token, 'Дальний');
  const products = [
    { product_id: oil, quantity: 10 },
    { product_id: milk, quantity: 1 },
  ];
  const json = { from_stock_id, to_stock_id, products };
  expect(await call(`POST ${TRANSFERS}`, { token, json })).toMatchObject({ status: 200 });
  const left = [...MILK.slice(0, 4), 2.5, 3, 6200, 0, 0, 0];
  const gone = [...OIL.slice(0, 4), 0, 0, 0, 0, 0, 0];
  expect(await rowsOf(token)).toEqual([left, gone]);
});

test('without the right to see costs they are empty (Part 5, 5A.13)', async () => {
  const { shop } = await newStock();
  const clerk = await newClerk(shop, { stock_ids: [shop.stockId] });
  const empty = [null, null, null, null];
  expect(await rowsOf(clerk)).toEqual([
    [...MILK.slice(0, 6), ...empty],
    [...OIL.slice(0, 6), ...empty],
  ]);
});
