import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Json } from '#bin/cli/person.ts';
import { makerOf } from '#lib/auth/actor.ts';
import { users } from '#lib/people/user/user.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import { editRecord } from '#lib/records/record-writes.ts';
import { update } from '#lib/table/change/write.ts';
import { familyTenant, PLATFORM, recordKey } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { returnWrites, SALE_RETURN, type SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { addClient, giveBonuses, onDebt } from '#tests/support/clients.ts';
import { payDebt } from '#tests/support/debts.ts';
import { newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { FIRST_INVOICE_SETTINGS } from '#tests/support/invoice-settings.ts';
import { officeOpens } from '#tests/support/libre-office.ts';
import { WITHOUT_OFFICE } from '#tests/support/machine.ts';
import { idsOf, make } from '#tests/support/records.ts';
import { newSaleOf } from '#tests/support/sales.ts';
import { downloadBytes, downloadSheet } from '#tests/support/sheet.ts';
import { newGoods, newShop, type Shop, saleBody, sellOne, setRate } from '#tests/support/shop.ts';

const SALES = '/company/trade/sale';
const STOCK = [{ quantity: 100, cost: 1 }];

const Made = z.object({ id: z.int(), created_at: z.string() });

async function sell(shop: Shop, given: object) {
  const { status, body } = await call(`POST ${SALES}`, { token: shop.director, json: saleBody(shop, given) });
  expect(status, JSON.stringify(body)).toBe(200);
  return Made.parse(body);
}

async function invoiceFor({ director: token }: Shop, id: number): Promise<Json> {
  const { status, body } = await call(`GET ${SALES}/${id}/invoice`, { token });
  expect(status).toBe(200);
  return body;
}

function cash(amount: number) {
  return [{ payment_type: 'cash', amount }];
}

/** Creates a sale of two products and a bundle of both, for a client. */
async function richSale(shop: Shop) {
  const { director: token } = shop;
  const water = await newGoods(shop, STOCK, { name: '=Вода', barcode: '001', sale_price: 5000 });
  const juice = await newGoods(shop, STOCK, { name: 'Сок', barcode: '002', sale_price: 7000.5 });
  const parts = [juice, water].map((product_id) => ({ product_id, quantity: 1 }));
  const bundle = await make('/company/product/bundle', token, {
    name: 'Оба',
    price: 12_000.5,
    products: parts,
  });
  const client = await addClient(shop);
  const sale = await sell(shop, {
    client_id: client,
    products: [
      { product_id: juice, sold_quantity: 0.5 },
      { product_id: water, sold_quantity: 2, discount: 100 },
    ],
    bundles: [{ bundle_id: bundle, quantity: 2 }],
    transactions: cash(3500.25 + 9900 + 24_001),
  });
  return { sale, client, water, juice, bundle };
}

test('print gives the lines of a sale as a sheet, in the order added (Part 2, "Sales")', async () => {
  const shop = await newShop();
  const { sale } = await richSale(shop);
  const { rows, filename } = await downloadSheet(`${SALES}/${sale.id}/print`, shop.director);
  expect(filename).toBe(`Чек ${sale.id} от ${sale.created_at.replaceAll(':', '')}.xlsx`);
  expect(rows[0]?.[0]).toBe(`Чек #${sale.id} от ${sale.created_at}`);
  expect(rows.slice(3)).toEqual([
    ['Поз.', 'Штрихкод', 'Товар', 'Ед.', 'Количество', 'Цена', 'Скидка', 'Сумма'],
    [1, '002', 'Сок', 'штука', 0.5, 7000.5, 0, 3500.25],
    [2, '001', '=Вода', 'штука', 2, 5000, 100, 9900],
    [3, '002', 'Сок', 'штука', 2, 7000.5, 0, 14_001],
    [4, '001', '=Вода', 'штука', 2, 5000, 0, 10_000],
    [null, null, 'Итого', null, 6.5, null, 100, 37_401.25],
    Array.from({ length: 8 }, () => null),
    [...Array.from({ length: 6 }, () => 'В том числе НДС 12 %'), 4007.28, 4007.28],
  ]);
  const latin = await downloadSheet(`${SALES}/${sale.id}/print`, shop.director, 'oz');
  expect(latin.rows[3]).toContain('Tovar');
  expect(latin.rows[4]).toContain('dona');
});

test('an invoice tells all that the contract names (Contract 9.29)', async () => {
  const shop = await newShop();
  const { sale, client } = await richSale(shop);
  const none = { before: 0, added: 0, written_off: 0, after: 0 };
  const row = { category: 'Напитки', name: 'Сок', price: 7000.5 };
  const water = { ...row, name: '=Вода', price: 5000 };
  const [date, time] = sale.created_at.split(' ');
  expect(await invoiceFor(shop, sale.id)).toEqual({
    sale: { id: sale.id, code: `#${sale.id}`, currency: 'uzs', created_at: sale.created_at, date, time },
    settings: FIRST_INVOICE_SETTINGS,
    company: { name: 'Savdo', legal_name: null, tin: null, address: null, phone: null },
    client: { id: client, full_name: 'Aziz', phone: '998901112233' },
    cashier: { full_name: 'Test', is_director: true },
    creator: { full_name: 'Test' },
    rows: [
      {
        ...row,
        position: 1,
        vat_percent: 12,
        vat_amount: 375.03,
        quantity: 0.5,
        amount: 3500.25,
        amount_uzs: 3500.25,
        amount_usd: 0.28,
      },
      {
        ...water,
        position: 2,
        vat_percent: 12,
        vat_amount: 1060.71,
        quantity: 2,
        amount: 9900,
        amount_uzs: 9900,
        amount_usd: 0.78,
      },
      {
        ...row,
        position: 3,
        vat_percent: 12,
        vat_amount: 1500.11,
        quantity: 2,
        amount: 14_001,
        amount_uzs: 14_001,
        amount_usd: 1.11,
      },
      {
        ...water,
        position: 4,
        vat_percent: 12,
        vat_amount: 1071.43,
        quantity: 2,
        amount: 10_000,
        amount_uzs: 10_000,
        amount_usd: 0.79,
      },
    ],
    totals: {
      quantity: 6.5,
      current: { uzs: 37_401.25, usd: 2.96 },
      previous_debt: { uzs: 0, usd: 0 },
      total: { uzs: 37_401.25, usd: 2.96 },
    },
    vat_amount: 4007.28,
    vat: [{ vat_percent: 12, amount: 37_401.25, vat_amount: 4007.28 }],
    balance: none,
    debt: none,
  });
});

test('an invoice has no client where the sale has none, and the category in the language of the caller', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, STOCK);
  const sale = Made.parse((await sellOne(shop, id, 1, 5000)).body);
  const { body } = await call(`GET ${SALES}/${sale.id}/invoice`, {
    token: shop.director,
    headers: { 'accept-language': 'uz' },
  });
  expect(body).toMatchObject({ client: null, rows: [{ category: 'Ичимликлар' }] });
});

