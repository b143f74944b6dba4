import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { clientBalancesKey } from '#lib/clients/client-balances.ts';
import type { SyncType } from '#lib/records/sync-type.ts';
import { bytesOf, update } from '#lib/table/change/write.ts';
import { familyTenant, sequencesKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { makeSideCatalog } from '#tests/support/catalog.ts';
import { addClient } from '#tests/support/clients.ts';
import { BODIES } from '#tests/support/contract.ts';
import { lend, newWater, payDebt } from '#tests/support/debts.ts';
import { newFamilyWithBranch } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { newProgramKey } from '#tests/support/program-keys.ts';
import { make } from '#tests/support/records.ts';
import { reprice, repricingRow } from '#tests/support/repricing.ts';
import { back, linesOfSale, sendReturn } from '#tests/support/returns.ts';
import { correctTo } from '#tests/support/sale-tenders.ts';
import { beginShift, enableShifts, endShift } from '#tests/support/shifts.ts';
import { addMoney, newGoods, newShop, type Shop, sellOne } from '#tests/support/shop.ts';
import { newCards, newWarehouse, PURCHASES, receiveGoods } from '#tests/support/stock.ts';
import { count, endStocktake, newStoreForStocktake, startStocktake } from '#tests/support/stocktakes.ts';
import { expectAsListed, SyncReader, TYPES } from '#tests/support/sync.ts';
import { holdGoods } from '#tests/support/trade.ts';
import { TRANSFERS } from '#tests/support/transfers.ts';
import { lineIdsOf, WRITE_OFFS } from '#tests/support/write-offs.ts';

const read = (token: string, types: readonly SyncType[]) => new SyncReader(token, { types }).catchUp();

let shop: Shop;
let client: number;
let sale: number;

async function makeCatalog({ director: token }: Shop, parts: readonly number[]): Promise<void> {
  const products = parts.map((product_id) => ({ product_id, quantity: 1 }));
  await makeSideCatalog(token);
  await make('/company/product/bundle', token, { name: 'Ikkovi', price: 7000, products });
  for (const [path, body] of Object.entries(BODIES)) await make(path, token, body);
  await make('/company/cashbox/reason', token, { type: 'income', name: 'Boshqa' });
}

async function makeDocuments({ director: token, stockId }: Shop, goods: readonly number[]): Promise<void> {
  const supplier_id = await make('/company/stock/supplier', token, { name: 'Ferma' });
  const bought = goods.map((product_id) => ({ product_id, quantity: 20, cost: 2 }));
  const receipt = await receiveGoods(token, { stock_id: stockId, supplier_id, products: bought });
  const batches = await lineIdsOf(token, receipt);
  const costs = { products: [{ id: batches[0], cost: 3 }], comment: 'Xato' };
  await call(`PATCH ${PURCHASES}/${receipt}/correct-cost`, { token, json: costs });
  const products = goods.map((product_id) => ({ product_id, quantity: 2 }));
  await make(TRANSFERS, token, {
    from_stock_id: stockId,
    to_stock_id: await newWarehouse(token, 'Ikkinchi'),
    products,
  });
  await make(WRITE_OFFS, token, {
    ...{ source_type: 'stock', source_id: stockId, name: 'Singan' },
    products: products.map((line, index) => ({
      ...{ ...line, source_product_id: batches[index], reason: 'common_loss' },
    })),
  });
  await holdGoods(shop, { products });
  await reprice(
    shop,
    goods.slice(1).map((id) => repricingRow(id)),
  );
}

beforeAll(async () => {
  shop = await newShop();
  const water = await newWater(shop);
  const goods = [water, await newGoods(shop, [{ quantity: 5, cost: 100 }], { sale_price: 1000 })];
  await makeCatalog(shop, goods);
  await makeDocuments(shop, goods);
  client = await make('/company/client/client', shop.director, {
    full_name: 'Aziz',
    main_phone: '998901112233',
  });
  await make(`/company/client/client/${client}/deposit-correction`, shop.director, {
    ...{ currency: 'usd', amount: 5, comment: 'Из тетради' },
  });
  sale = await lend(shop, { client, water, amount: 100, cash: 40 });
  const [paid] = await payDebt(shop, client, { cash: 10 });
  const writeOff = { token: shop.director, json: { amount: 5, comment: 'Не вернёт' } };
  await call(`PATCH /company/client/debt/${paid?.debt_id}/write-off`, writeOff);
  const [line] = await linesOfSale(shop, sale);
  expect((await sendReturn(shop, sale, back({ [line?.id ?? 0]: 5 }))).status).toBe(200);
  const paidInCash = (await sellOne(shop, water, 5, 1)).number('id');
  expect((await correctTo({ token: shop.director }, paidInCash, { card: 5 })).status).toBe(200);
  await startStocktake(shop);
  await enableShifts(shop);
  const shift = await beginShift(shop);
  await endShift(shop, shift, { closing_action: 'transfer_all' });
});

test('a record of each type is what its list gives of the row, and nobody is embedded (Part 4, 4.1 (2))', async () => {
  const copy = await read(shop.director, TYPES);
  for (const type of TYPES) expect([type, copy.of(type).length > 0]).toEqual([type, true]);
  await expectAsListed(copy, shop.director);
  const embeds = /"(creator|updater|company|cashbox|stock|from_stock|to_stock|client|product|sale|debt)":\{/;
  for (const type of TYPES) expect([type, embeds.exec(JSON.stringify(copy.of(type)))]).toEqual([type, null]);
});

test('the counters of a family that has one of everything take a unit a draw', async () => {
  const counters = await getItem(sequencesKey(familyTenant(shop.companyId)));
  expect(Object.keys(counters ?? {}).length).toBeGreaterThan(30);
  // Ids of a family grow to some billions: three bytes more each.
  const grown = Object.keys(counters ?? {}).length * 3;
  expect(bytesOf(counters ?? {}) + grown).toBeLessThan(1024);
});

test('types come in the order asked, each by id', async () => {
  const types: readonly SyncType[] = ['trade.sale', 'product.unit', 'product.product'];
  const copy = await read(shop.director, types);
  const first = copy.pages.flat().map(({ type, id }) => [types.indexOf(type), id] as const);
  expect(first).toEqual(first.toSorted(([a, b], [c, d]) => a - c || b - d));
  expect(first[0]?.[0]).toBe(0);
});

test('a company has these fields, and no others: never its UUIDs', async () => {
  const [company] = (await read(shop.director, ['company.company'])).of('company.company');
  const fields = ['id', 'parent_id', 'name', 'company_name', 'inn', 'address', 'phone', 'is_deleted'];
  expect(Object.keys(company ?? {}).sort()).toEqual(fields.sort());
});

test('a user has a name and these fields alone, and a key of 4.3 is among them', async () => {
  const { id } = await newProgramKey(shop, []);
  const users = (await read(shop.director, ['user.user'])).of('user.user');
  const fields = ['id', 'type', 'first_name', 'last_name', 'full_name', 'is_deleted'];
  for (const user of users) expect(Object.keys(user).sort()).toEqual(fields.toSorted());
  expect(users.find((user) => user.id === id)).toMatchObject({ type: 'key', full_name: '1C' });
  expect(users.map((user) => user.id)).toContain(shop.directorId);
});

test('a client has its debts by currency and its bonuses by the day from which they may be spent, null: already (Part 4, 4.1 (2))', async () => {
  const bonuses = {
    uzs: { spendable: 500, waiting: { '2099-01-31': 250 } },
    usd: { spendable: 7, waiting: {} },
  };
  await transact([update(clientBalancesKey(familyTenant(shop.companyId), client), { set: { bonuses } })]);
  const [record] = (await read(shop.director, ['client.client'])).of('client.client');
  expect(record).toMatchObject({
    ...{ id: client, debts: { uzs: 40, usd: 0, eur: 0, rub: 0 } },
    deposits: { uzs: 0, usd: 5, eur: 0, rub: 0 },
    bonuses: [
      { available_on: null, amount: 5 },
      { available_on: '2099-01-31', amount: 2.5 },
    ],
  });
  expect(record).not.toHaveProperty('bonus_entries_amount');
});

test('a document with lines has all of them as its GET has, without cards; a sale has its returns', async () => {
  const { director: token } = shop;
  const lined = [
    ...(['trade.sale', 'trade.hold', 'trade.purchase', 'trade.writeoff', 'trade.transfer'] as const),
    'trade.recalculation-batch',
  ] as const;
  const copy = await read(token, [...lined, 'trade.sale.return']);
  for (const type of lined) {
    const [record] = copy.of(type);
    const { body } = await call(`GET /company/${type.replaceAll('.', '/')}/${record?.id}`, { token });
    const { products } = z.object({ products: z.array(z.looseObject({})) }).parse(body);
    expect([type, record?.['products']]).toEqual([type, products.map(({ product: _, ...line }) => line)]);
    expect(products.length).toBeGreaterThan(0);
  }
  const sold = copy.of('trade.sale').find(({ id }) => id === sale);
  expect(sold?.['returns']).toEqual(copy.of('trade.sale.return'));
  expect(sold?.['returns']).toMatchObject([
    { sale_id: sale, amount: 5, products: [{ returned_quantity: 5 }] },
  ]);
});

test('a count’s lines come once it is completed or canceled, before that products is null', async () => {
  const { shop: store, token, products } = await newStoreForStocktake();
  const types = ['trade.inventory'] as const;
  const id = await startStocktake(store);
  await count(store, id, [[products[0], 7]]);
  expect((await read(token, types)).entry('trade.inventory', id)?.record).toMatchObject({ products: null });
  await count(store, id, [
    [products[1], 20],
    [products[2], 30],
  ]);
  expect((await endStocktake(store, id, 'complete')).status).toBe(200);
  const { body } = await call(`GET /company/trade/inventory/${id}`, { token });
  const lines = z.object({ products: z.array(z.looseObject({ id: z.int() })) }).parse(body).products;
  const record = (await read(token, types)).entry('trade.inventory', id)?.record;
  expect(record?.['products']).toEqual(lines.map(({ product: _, ...line }) => line));
  expect(lines).toHaveLength(3);
  const other = await startStocktake(store);
  await endStocktake(store, other, 'cancel');
  const canceled = (await read(token, types)).entry('trade.inventory', other)?.record;
  expect(canceled).toMatchObject({ status: 'canceled', products: [] });
});

test('a shift’s summary comes once it is closed, in the caller’s language; before that it is null', async () => {
  const own = await newShop();
  const water = await newWater(own);
  await enableShifts(own);
  const id = await beginShift(own);
  await sellOne(own, water, 5, 1);
  const types = ['trade.cashbox-shift'] as const;
  const before = (await read(own.director, types)).entry('trade.cashbox-shift', id);
  expect(before?.record).toMatchObject({ status: 'open', summary: null });
  expect(before?.record).not.toHaveProperty('closes_in');
  const { summary } = await endShift(own, id);
  const after = (await read(own.director, types)).entry('trade.cashbox-shift', id);
  expect(after?.record).toMatchObject({ status: 'closed', summary });
  expect(after?.revision).toBeGreaterThan(before?.revision ?? 0);
  const { body } = await call(`GET /company/sync?types[]=${types[0]}`, {
    token: own.director,
    headers: { 'accept-language': 'uz' },
  });
  expect(JSON.stringify(body)).toContain('Нақд');
  expect(JSON.stringify(after)).toContain('Наличные');
});

test('debt_left, refused_sales and a collection’s transactions_data are left out (Part 4, 4.1 (2))', async () => {
  const own = await newShop();
  await addMoney(own, { cash_uzs: 1000 });
  await addClient(own);
  const items = [{ payment_type: 'cash', currency: 'uzs', amount: 10 }];
  await make('/company/cashbox/operation/collection', own.director, { cashbox_id: own.cashboxId, items });
  await enableShifts(own);
  await beginShift(own);
  const computed = {
    'client.client': 'debt_left',
    'trade.cashbox-shift': 'refused_sales',
    'cashbox.operation.collection': 'transactions_data',
  } as const;
  const copy = await read(own.director, [
    'client.client',
    'trade.cashbox-shift',
    'cashbox.operation.collection',
  ]);
  for (const type of ['client.client', 'trade.cashbox-shift', 'cashbox.operation.collection'] as const) {
    const [record] = copy.of(type);
    expect(record).toMatchObject({ id: expect.any(Number) });
    expect(record).not.toHaveProperty(computed[type]);
  }
});

test('the revision of a balance grows when its warehouse comes to another company (Part 4, 4.1 (3))', async () => {
  const { director: token, branch, ...family } = await newFamilyWithBranch();
  const [product_id] = await newCards({ ...family, director: token }, 1);
  const stock_id = await newWarehouse(token, 'Main');
  const receipt = await receiveGoods(token, { stock_id, products: [{ product_id, quantity: 1, cost: 2 }] });
  expect((await call(`PATCH ${PURCHASES}/${receipt}/cancel`, { token })).status).toBe(200);
  const [before] = (await read(token, ['stock.product'])).pages.flat();
  expect(before?.record).toMatchObject({ product_id, quantity: 0, company_id: family.companyId });
  const json = { name: 'Main', company_id: branch };
  expect((await call(`PUT /company/stock/stock/${stock_id}`, { token, json })).status).toBe(200);
  const [after] = (await read(token, ['stock.product'])).pages.flat();
  expect(after?.record).toMatchObject({ product_id, company_id: branch });
  expect(after?.revision).toBeGreaterThan(before?.revision ?? 0);
});
