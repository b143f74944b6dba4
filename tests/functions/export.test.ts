import { expect, test } from 'vitest';
import * as z from 'zod';
import { discoverRoutes } from '#infra/routes.ts';
import { respondsWithFile } from '#lib/http/wire/response.ts';
import { renderInstant } from '#lib/values/time.ts';
import { addClient, onDebt } from '#tests/support/clients.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { idsOf, make } from '#tests/support/records.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { newGoods, newShop, saleBody, sellOne } from '#tests/support/shop.ts';
import { receiveGoods } from '#tests/support/stock.ts';

const SALES = '/company/trade/sale';

const Sale = z.object({ id: z.int(), created_at: z.string() });

/** Creates the wall-clock time that exceljs gives as the date of a cell. */
function clock(timestamp: string): Date {
  return new Date(`${timestamp.replace(' ', 'T')}Z`);
}

test('a list of documents with format=excel is the same rows as a workbook (Contract 1)', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, [{ quantity: 10, cost: 3000.5 }], { sale_price: 5000.25 });
  const client = await addClient(shop);
  const first = Sale.parse((await sellOne(shop, product, 2, 5000.25)).body);
  const second = Sale.parse(
    (
      await call(`POST ${SALES}`, {
        token: shop.director,
        json: { ...onDebt(shop, client, product, 5000.25), comment: 'взял Азиз' },
      })
    ).body,
  );
  const { rows, filename } = await downloadSheet(`${SALES}?format=excel`, shop.director);
  expect(filename).toBe(`Продажи ${renderInstant(Date.now()).slice(0, 10)}.xlsx`);
  expect(rows).toEqual([
    [
      'Номер',
      'Дата',
      'Статус',
      'Компания',
      'Склад',
      'Касса',
      'Клиент',
      'Продавец',
      'Позиций',
      'Валюта',
      'Сумма продажи',
      'Возвращено',
      'Себестоимость',
      'Наличные',
      'Карта',
      'Перечисление',
      'В долг',
      'Бонусы',
      'Аванс',
      'Комментарий',
    ],
    [
      `#${second.id}`,
      clock(second.created_at),
      'Завершена',
      'Savdo',
      'Main',
      'Desk 1',
      'Aziz',
      'Test',
      1,
      'UZS',
      5000.25,
      0,
      3000.5,
      null,
      null,
      null,
      5000.25,
      null,
      null,
      'взял Азиз',
    ],
    [
      `#${first.id}`,
      clock(first.created_at),
      'Завершена',
      'Savdo',
      'Main',
      'Desk 1',
      null,
      'Test',
      1,
      'UZS',
      10000.5,
      0,
      6001,
      10000.5,
      null,
      null,
      null,
      null,
      null,
      null,
    ],
  ]);
});

test('amounts are numbers with two decimals, dates are dates', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, [{ quantity: 10, cost: 3000 }]);
  await sellOne(shop, product, 1, 5000);
  const { sheet } = await downloadSheet(`${SALES}?format=excel`, shop.director);
  expect(sheet.getCell('K2')).toMatchObject({ value: 5000, numFmt: '#,##0.00' });
  expect(sheet.getCell('B2')).toMatchObject({ value: expect.any(Date), numFmt: 'yyyy-mm-dd hh:mm:ss' });
});

test('the workbook has the same filters and the same order as the list, and all its pages', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, [{ quantity: 100, cost: 1 }]);
  const client = await addClient(shop);
  const ids: number[] = [];
  for (let sold = 0; sold < 22; sold++) ids.push((await sellOne(shop, product, 1, 5000)).number('id'));
  const last = await make(SALES, shop.director, onDebt(shop, client, product, 5000));
  const numbersIn = async (query: string) =>
    (await downloadSheet(`${SALES}?format=excel&${query}`, shop.director)).rows
      .slice(1)
      .map(([cell]) => cell);
  expect(await numbersIn(`filter[client_id]=${client}`)).toEqual([`#${last}`]);
  expect(await numbersIn('page=2&page-size=5')).toHaveLength(23);
  expect((await numbersIn('sort[]=id')).slice(0, 3)).toEqual(ids.slice(0, 3).map((id) => `#${id}`));
  const [third, seventh] = [ids[2], ids[6]];
  expect(await numbersIn(`filter[id][]=${seventh}&filter[id][]=${third}&sort[]=id`)).toEqual([
    `#${third}`,
    `#${seventh}`,
  ]);
  expect(await numbersIn('filter[created_at][1]=2020-01-01')).toEqual([]);
});