test('who has no name is called by the username, in the invoice and in workbooks (Part 1, "User")', async () => {
  const shop = await newShop();
  const director = { type: users, tenant: PLATFORM, id: shop.directorId };
  const nameless = { first_name: null, last_name: null, full_name: '' };
  const { username } = await editRecord(director, Date.now(), (before) => ({
    ...before,
    person: { ...before.person, ...nameless },
  }));
  const id = await newGoods(shop, STOCK);
  const sale = Made.parse((await sellOne(shop, id, 1, 5000)).body);
  const named = { cashier: { full_name: username }, creator: { full_name: username } };
  expect(await invoiceFor(shop, sale.id)).toMatchObject(named);
  const { rows } = await downloadSheet(`${SALES}?format=excel`, shop.director);
  const [heading = [], row = []] = rows;
  expect(row[heading.indexOf('Продавец')]).toBe(username);
});

test('amounts in dollars are by the rates of the sale, whatever they are now (Contract 9.29)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, STOCK);
  await setRate(shop, 'usd', 10_000);
  const sale = Made.parse((await sellOne(shop, id, 1, 5000)).body);
  await setRate(shop, 'usd', 20_000);
  expect(await invoiceFor(shop, sale.id)).toMatchObject({ rows: [{ amount_usd: 0.5 }] });
});

