import { expect, test } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { remove, update } from '#lib/table/change/write.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { ReturnHeader } from '#lib/trade/return/record.ts';
import { SALE_RETURN } from '#lib/trade/sale/returns-of.ts';
import { addClient } from '#tests/support/clients.ts';
import { newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { idsOf, make } from '#tests/support/records.ts';
import { back, linesOfSale, readReturnList, returnsOf, sendReturn } from '#tests/support/returns.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { addMoney, newGoods, newShop, type Shop, saleBody } from '#tests/support/shop.ts';

const LIST = '/company/trade/sale/return';

const WHY = { reason_type: 'defective', comment: 'Мятая' };

/** Creates a shop that sold four pieces each of two products at 5000, with the ids of the sale's lines. */
async function newSold() {
  const shop = await newShop();
  const [client_id, ...goods] = await Promise.all([
    addClient(shop),
    ...[1000, 2000].map((cost) => newGoods(shop, [{ quantity: 10, cost }])),
  ]);
  const sale = await make(
    '/company/trade/sale',
    shop.director,
    saleBody(shop, {
      client_id,
      products: goods.map((product_id) => ({ product_id, sold_quantity: 4 })),
      transactions: [{ payment_type: 'cash', amount: 40_000 }],
    }),
  );
  const lines = (await linesOfSale(shop, sale)).map(({ id }) => id);
  return { shop, client_id, goods, sale, lines };
}

/** Returns one piece of each line, with reasons and comments. */
function returnEach(shop: Shop, sale: number, lines: readonly number[], whys: readonly object[]) {
  const products = lines.map((id, index) => ({ id, returned_quantity: 1, ...whys[index] }));
  const amount = 5000 * lines.length;
  return sendReturn(shop, sale, { products, transactions: [{ payment_type: 'cash', amount }] });
}

/** Returns the ids of a sale's returns, the oldest first, from its history. */
async function returnIdsOf(shop: Shop, sale: number): Promise<number[]> {
  return (await returnsOf(shop, sale)).map(({ id }) => id);
}

/** Exchanges a piece of a line for another of the same price. */
async function exchangeOne({ director: token, ...shop }: Shop, sale: number, id: number, product_id: number) {
  const json = {
    ...{ cashbox_id: shop.cashboxId, stock_id: shop.stockId, company_id: shop.companyId, currency: 'uzs' },
    returned_products: [{ id, reason_type: 'not_match', returned_quantity: 1 }],
    products: [{ product_id, sold_quantity: 1 }],
  };
  const { status } = await call(`POST /company/trade/sale/${sale}/exchange`, { token, json });
  expect(status).toBe(200);
}

test('returns are a list: a return has its money, its cost, its reason and its lines (Part 4, 4.1)', async () => {
  const { shop, client_id, goods, sale, lines } = await newSold();
  await returnEach(shop, sale, lines, [WHY, WHY]);
  const transfers = `/company/cashbox/cashbox/${shop.cashboxId}/transfers`;
  const [transfer_id] = await idsOf(transfers, shop.director, 'filter[source_type]=sale_return');
  const [id] = await returnIdsOf(shop, sale);
  const { body } = await call(`GET ${LIST}`, { token: shop.director });
  expect(body).toMatchObject({ meta: { per_page: 20, total: 1 } });
  expect(Object(body).data).toEqual([
    {
      ...{ id, sale_id: sale, company_id: shop.companyId, cashbox_id: shop.cashboxId },
      ...{ stock_id: shop.stockId, client_id, currency: 'uzs', amount: 10_000, cost: 3000 },
      ...{ reason: 'defective', comment: 'Мятая', creator_id: shop.directorId },
      ...{ shift_id: null, written_off_amount: 0 },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      transactions: [
        {
          payment_type: 'cash',
          payment_type_id: null,
          amount: 10_000,
          currency: 'uzs',
          counted_amount: 10_000,
          transfer_id,
        },
      ],
      fiscal: null,
      products: lines.map((line, index) => ({
        ...{ id: line, product_id: goods[index], returned_quantity: 1, ...WHY, amount: 5000, marks: [] },
        ...{ cost: 1000 * (index + 1), batches: [expect.objectContaining({ quantity: 1 })] },
        ...{ vat_percent: 12, vat_amount: 535.72 },
      })),
      services: [],
      vat_amount: 1071.44,
      vat: [{ vat_percent: 12, amount: 10_000, vat_amount: 1071.44 }],
    },
  ]);
});

test('reason and comment are null unless equal on all lines', async () => {
  const { shop, sale, lines } = await newSold();
  await returnEach(shop, sale, lines, [WHY, { ...WHY, comment: 'Рваная' }]);
  await returnEach(shop, sale, lines, [WHY, { ...WHY, reason_type: 'expired_date' }]);
  await returnEach(shop, sale, lines, [WHY, { reason_type: 'defective' }]);
  await sendReturn(shop, sale, { transactions: [{ payment_type: 'cash', amount: 10_000 }] });
  expect((await readReturnList(shop, sale)).map(({ reason, comment }) => [reason, comment])).toEqual([
    [null, null],
    ['defective', null],
    [null, 'Мятая'],
    ['defective', null],
  ]);
});

test('exchanges are among the returns, and the desk is the one that paid', async () => {
  const { shop, goods, sale, lines } = await newSold();
  const other = await make('/company/cashbox/cashbox', shop.director, { name: 'Desk 2', type: 'sale' });
  await addMoney({ ...shop, cashboxId: other }, { cash_uzs: 500_000 });
  await exchangeOne(shop, sale, lines[0] ?? 0, goods[1] ?? 0);
  await sendReturn(shop, sale, { ...back({ [lines[0] ?? 0]: 1 }, 5000), cashbox_id: other });
  const [exchange, later] = await returnIdsOf(shop, sale);
  expect(await readReturnList(shop, sale)).toMatchObject([
    { id: later, cashbox_id: other, transactions: [{ amount: 5000 }] },
    { id: exchange, cashbox_id: shop.cashboxId, reason: 'not_match', transactions: [] },
  ]);
});

test('the list of returns is filtered by each id and by the day', async () => {
  const { shop, client_id, sale, lines } = await newSold();
  const { director: token } = shop;
  await returnEach(shop, sale, lines, [WHY, WHY]);
  await returnEach(shop, sale, lines, [WHY, WHY]);
  const ids = await returnIdsOf(shop, sale);
  const today = String((await readReturnList(shop, sale))[0]?.['created_at']).slice(0, 10);
  const values = {
    ...{ sale_id: sale, company_id: shop.companyId, cashbox_id: shop.cashboxId, stock_id: shop.stockId },
    ...{ client_id, creator_id: shop.directorId },
  };
  for (const [name, value] of Object.entries(values)) {
    expect([name, await idsOf(LIST, token, `filter[${name}]=${value}`)]).toEqual([name, ids]);
    expect([name, await idsOf(LIST, token, `filter[${name}]=${value + 1_000_000}`)]).toEqual([name, []]);
  }
  expect(await idsOf(LIST, token, `filter[id][]=${ids[1]}`)).toEqual([ids[1]]);
  const days = `filter[created_at][0]=${today}&filter[created_at][1]=${today}`;
  expect(await idsOf(LIST, token, days)).toEqual(ids);
  expect(await idsOf(LIST, token, 'filter[created_at][1]=2020-01-01')).toEqual([]);
});

test('an employee with the right sees the returns that desks open to them have made', async () => {
  const { shop, sale, lines } = await newSold();
  await returnEach(shop, sale, lines, [WHY, WHY]);
  const rights = ['company.trade.sale.return.index'];
  const other = await make('/company/cashbox/cashbox', shop.director, { name: 'Desk 2', type: 'sale' });
  const [open, closed, without] = await Promise.all([
    newEmployee(shop, rights, { cashbox_ids: [shop.cashboxId] }),
    newEmployee(shop, rights, { cashbox_ids: [other] }),
    newEmployee(shop, ['company.trade.sale.return']),
  ]);
  expect([await idsOf(LIST, open), await idsOf(LIST, closed)]).toEqual([await returnIdsOf(shop, sale), []]);
  expect(await call(`GET ${LIST}`, { token: without })).toMatchObject({ status: 403 });
});

test('the list of returns with format=excel is the same rows as a workbook', async () => {
  const { shop, sale, lines } = await newSold();
  await returnEach(shop, sale, lines, [WHY, WHY]);
  await returnEach(shop, sale, lines, [WHY, { reason_type: 'expired_date', comment: 'Рваная' }]);
  const { rows, filename } = await downloadSheet(`${LIST}?format=excel`, shop.director);
  expect(filename).toMatch(/^Возвраты /);
  expect(rows[0]).toEqual([
    ...['Номер', 'Дата', 'Чек', 'Компания', 'Склад', 'Касса', 'Клиент', 'Создал', 'Позиций', 'Валюта'],
    ...['Сумма', 'Себестоимость', 'Наличные', 'Карта', 'Перечисление', 'Аванс', 'Причина', 'Комментарий'],
  ]);
  const [first, second] = await returnIdsOf(shop, sale);
  const money = [2, 'UZS', 10_000, 3000, 10_000, null, null, null];
  expect(rows.slice(1).map((row) => [row[0], row[2], ...row.slice(8)])).toEqual([
    [second, `#${sale}`, ...money, null, null],
    [first, `#${sale}`, ...money, 'Брак', 'Мятая'],
  ]);
});

test('with[] of the list of returns: creator.profile, cashbox, client, products.product (Part 4, 4.1)', async () => {
  const { shop, client_id, goods, sale, lines } = await newSold();
  const { director: token } = shop;
  await returnEach(shop, sale, lines, [WHY, WHY]);
  await returnEach(shop, sale, lines, [WHY, WHY]);
  const names = ['creator.profile', 'cashbox', 'client', 'products.product'];
  const asked = names.map((name) => `with[]=${name}`).join('&');
  const { body } = await call(`GET ${LIST}?${asked}`, { token });
  const row = {
    creator: { id: shop.directorId, profile: { full_name: expect.any(String) } },
    cashbox: { id: shop.cashboxId, name: expect.any(String) },
    client: { id: client_id, full_name: expect.any(String) },
    products: goods.map((id) => ({ product_id: id, product: { id, full_text: expect.any(String) } })),
  };
  expect(body).toMatchObject({ data: [row, row], meta: { total: 2 } });
  const [bare] = await readReturnList(shop, sale);
  for (const name of ['creator', 'cashbox', 'client']) expect(bare).not.toHaveProperty(name);
  expect(JSON.stringify(bare)).not.toContain('full_text');
  expect((await call(`GET ${LIST}?with[]=exchange`, { token })).status).toBe(422);
});

test('returns embed their warehouse and sale, null out of reach (Part 5, 5B.7 (5))', async () => {
  const { shop, sale, lines } = await newSold();
  const other = await make('/company/cashbox/cashbox', shop.director, { name: 'Desk 2', type: 'sale' });
  await addMoney({ ...shop, cashboxId: other }, { cash_uzs: 500_000 });
  await sendReturn(shop, sale, { ...back({ [lines[0] ?? 0]: 1 }, 5000), cashbox_id: other });
  const embedded = async (token: string) => {
    const { body } = await call(`GET ${LIST}?with[]=stock&with[]=sale`, { token });
    return Object(body).data[0];
  };
  expect(await embedded(shop.director)).toMatchObject({
    stock: { id: shop.stockId, name: 'Main' },
    sale: { id: sale, code: `#${sale}`, sold_amount: 40_000 },
  });
  const rights = ['company.trade.sale.return.index'];
  const [nearly, elsewhere] = await Promise.all([
    newEmployee(shop, rights, { cashbox_ids: [other], stock_ids: [shop.stockId] }),
    newEmployee(shop, rights, { cashbox_ids: [other] }),
  ]);
  expect(await embedded(nearly)).toMatchObject({
    cashbox_id: other,
    stock: { id: shop.stockId },
    sale: null,
  });
  expect(await embedded(elsewhere)).toMatchObject({ cashbox_id: other, stock: null, sale: null });
});

test('two returns of the same goods at once are one row of the list', async () => {
  const { shop, sale, lines } = await newSold();
  const all = { ...back({ [lines[0] ?? 0]: 4 }, 20_000) };
  const replies = await Promise.all([sendReturn(shop, sale, all), sendReturn(shop, sale, all)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(await readReturnList(shop, sale)).toMatchObject([{ amount: 20_000 }]);
});

test('the header of a return is under 1 KB, whatever was returned: two units', () => {
  const most = 99_999_999_999_999;
  const header: ReturnHeader = {
    ...{ id: most, sale_id: most, kind: 'exchange', exchange_sale_id: most, company_id: most },
    ...{
      shift_id: most,
      cashbox_id: most,
      stock_id: most,
      report_stock_id: most,
      client_id: most,
      currency: 'uzs',
    },
    ...{ vat_amount: most, written_off_amount: most },
    ...{ amount: most, cost: most, paid_out: { cash: most, card: most, bank: most } },
    ...{ reason: 'size_not_fit', has_one_comment: true, products_count: 10_000, services_count: 50 },
    ...{ creator_id: most, impersonator_id: most, created_at: Date.now() },
  };
  expect(Object.keys(header).sort()).toEqual(Object.keys(ReturnHeader.shape).sort());
  // Not in the schema: key, version, who changed it.
  expect(Buffer.byteLength(JSON.stringify(header))).toBeLessThan(800);
});

test('the books tell of a return that the list does not have, or has otherwise', async () => {
  const { shop, sale, lines } = await newSold();
  await returnEach(shop, sale, lines, [WHY, WHY]);
  const [id = 0] = await returnIdsOf(shop, sale);
  const key = recordKey(SALE_RETURN, familyTenant(shop.companyId), id);
  const found = async () => {
    const { violations } = await readBooks(shop.companyId);
    return violations.filter(({ book }) => book === 'sales').map(({ what }) => what);
  };
  expect(await found()).toEqual([]);
  await transact([update(key, { add: { cost: 1 } })]);
  expect(await found()).toEqual([`has return ${id}, of which the list says another cost`]);
  await transact([remove(key)]);
  expect(await found()).toEqual([`has return ${id}, which is not in the list of returns`]);
});
