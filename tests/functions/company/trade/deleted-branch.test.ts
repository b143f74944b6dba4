import { expect, test } from 'vitest';
import { newCatalog } from '#tests/support/catalog.ts';
import { addClient } from '#tests/support/clients.ts';
import { lend, newWater, payDebt, paying } from '#tests/support/debts.ts';
import { newFamilyWithBranch, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import {
  COLLECTIONS,
  collectFromTill,
  newIdOf,
  OPERATIONS,
  operate,
  postingsAt,
  type Till,
} from '#tests/support/operations.ts';
import { errorWith, make } from '#tests/support/records.ts';
import { linesOfSale } from '#tests/support/returns.ts';
import { SHIFTS } from '#tests/support/shifts.ts';
import { newGoods, saleBody, sellOne } from '#tests/support/shop.ts';
import { newWarehouse, PURCHASES, receiveGoods } from '#tests/support/stock.ts';
import { count, INVENTORIES, startStocktake } from '#tests/support/stocktakes.ts';
import { holdGoods, readHold } from '#tests/support/trade.ts';
import { TRANSFERS } from '#tests/support/transfers.ts';
import { lineIdsOf, SUPPLIERS, WRITE_OFFS, writeOffAtOnce } from '#tests/support/write-offs.ts';

/** A branch's till and goods, as used by the main company's director, and the main company's own. */
interface Branch extends Till {
  readonly branch: number;
  readonly branchDirector: string;
  readonly goods: number;
  readonly supplierId: number;
  readonly clientId: number;
  readonly mainStock: number;
  readonly mainTill: number;
}

type Attempt = Parameters<typeof call>;

/** Creates the records of a call while the branch exists, and returns the call. */
type Row = (branch: Branch) => Promise<Attempt> | Attempt;

async function newBranch(): Promise<Branch> {
  const family = await newFamilyWithBranch();
  const { director: token, branch: company_id } = family;
  const catalog = await newCatalog(family);
  const desk = '/company/cashbox/cashbox';
  const [stockId, mainStock, cashboxId, mainTill, income, outcome, supplierId] = await Promise.all([
    newWarehouse(token, 'Филиал', { company_id }),
    newWarehouse(token, 'Главный'),
    make(desk, token, { name: 'Касса филиала', type: 'sale', company_id }),
    make(desk, token, { name: 'Касса', type: 'sale' }),
    make('/company/cashbox/reason', token, { type: 'income', name: 'Взнос' }),
    make('/company/cashbox/reason', token, { type: 'outcome', name: 'Аренда' }),
    make(SUPPLIERS, token, { name: 'Ферма' }),
  ]);
  const till = { ...family, catalog, token, stockId, cashboxId, income, outcome, mainId: 2 };
  const goods = await newGoods(till, [{ quantity: 1000, cost: 100 }], { sale_price: 1000 });
  await receiveGoods(token, {
    stock_id: mainStock,
    products: [{ product_id: goods, quantity: 10, cost: 100 }],
  });
  const clientId = await addClient(till);
  await operate(till, 'income', 100_000);
  await operate(till, 'income', 100_000, { cashbox_id: mainTill });
  return { ...till, mainStock, mainTill, goods, supplierId, clientId };
}

async function setDeleted(company: number, isDeleted: boolean): Promise<void> {
  const token = await newSuperAdministrator();
  const address = `DELETE /admin/company/company/${company}` as const;
  expect((await call(isDeleted ? address : `${address}/restore`, { token })).status).toBe(200);
}

const one = ({ goods: product_id }: Branch) => ({ product_id, quantity: 1 });

const receipt = ({ stockId: stock_id, supplierId: supplier_id, goods }: Branch) => ({
  stock_id,
  supplier_id,
  currency: 'uzs',
  products: [{ product_id: goods, quantity: 20, cost: 100 }],
});

const sale = (branch: Branch, given: object = {}) =>
  saleBody(branch, {
    products: [{ product_id: branch.goods, sold_quantity: 1 }],
    transactions: [{ payment_type: 'cash', amount: 1000 }],
    ...given,
  });

const sold = async (branch: Branch) => newIdOf(await sellOne(branch, branch.goods, 1, 1000));

const held = async (branch: Branch) => newIdOf(await holdGoods(branch, { products: [one(branch)] }));

async function writeOff({ token, stockId: stock_id, ...branch }: Branch) {
  const products = [{ product_id: branch.goods, quantity: 1, cost: 100 }];
  const [batch] = await lineIdsOf(token, await receiveGoods(token, { stock_id, products }));
  const line = { product_id: branch.goods, source_product_id: batch, quantity: 1, reason: 'common_loss' };
  return { source_type: 'stock', source_id: stock_id, name: 'Бой', products: [line] };
}

const sent = (branch: Branch, from_stock_id: number, to_stock_id: number) => ({
  from_stock_id,
  to_stock_id,
  products: [one(branch)],
});

const cash = { payment_type: 'cash', currency: 'uzs', amount: 10 };

const moved = (from_cashbox_id: number, to_cashbox_id: number) => ({
  from_cashbox_id,
  to_cashbox_id,
  ...cash,
});

/** Starts a stocktake of a warehouse of its own, which closes that warehouse. */
async function counting(branch: Branch, name: string) {
  const stockId = await newWarehouse(branch.token, name, { company_id: branch.branch });
  await receiveGoods(branch.token, { ...receipt(branch), stock_id: stockId });
  const shop = { ...branch, stockId };
  const id = await startStocktake(shop);
  expect(await count(shop, id, [[branch.goods, 20]])).toMatchObject({ status: 200 });
  return id;
}

/** Calls that sell, hold, receive, count or bring in money. */
const COMING: Readonly<Record<string, Row>> = {
  sale: (branch) => ['POST /company/trade/sale', { json: sale(branch) }],
  'sale of a hold': async (branch) => [
    'POST /company/trade/sale',
    { json: sale(branch, { hold_id: await held(branch), products: [] }) },
  ],
  exchange: async (branch) => {
    const id = await sold(branch);
    const [line] = await linesOfSale(branch, id);
    const returned_products = [{ id: line?.id, reason_type: 'defective', returned_quantity: 1 }];
    const given = { company_id: branch.branch, returned_products, transactions: [] };
    return [`POST /company/trade/sale/${id}/exchange`, { json: sale(branch, given) }];
  },
  hold: (branch) => {
    const { cashboxId: cashbox_id, stockId: stock_id } = branch;
    const json = { cashbox_id, stock_id, full_name: 'Aziz', date: null, cheque: 1, products: [one(branch)] };
    return ['POST /company/trade/hold', { json }];
  },
  'more in a hold': async (branch) => [
    `PATCH /company/trade/hold/${await held(branch)}/update-products`,
    { json: { products: [{ ...one(branch), quantity: 2 }], bundle_keys: [] } },
  ],
  'goods of a cheque in a hold': async (branch) => [
    `PATCH /company/trade/hold/${await held(branch)}/add-products`,
    { json: { cashbox_id: branch.cashboxId, cheque: 1, products: [one(branch)] } },
  ],
  'receipt, new': (branch) => [`POST ${PURCHASES}`, { json: receipt(branch) }],
  'receipt, edited': async (branch) => {
    const json = receipt(branch);
    return [`PUT ${PURCHASES}/${await make(PURCHASES, branch.token, json)}`, { json }];
  },
  'receipt, completed': async (branch) => [
    `PATCH ${PURCHASES}/${await make(PURCHASES, branch.token, receipt(branch))}/complete`,
    {},
  ],
  'transfer to it': (branch) => [
    `POST ${TRANSFERS}`,
    { json: sent(branch, branch.mainStock, branch.stockId) },
  ],
  'transfer to it, completed': async (branch) => [
    `PATCH ${TRANSFERS}/${await make(TRANSFERS, branch.token, sent(branch, branch.mainStock, branch.stockId))}/complete`,
    {},
  ],
  'count, started': ({ stockId: stock_id }) => [`POST ${INVENTORIES}`, { json: { stock_id, type: 'full' } }],
  'count, positions': async (branch) => [
    `PATCH ${INVENTORIES}/${await counting(branch, 'Учёт 1')}/add-products`,
    { json: { products_tmp: [{ stock_product_id: 3, actual_quantity: 1 }] } },
  ],
  'count, completed': async (branch) => [
    `PATCH ${INVENTORIES}/${await counting(branch, 'Учёт 2')}/complete`,
    {},
  ],
  income: ({ cashboxId: cashbox_id, income: reason_id }) => [
    `POST ${OPERATIONS}`,
    { json: { cashbox_id, type: 'income', reason_id, ...cash } },
  ],
  'money moved to it': ({ mainTill, cashboxId }) => [
    `POST ${OPERATIONS}/transfer`,
    { json: moved(mainTill, cashboxId) },
  ],
  'payment of a debt': async (branch) => {
    await lend(branch, { client: branch.clientId, water: await newWater(branch), amount: 1000 });
    return ['POST /company/client/debt-payment', { json: paying(branch, branch.clientId, { cash: 10 }) }];
  },
};

/** Calls that take out goods or money, and reversals. */
const GOING: Readonly<Record<string, Row>> = {
  return: async (branch) => {
    const id = await sold(branch);
    return [
      `PATCH /company/trade/sale/${id}/return`,
      { json: { transactions: [{ payment_type: 'cash', amount: 1000 }] } },
    ];
  },
  'less in a hold': async (branch) => {
    const id = newIdOf(await holdGoods(branch, { products: [{ ...one(branch), quantity: 2 }] }));
    expect(await readHold(branch, id)).toMatchObject({ status: 'in_progress' });
    const json = { products: [one(branch)], bundle_keys: [] };
    return [`PATCH /company/trade/hold/${id}/update-products`, { json }];
  },
  'hold, canceled': async (branch) => [`PATCH /company/trade/hold/${await held(branch)}/cancel`, {}],
  'receipt, canceled': async (branch) => [
    `PATCH ${PURCHASES}/${await receiveGoods(branch.token, receipt(branch))}/cancel`,
    {},
  ],
  'write-off, new': async (branch) => [`POST ${WRITE_OFFS}`, { json: await writeOff(branch) }],
  'write-off, completed': async (branch) => [
    `PATCH ${WRITE_OFFS}/${await make(WRITE_OFFS, branch.token, await writeOff(branch))}/complete`,
    {},
  ],
  'write-off, canceled': async (branch) => [
    `PATCH ${WRITE_OFFS}/${await writeOffAtOnce(branch.token, await writeOff(branch))}/cancel`,
    {},
  ],
  'transfer from it': (branch) => [
    `POST ${TRANSFERS}`,
    { json: sent(branch, branch.stockId, branch.mainStock) },
  ],
  'transfer from it, completed': async (branch) => [
    `PATCH ${TRANSFERS}/${await make(TRANSFERS, branch.token, sent(branch, branch.stockId, branch.mainStock))}/complete`,
    {},
  ],
  'transfer from it, canceled': async (branch) => [
    `PATCH ${TRANSFERS}/${await make(TRANSFERS, branch.token, sent(branch, branch.stockId, branch.mainStock))}/cancel`,
    {},
  ],
  'count, canceled': async (branch) => [
    `PATCH ${INVENTORIES}/${await counting(branch, 'Учёт 3')}/cancel`,
    {},
  ],
  expense: ({ cashboxId: cashbox_id, outcome: reason_id }) => [
    `POST ${OPERATIONS}`,
    { json: { cashbox_id, type: 'outcome', reason_id, ...cash } },
  ],
  'income, returned': async (branch) => [
    `PATCH ${OPERATIONS}/${newIdOf(await operate(branch, 'income', 10))}/return`,
    {},
  ],
  'income, canceled': async (branch) => [
    `PATCH ${OPERATIONS}/${newIdOf(await operate(branch, 'income', 10))}/cancel`,
    { json: { cancel_comment: 'Ошибка' } },
  ],
  'money moved from it': ({ mainTill, cashboxId }) => [
    `POST ${OPERATIONS}/transfer`,
    { json: moved(cashboxId, mainTill) },
  ],
  conversion: ({ cashboxId: cashbox_id }) => {
    const amounts = { from_currency: 'uzs', from_amount: 130, to_currency: 'usd', to_amount: 0.01 };
    return [`POST ${OPERATIONS}/conversion`, { json: { cashbox_id, payment_type: 'cash', ...amounts } }];
  },
  collection: ({ cashboxId: cashbox_id }) => [`POST ${COLLECTIONS}`, { json: { cashbox_id, items: [cash] } }],
  'collection, confirmed': async (branch) => [
    `PATCH ${COLLECTIONS}/${newIdOf(await collectFromTill(branch, 10))}/confirm`,
    {},
  ],
  'collection, canceled': async (branch) => {
    await collectFromTill(branch, 10);
    const transfers = await postingsAt(branch, branch.cashboxId);
    const json = { cancel_comment: 'Ошибка' };
    return [`PATCH ${OPERATIONS}/${transfers.at(-1)?.id}/cancel`, { json }];
  },
  'payment to a supplier': ({ cashboxId: cashbox_id, supplierId }) => [
    `POST ${SUPPLIERS}/${supplierId}/payment`,
    { json: { cashbox_id, ...cash } },
  ],
  'refund of a debt payment': async (branch) => {
    const client = await addClient(branch, '998907778899');
    await lend(branch, { client, water: await newWater(branch), amount: 1000 });
    const [payment] = await payDebt(branch, client, { cash: 10 });
    return [`POST /company/client/debt-payment/${payment?.id}/refund`, {}];
  },
};

/** Prepares all calls of a table, one after the other. */
async function prepare(branch: Branch, rows: Readonly<Record<string, Row>>) {
  const attempts: [string, Attempt][] = [];
  for (const [name, row] of Object.entries(rows)) attempts.push([name, await row(branch)]);
  return attempts;
}

async function answers(token: string, attempts: readonly [string, Attempt][]) {
  const all: [string, unknown][] = [];
  for (const [name, [request, given]] of attempts) {
    const { status, body } = await call(request, { ...given, token });
    all.push([name, status === 200 ? status : { status, body }]);
  }
  return Object.fromEntries(all);
}

const each = (rows: Readonly<Record<string, Row>>, answer: unknown) =>
  Object.fromEntries(Object.keys(rows).map((name) => [name, answer]));

test('in a deleted branch nothing is sold, held, received, counted or brought in, by any caller (Contract 9.83)', async () => {
  const branch = await newBranch();
  const attempts = await prepare(branch, COMING);
  await setDeleted(branch.branch, true);
  const refused = each(COMING, errorWith('auth.company_inactive'));
  expect(await answers(branch.token, attempts)).toEqual(refused);
  expect(await answers(branch.branchDirector, attempts)).toEqual(refused);
  await setDeleted(branch.branch, false);
  expect((await sellOne(branch, branch.goods, 1, 1000)).status).toBe(200);
});

test('goods and money leave a deleted branch, and what was done is undone (Contract 9.83)', async () => {
  const branch = await newBranch();
  const attempts = await prepare(branch, GOING);
  await setDeleted(branch.branch, true);
  expect(await answers(branch.branchDirector, attempts)).toEqual(
    each(GOING, errorWith('auth.company_inactive')),
  );
  expect(await answers(branch.token, attempts)).toEqual(each(GOING, 200));
});

test('a shift is opened in a deleted branch to take its money out, but brings no change (Contract 9.83)', async () => {
  const branch = await newBranch();
  const { token, cashboxId: cashbox_id, stockId: stock_id, branchDirector } = branch;
  const json = { cashbox_shift_settings: { is_enabled: true } };
  expect((await call('PUT /company/company/settings', { token: branchDirector, json })).status).toBe(200);
  await setDeleted(branch.branch, true);
  const bringing = { cashbox_id, stock_id, opening_balances: [cash] };
  expect(await call(`POST ${SHIFTS}`, { token, json: bringing })).toMatchObject(
    errorWith('auth.company_inactive'),
  );
  expect((await call(`POST ${SHIFTS}`, { token, json: { cashbox_id, stock_id } })).status).toBe(200);
  expect(await operate(branch, 'outcome', 10)).toMatchObject({ status: 200 });
});