test('the debt of an invoice is of now, all four: the client’s debt, and the debt there would be without the sale (Contract 9.119)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, STOCK);
  const client = await addClient(shop);
  const ids = [];
  for (let times = 0; times < 3; times++) {
    const { body } = await call(`POST ${SALES}`, {
      token: shop.director,
      json: onDebt(shop, client, id, 5000),
    });
    ids.push(Made.parse(body).id);
  }
  for (const each of ids) {
    expect(await invoiceFor(shop, each)).toMatchObject({
      debt: { before: 10_000, added: 5000, written_off: 0, after: 15_000 },
      totals: {
        previous_debt: { uzs: 10_000, usd: 0.79 },
        current: { uzs: 5000, usd: 0.4 },
        total: { uzs: 15_000, usd: 1.19 },
      },
    });
  }
  // It goes to the first sale, which is due first.
  await payDebt(shop, client, { cash: 5000 });
  const [first, second] = await Promise.all(ids.map((each) => invoiceFor(shop, each)));
  expect(first).toMatchObject({ debt: { before: 10_000, added: 5000, written_off: 5000, after: 10_000 } });
  expect(second).toMatchObject({ debt: { before: 5000, added: 5000, written_off: 0, after: 10_000 } });
});

test('of sales on debt at the same moment each keeps the debt that it found (Contract 9.29)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, STOCK);
  const other = await make('/company/cashbox/cashbox', shop.director, { name: 'Desk 2', type: 'sale' });
  const client = await addClient(shop);
  const shops = [shop, { ...shop, cashboxId: other }, shop, { ...shop, cashboxId: other }];
  const sold = await Promise.all(
    shops.map((each) =>
      call(`POST ${SALES}`, { token: shop.director, json: onDebt(each, client, id, 5000) }),
    ),
  );
  const found = sold.map((reply) => reply.number('client_before.debt'));
  expect(found.sort((a, b) => a - b)).toEqual([0, 5000, 10_000, 15_000]);
});

test('bonuses before are all the client had, written off are those that the sale spent (Contract 9.70)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, STOCK);
  const client = await addClient(shop);
  await giveBonuses(shop, client, 350_000);
  const products = [{ product_id: id, sold_quantity: 1 }];
  const transactions = [{ payment_type: 'bonus', amount: 1000 }, ...cash(4000)];
  const sale = await sell(shop, { client_id: client, products, transactions });
  await giveBonuses(shop, client, 700_000);
  expect(await invoiceFor(shop, sale.id)).toMatchObject({
    balance: { before: 3500, added: 0, written_off: 1000, after: 2500 },
    debt: { before: 0, added: 0, written_off: 0, after: 0 },
  });
});

test('a row is as high as its longest text takes, so that none is printed over another', async () => {
  const shop = await newShop();
  const name = 'Холодильник двухкамерный с морозильной камерой, серебристый, 345 литров';
  const id = await newGoods(shop, STOCK, { name });
  const sale = Made.parse((await sellOne(shop, id, 1, 5000)).body);
  const { sheet } = await downloadSheet(`${SALES}/${sale.id}/print`, shop.director);
  expect([4, 5, 6].map((row) => sheet.getRow(row).height)).toEqual([15, 45, 15]);
});