test('headings and words are in the language of the caller', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, [{ quantity: 10, cost: 3000 }]);
  await sellOne(shop, product, 1, 5000);
  const { rows, filename } = await downloadSheet(`${SALES}?format=excel`, shop.director, 'oz');
  expect(filename).toMatch(/^Sotuvlar /);
  expect(rows[0]).toContain('Sotuvchi');
  expect(rows[1]).toContain('Yakunlangan');
  expect((await downloadSheet(`${SALES}?format=excel`, shop.director, 'uz')).rows[1]).toContain('Якунланган');
});

test('texts that look like formulas or marks stay what they are (Contract 8)', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, [{ quantity: 10, cost: 1 }]);
  const comments = [
    '=1+1',
    '+7',
    '-5',
    '@SUM(A1)',
    '<b>&"x"\'</b>',
    ' два  пробела ',
    'a\nb',
    '_x000D_',
    '🛒',
  ];
  for (const comment of comments) {
    const payment = { payment_type: 'cash', amount: 5000 };
    const sold = { products: [{ product_id: product, sold_quantity: 1 }], transactions: [payment] };
    const made = await call(`POST ${SALES}`, {
      token: shop.director,
      json: saleBody(shop, { ...sold, comment }),
    });
    expect(made.status).toBe(200);
  }
  const { rows } = await downloadSheet(`${SALES}?format=excel&sort[]=id`, shop.director);
  const shown = rows.slice(1).map((row) => row.at(-1));
  // Excel reads the eighth as it was sent; exceljs reads the raw file.
  const plain = [...comments.slice(0, 5), 'два  пробела', 'a\nb'];
  expect(shown).toEqual([...plain, '_x005F_x000D_', '🛒']);
});

test('a caller who reaches one desk gets its sales only, and one without the right none', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, [{ quantity: 10, cost: 1 }]);
  const other = await make('/company/cashbox/cashbox', shop.director, { name: 'Desk 2', type: 'sale' });
  await sellOne(shop, product, 1, 5000);
  await sellOne({ ...shop, cashboxId: other }, product, 1, 5000);
  const given = { cashbox_ids: [other], are_all_companies_available: true };
  const cashier = await newEmployee(shop, ['company.trade.sale.index'], given);
  const { rows } = await downloadSheet(`${SALES}?format=excel`, cashier);
  expect(rows.slice(1).map((row) => row[5])).toEqual(['Desk 2']);
  const nobody = await newEmployee(shop, []);
  expect((await call(`GET ${SALES}?format=excel`, { token: nobody })).status).toBe(403);
});

test('receipts and debts are had as workbooks too', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, [{ quantity: 10, cost: 1 }]);
  const supplier = await make('/company/stock/supplier', shop.director, {
    name: '=Coca',
    phone: '998901234567',
  });
  const given = {
    stock_id: shop.stockId,
    supplier_id: supplier,
    products: [{ product_id: product, quantity: 3, cost: 10.5 }],
  };
  const receipt = await receiveGoods(shop.director, given);
  const receipts = await downloadSheet('/company/trade/purchase?format=excel', shop.director);
  expect(receipts.rows[1]).toEqual([
    receipt,
    expect.any(Date),
    'Проведён',
    expect.any(Date),
    'Savdo',
    'Main',
    '=Coca',
    'Test',
    1,
    'UZS',
    31.5,
    null,
  ]);
  const client = await addClient(shop);
  const sale = await make(SALES, shop.director, onDebt(shop, client, product, 5000));
  const [debt] = await idsOf('/company/client/debt', shop.director);
  const debts = await downloadSheet('/company/client/debt?format=excel', shop.director);
  const due = clock('2099-01-31 00:00:00');
  expect(debts.rows[1]).toEqual([
    debt,
    expect.any(Date),
    'Не погашен',
    'Savdo',
    'Aziz',
    `#${sale}`,
    due,
    0,
    'UZS',
    5000,
    0,
    0,
    0,
    5000,
    'Test',
    null,
  ]);
});

test('another format is 422 on it', async () => {
  const { director: token } = await newShop();
  const { status, body } = await call(`GET ${SALES}?format=pdf`, { token });
  expect({ status, body }).toMatchObject({ status: 422, body: { errors: { format: [expect.any(String)] } } });
});

/** Lists of documents that have no workbook yet. */
const WITHOUT: readonly string[] = [];

test('every list of documents can be had as a workbook', async () => {
  const lists = (await discoverRoutes()).flatMap(({ path, endpoints: { GET } }) => {
    const query = GET?.metadata.query;
    const takesFormat = query?.safeParse({ format: 'excel' }).success;
    return GET && takesFormat ? [{ path, isFile: respondsWithFile(GET.metadata.response) }] : [];
  });
  expect(lists.length).toBeGreaterThanOrEqual(3);
  expect(lists.filter(({ isFile }) => !isFile).map(({ path }) => path)).toEqual(WITHOUT);
});