test('an invoice with format=excel is a sheet of A4, ready for the printer', async () => {
  const shop = await newShop();
  const { sale } = await richSale(shop);
  const { sheet, rows, filename } = await downloadSheet(
    `${SALES}/${sale.id}/invoice?format=excel`,
    shop.director,
  );
  expect(filename).toBe(`Накладная ${sale.id}.xlsx`);
  expect(sheet.pageSetup).toMatchObject({
    paperSize: 9,
    orientation: 'portrait',
    fitToPage: true,
    fitToWidth: 1,
    fitToHeight: 0,
  });
  expect(sheet.pageSetup.margins).toMatchObject({ left: 0.4, right: 0.4, top: 0.5, bottom: 0.6 });
  const texts = rows.map(([first]) => first);
  expect(texts.slice(0, 7)).toEqual([
    `Накладная #${sale.id} ${sale.created_at}`,
    'Магазин: Savdo',
    'Продавец: Test',
    'Кассир: Test',
    'Клиент: Aziz',
    'Телефон клиента: 998901112233',
    null,
  ]);
  const heading = texts.indexOf('Поз.');
  expect(sheet.pageSetup.printTitlesRow).toBe(`${heading + 1}:${heading + 1}`);
  expect(rows.slice(heading, heading + 8)).toEqual([
    ['Поз.', 'Категория', 'Товар', 'Количество', 'Цена', 'Сумма, UZS', 'В USD'],
    [1, 'Напитки', 'Сок', 0.5, 7000.5, 3500.25, 0.28],
    [2, 'Напитки', '=Вода', 2, 5000, 9900, 0.78],
    [3, 'Напитки', 'Сок', 2, 7000.5, 14_001, 1.11],
    [4, 'Напитки', '=Вода', 2, 5000, 10_000, 0.79],
    [null, null, 'Итого', 6.5, null, 37_401.25, 2.96],
    [null, null, 'Прежний долг', null, null, 0, 0],
    [null, null, 'Всего с долгом', null, null, 37_401.25, 2.96],
  ]);
  const thin = { style: 'thin' };
  expect(sheet.getCell(heading + 2, 6)).toMatchObject({ numFmt: '#,##0.00' });
  expect(sheet.getCell(heading + 2, 2).border).toEqual({ top: thin, left: thin, bottom: thin, right: thin });
  expect(texts.slice(heading + 9, heading + 19)).toEqual([
    'В том числе НДС 12 %',
    'Оплачено: Наличные, UZS',
    'Бонусы до покупки, UZS',
    'Начислено бонусов, UZS',
    'Списано бонусов, UZS',
    'Бонусы после покупки, UZS',
    'Долг до покупки, UZS',
    'Добавлено к долгу, UZS',
    'Погашено, UZS',
    'Долг после, UZS',
  ]);
  expect(texts).toContain('Сумма прописью: Тридцать семь тысяч четыреста один сум 25 тийин');
});

test('a sheet to print has the signs of a name that a workbook may hold, as they are', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, STOCK);
  // A name from before such characters were rejected in names.
  const card = recordKey('product', familyTenant(shop.companyId), id);
  await transact([update(card, { set: { name: 'Вода\uFFFE _x0041_' } })]);
  const sale = Made.parse((await sellOne(shop, id, 1, 5000)).body);
  for (const form of ['print', 'invoice?format=excel']) {
    const { rows } = await downloadSheet(`${SALES}/${sale.id}/${form}`, shop.director);
    expect(rows.map((row) => row[2])).toContain('Вода _x0041_');
  }
});

test('the sheet tells what the invoice settings let it (Contract 9.61)', async () => {
  const shop = await newShop();
  const { sale } = await richSale(shop);
  const invoice_settings = {
    header: { seller: false, client_phone: false, date: false },
    working_hours: '09:00–18:00',
    balance: { enabled: false },
    debt: { added: false, written_off: false },
  };
  const json = { invoice_settings };
  expect((await call('PUT /company/company/settings', { token: shop.director, json })).status).toBe(200);
  expect(await invoiceFor(shop, sale.id)).toMatchObject({ settings: invoice_settings });
  const { rows } = await downloadSheet(`${SALES}/${sale.id}/invoice?format=excel`, shop.director);
  const texts = rows.map(([first]) => first);
  expect(texts.slice(0, 5)).toEqual([
    `Накладная #${sale.id}`,
    'Магазин: Savdo',
    'Часы работы: 09:00–18:00',
    'Кассир: Test',
    'Клиент: Aziz',
  ]);
  expect(rows.map((row) => row[2])).toContain('Прежний долг');
  const hidden = { invoice_settings: { debt: { enabled: false } } };
  await call('PUT /company/company/settings', { token: shop.director, json: hidden });
  const plain = await downloadSheet(`${SALES}/${sale.id}/invoice?format=excel`, shop.director);
  expect(plain.rows.map((row) => row[2])).not.toContain('Прежний долг');
  const summary = texts.filter((text) => /Бонусы|бонусов|Долг|долгу|Погашено/.test(String(text)));
  expect(summary).toEqual(['Долг до покупки, UZS', 'Долг после, UZS']);
});

test('print, the invoice’s sheet and check-detail show the fiscal sign of a sale that has one (Part 4, 4.6 (4))', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, STOCK);
  const sellWith = async (sign?: string) => {
    const fiscal = { terminal_id: 'T1', receipt_number: '17', sign, fiscalized_at: '2026-11-23 10:00:00' };
    const products = [{ product_id: id, sold_quantity: 1 }];
    return (await sell(shop, { products, transactions: cash(5000), fiscal })).id;
  };
  const [signed, unsigned] = [await sellWith('9876'), await sellWith()];
  for (const form of ['print', 'invoice?format=excel']) {
    const shows = async (sale: number) => {
      const { rows } = await downloadSheet(`${SALES}/${sale}/${form}`, shop.director);
      return rows.map(([first]) => String(first)).filter((text) => text.includes('признак'));
    };
    expect(await shows(signed)).toEqual(['Фискальный признак: 9876']);
    expect(await shows(unsigned)).toEqual([]);
  }
  const signOf = async (sale: number) =>
    (await call(`GET ${SALES}/${sale}/check-detail`, { token: shop.director })).body;
  expect(await signOf(signed)).toMatchObject({ fiscal: { sign: '9876' } });
  expect(await signOf(unsigned)).toMatchObject({ fiscal: { sign: null } });
});

test('LibreOffice opens the sheets, and prints them', async ({ skip }) => {
  skip(WITHOUT_OFFICE !== undefined, WITHOUT_OFFICE);
  const shop = await newShop();
  const { sale } = await richSale(shop);
  const lines = await downloadBytes(`${SALES}/${sale.id}/print`, shop.director);
  expect((await officeOpens(lines, 'csv')).toString()).toContain('=Вода');
  const invoice = await downloadBytes(`${SALES}/${sale.id}/invoice?format=excel`, shop.director);
  expect((await officeOpens(invoice, 'pdf')).subarray(0, 5).toString()).toBe('%PDF-');
});

test('a card of a sale has all that belongs to it (Contract 9.69)', async () => {
  const shop = await newShop();
  const { sale, client, juice } = await richSale(shop);
  const { director: token, cashboxId } = shop;
  const [transfer_id] = await idsOf(`/company/cashbox/cashbox/${cashboxId}/transfers`, token);
  const { status, body } = await call(`GET ${SALES}/${sale.id}/check-detail`, { token });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id: sale.id,
    code: `#${sale.id}`,
    sold_amount: 37_401.25,
    transactions: [
      {
        payment_type: 'cash',
        amount: 37_401.25,
        currency: 'uzs',
        counted_amount: 37_401.25,
        transfer_id,
        debt_id: null,
      },
    ],
    cashbox: { id: shop.cashboxId, name: 'Desk 1' },
    cashier: { id: shop.directorId, profile: { full_name: 'Test' } },
    client: { id: client, full_name: 'Aziz' },
    client_before: { bonus: 0, debt: 0 },
    returns: [],
    exchange_of_sale: null,
    exchanges: [],
  });
  const { products } = z.object({ products: z.array(z.looseObject({ product_id: z.int() })) }).parse(body);
  expect(products).toHaveLength(4);
  expect(products[0]).toMatchObject({
    product_id: juice,
    product: { full_text: 'Сок' },
    returned_quantity: 0,
  });
});

test('a card of a sale has all sales that it was exchanged into (Contract 9.69)', async () => {
  const shop = await newShop();
  const { sale } = await richSale(shop);
  const tenant = familyTenant(shop.companyId);
  const count = 101;
  const [firstReturn, firstSale] = await Promise.all([
    nextId(SALE_RETURN, tenant, count),
    nextId(sales.type, tenant, count),
  ]);
  const writes = Array.from({ length: count }, (_, index) => {
    const id = firstSale + index;
    const linked = { exchange_of_sale_id: sale.id, cashbox_id: shop.cashboxId, code: `#${id}` };
    return [
      ...returnWrites(tenant, exchangedInto(id, { id: firstReturn + index, sale_id: sale.id })),
      documentInsertion(sales, tenant, newSaleOf({ id, ...linked })),
    ];
  });
  await Promise.all(splitEvery(writes, 25).map((some) => transact(some.flat())));
  const { body } = await call(`GET ${SALES}/${sale.id}/check-detail`, { token: shop.director });
  const { exchanges } = z.object({ exchanges: z.array(z.object({ id: z.int() })) }).parse(body);
  expect(exchanges.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, at) => firstSale + at));
});

/** Creates the history's entry of an exchange of a line. */
function exchangedInto(exchange_sale_id: number, of: Pick<SaleReturn, 'id' | 'sale_id'>): SaleReturn {
  const line = { id: 1, product_id: 1, returned_quantity: 1, reason_type: null, comment: null };
  return {
    ...of,
    ...{ cashbox_id: 1, stock_id: 1, origins: [], passed_on_bonus_amount: 0 },
    ...{ kind: 'exchange', exchange_sale_id, amount: 0, transactions: [], debt_amount: 0 },
    ...{ products: [{ ...line, amount: 0, cost: 0, batches: [] }], exchanged_amount: 0 },
    ...{ passed_on_amount: 0, bonus_amount: 0, ...makerOf({ id: 1 }), created_at: 0 },
  };
}

test('a form of a sale that is missing, of another family or of another desk is 404', async () => {
  const shop = await newShop();
  const { sale } = await richSale(shop);
  const stranger = await newFamily();
  const other = await make('/company/cashbox/cashbox', shop.director, { name: 'Desk 2', type: 'sale' });
  const rights = ['print', 'invoice', 'check-detail'].map((form) => `company.trade.sale.${form}`);
  const given = { cashbox_ids: [other], are_all_companies_available: true };
  const cashier = await newEmployee(shop, rights, given);
  for (const form of ['print', 'invoice', 'check-detail']) {
    for (const token of [stranger.director, cashier]) {
      expect((await call(`GET ${SALES}/${sale.id}/${form}`, { token })).status).toBe(404);
    }
    expect((await call(`GET ${SALES}/999/${form}`, { token: shop.director })).status).toBe(404);
  }
});

test('an invoice adds up more pieces, and sums of another currency, than a number counts in parts', async () => {
  const shop = await newShop();
  const ids = await Promise.all(
    Array.from({ length: 10 }, () =>
      newGoods(shop, [{ quantity: 10_000_000, cost: 0 }], { sale_price: 0.01 }),
    ),
  );
  const { id } = await sell(shop, {
    products: ids.map((product_id) => ({ product_id, sold_quantity: 10_000_000 })),
    transactions: cash(1_000_000),
  });
  expect(await invoiceFor(shop, id)).toMatchObject({
    totals: { quantity: 100_000_000, current: { uzs: 1_000_000 } },
  });
  const { rows } = await downloadSheet(`${SALES}/${id}/invoice?format=excel`, shop.director);
  expect(rows).toContainEqual(expect.arrayContaining([100_000_000, 1_000_000]));
});
