import type { Reply } from '#bin/cli/person.ts';
import { keyOfCompany } from '#lib/people/company/known.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { dayOf } from '#lib/values/time.ts';
import { plantInTest } from './books.ts';
import { addClient } from './clients.ts';
import { lend, payDebt } from './debts.ts';
import { inCash, trySelling } from './foreign.ts';
import { call } from './http.ts';
import { REFUSED, refuseOne } from './offline.ts';
import { collectFromTill, newTill, operate, type Till } from './operations.ts';
import { make } from './records.ts';
import { addToDraft } from './repricing.ts';
import { linesOfSale, readReturnList, sendReturn } from './returns.ts';
import { beginShift, enableShifts } from './shifts.ts';
import { newGoods, saleBody } from './shop.ts';
import { newWarehouse, PURCHASES, receiveGoods } from './stock.ts';
import { count, INVENTORIES, rowIds, startStocktake } from './stocktakes.ts';
import { holdGoods } from './trade.ts';
import { TRANSFERS } from './transfers.ts';
import { lineIdsOf, SUPPLIERS, WRITE_OFFS } from './write-offs.ts';

const TODAY = dayOf(Date.now());

/** A shop with money, goods that a supplier has brought, and a client. */
interface Scene extends Till {
  readonly water: number;
  readonly supplierId: number;
  readonly receiptId: number;
  readonly batch: number;
  readonly client: number;
}

async function newScene(): Promise<Scene> {
  const till = await newTill(100_000);
  const { token, stockId: stock_id } = till;
  const water = await newGoods(till, [], { sale_price: 1 });
  const supplierId = await make(SUPPLIERS, token, { name: 'Ферма' });
  const products = [{ product_id: water, quantity: 1000, cost: 0.5 }];
  const receiptId = await receiveGoods(token, { stock_id, supplier_id: supplierId, products });
  const [batch = 0] = await lineIdsOf(token, receiptId);
  return { ...till, water, supplierId, receiptId, batch, client: await addClient(till) };
}

/** Closes the books of today, as if it were over: all that a test has made is of a closed day. */
async function closeToday({ companyId }: Scene): Promise<void> {
  const closed = { late_sale_days: 31, books_closed_on: TODAY, is_accuracy_checked: false };
  const key = keyOfCompany(companyId);
  if (key) await plantInTest(key, { sale_settings: closed });
  await plantInTest({ pk: `closed-books#${familyTenant(companyId)}`, sk: 'day' }, { closed_on: TODAY });
}

/** Operation on something of a past day: `make` makes that, and returns its id or the rest of the path. */
export interface PastOperation {
  readonly request: string;
  readonly of?: string;
  readonly make: (scene: Scene) => Promise<string | number>;
  readonly json?: (scene: Scene, id: string | number) => object | Promise<object>;
}

const comment = 'Ошибка';
const PIECE = (scene: Scene) => [{ product_id: scene.water, quantity: 1 }];
const SALE = '/company/trade/sale';
const SALE_OF_ONE = (scene: Scene) => trySelling(scene, [scene.water, 1], [inCash(1)]).then(idOf);

function idOf(reply: Reply): number {
  return reply.number('id');
}

const receiptOf = ({ water, stockId: stock_id }: Scene) => ({
  ...{ stock_id, currency: 'uzs' },
  products: [{ product_id: water, quantity: 10, cost: 2 }],
});

const writeOffOf = ({ water, stockId: source_id, batch: source_product_id }: Scene) => ({
  ...{ source_type: 'stock', source_id, name: 'Бой' },
  products: [{ product_id: water, source_product_id, quantity: 1, reason: 'common_loss' }],
});

const newWriteOff = (scene: Scene) => make(WRITE_OFFS, scene.token, writeOffOf(scene));
const newReceipt = (scene: Scene) => make(PURCHASES, scene.token, receiptOf(scene));
const send = async (scene: Scene) => {
  const to_stock_id = await newWarehouse(scene.token, 'Второй');
  const json = { from_stock_id: scene.stockId, to_stock_id, products: PIECE(scene) };
  return make(TRANSFERS, scene.token, json);
};
const setAside = (scene: Scene) => holdGoods(scene, { products: PIECE(scene) }).then(idOf);
const newDebt = ({ token, client: client_id }: Scene) =>
  make('/company/client/debt', token, { client_id, currency: 'uzs', amount: 5, due_date: TODAY, comment });
const newDeposit = ({ token, client }: Scene) =>
  make(`/company/client/client/${client}/deposit-correction`, token, { currency: 'uzs', amount: 5, comment });
const startCount = (scene: Scene) => startStocktake(scene, { type: 'partial', product_ids: [scene.water] });
const refuse = (scene: Scene) => refuseOne(scene, scene.water, `key-${Math.random()}`);
const returnOne = async (scene: Scene) => {
  const sale = await SALE_OF_ONE(scene);
  await sendReturn(scene, sale, { transactions: [inCash(1)] });
  const [back] = await readReturnList(scene, sale);
  return `${sale}/return/${back?.id}`;
};

const CANCEL = { cancel_comment: comment };
const FISCAL = { terminal_id: 'T1', receipt_number: '17', fiscalized_at: `${TODAY} 00:00:00` };

/** Cancels of a closed day's documents. Part 5, 5A.9, 1. */
export const CLOSED: readonly PastOperation[] = [
  {
    request: `PATCH ${PURCHASES}/{model}/cancel`,
    make: async (scene) => receiveGoods(scene.token, receiptOf(scene)),
  },
  {
    request: `PATCH ${WRITE_OFFS}/{model}/cancel`,
    make: async (scene) => {
      const id = await newWriteOff(scene);
      await call(`PATCH ${WRITE_OFFS}/${id}/complete`, { token: scene.token });
      return id;
    },
  },
  {
    request: 'PATCH /company/cashbox/operation/{model}/cancel',
    of: 'of an income',
    make: (scene) => operate(scene, 'income', 1).then(idOf),
    json: () => CANCEL,
  },
  {
    request: 'PATCH /company/cashbox/operation/{model}/cancel',
    of: 'of an expense',
    make: (scene) => operate(scene, 'outcome', 1).then(idOf),
    json: () => CANCEL,
  },
  {
    request: `PATCH ${SALE}/{model}/tender`,
    make: SALE_OF_ONE,
    json: () => ({ transactions: [{ payment_type: 'card', amount: 1 }] }),
  },
];

/** All others. Part 5, 5A.9, 1 (drafts) and 2. */
export const OPEN: readonly PastOperation[] = [
  { request: `PUT ${PURCHASES}/{model}`, make: newReceipt, json: receiptOf },
  { request: `PATCH ${PURCHASES}/{model}/complete`, make: newReceipt },
  { request: `PATCH ${PURCHASES}/{model}/cancel`, of: 'of a draft', make: newReceipt },
  {
    request: `PATCH ${PURCHASES}/{model}/correct-cost`,
    make: async ({ receiptId }) => receiptId,
    json: ({ batch }) => ({ products: [{ id: batch, cost: 0.7 }], comment }),
  },
  { request: `PUT ${WRITE_OFFS}/{model}`, make: newWriteOff, json: writeOffOf },
  { request: `PATCH ${WRITE_OFFS}/{model}/complete`, make: newWriteOff },
  { request: `PATCH ${WRITE_OFFS}/{model}/cancel`, of: 'of a draft', make: newWriteOff },
  {
    request: 'PATCH /company/cashbox/operation/{model}/return',
    make: (scene) => operate(scene, 'income', 1).then(idOf),
  },
  {
    request: 'PATCH /company/cashbox/operation/{model}/cancel',
    of: 'of a collection on its way',
    make: (scene) => collectFromTill(scene, 1).then((reply) => reply.number('transactions_data.0.id')),
    json: () => CANCEL,
  },
  {
    request: 'PATCH /company/cashbox/operation/collection/{model}/confirm',
    make: (scene) => collectFromTill(scene, 1).then(idOf),
  },
  { request: `PATCH ${TRANSFERS}/{model}/complete`, make: send },
  { request: `PATCH ${TRANSFERS}/{model}/cancel`, make: send },
  {
    request: `PATCH ${SALE}/{model}/return`,
    make: SALE_OF_ONE,
    json: async (scene, id) => {
      const [line] = await linesOfSale(scene, Number(id));
      const products = [{ id: line?.id, returned_quantity: 1, reason_type: 'defective' }];
      return { products, transactions: [inCash(1)] };
    },
  },
  {
    request: `POST ${SALE}/{model}/exchange`,
    make: SALE_OF_ONE,
    json: async (scene, id) => {
      const [line] = await linesOfSale(scene, Number(id));
      const returned_products = [{ id: line?.id, returned_quantity: 1, reason_type: 'defective' }];
      const products = [{ product_id: scene.water, sold_quantity: 1 }];
      return saleBody(scene, { company_id: scene.companyId, returned_products, products, transactions: [] });
    },
  },
  { request: `PATCH ${SALE}/{model}/fiscal`, make: SALE_OF_ONE, json: () => FISCAL },
  { request: `PATCH ${SALE}/{model}/return/{return_id}/fiscal`, make: returnOne, json: () => FISCAL },
  { request: `PATCH ${REFUSED}/{model}/dismiss`, make: refuse, json: () => ({ comment }) },
  {
    request: `PATCH ${REFUSED}/{model}/retry`,
    make: async (scene) => {
      const { token } = scene;
      const id = await refuse(scene);
      const json = { ...receiptOf(scene), products: [{ product_id: scene.water, quantity: 1000, cost: 1 }] };
      await receiveGoods(token, json);
      return id;
    },
    json: () => ({ as_of_now: true, accept_prices: true }),
  },
  { request: 'PATCH /company/trade/hold/{model}/cancel', make: setAside },
  {
    request: 'PATCH /company/trade/hold/{model}/add-products',
    make: setAside,
    json: (scene) => ({ cashbox_id: scene.cashboxId, cheque: 1, products: PIECE(scene) }),
  },
  {
    request: 'PATCH /company/trade/hold/{model}/update-products',
    make: setAside,
    json: (scene) => ({ products: [{ product_id: scene.water, quantity: 2 }], bundle_keys: [] }),
  },
  { request: `PATCH ${INVENTORIES}/{model}/cancel`, make: startCount },
  {
    request: `PATCH ${INVENTORIES}/{model}/complete`,
    make: async (scene) => {
      const id = await startCount(scene);
      await count(scene, id, [[scene.water, 5]]);
      return id;
    },
  },
  {
    request: `PATCH ${INVENTORIES}/{model}/add-products`,
    make: startCount,
    json: async (scene) => {
      const stock_product_id = (await rowIds(scene)).get(scene.water);
      return { products_tmp: [{ stock_product_id, actual_quantity: 5 }] };
    },
  },
  {
    request: `PATCH ${INVENTORIES}/{model}/remove-products`,
    make: startCount,
    json: async (scene) => {
      const stock_product_id = (await rowIds(scene)).get(scene.water);
      return { products_tmp: [stock_product_id] };
    },
  },
  {
    request: 'PUT /company/trade/cashbox/{cashbox}/cheque/{number}',
    make: async ({ cashboxId }) => `${cashboxId}/cheque/1`,
    json: (scene) => ({ stock_id: scene.stockId, products: PIECE(scene), bundles: [] }),
  },
  {
    request: 'DELETE /company/trade/cashbox/{cashbox}/cheque/{number}',
    make: async (scene) => {
      await addToDraft(scene, scene.water);
      return `${scene.cashboxId}/cheque/1`;
    },
  },
  {
    request: 'POST /company/trade/cashbox-shift/{model}/expense',
    make: beginIn,
    json: async ({ token }) => {
      const reason_id = await make('/company/trade/cashbox-shift/expense-reasons', token, { name: 'Такси' });
      return { ...{ payment_type: 'cash', currency: 'uzs', amount: 1 }, reason_id };
    },
  },
  {
    request: 'PATCH /company/trade/cashbox-shift/{model}/close',
    make: beginIn,
    json: () => ({ closing_action: 'keep' }),
  },
  {
    request: 'POST /company/client/client/{model}/deposit-correction',
    make: async ({ client }) => client,
    json: () => ({ currency: 'uzs', amount: 1, comment }),
  },
  {
    request: 'POST /company/client/client/{model}/deposit',
    make: async ({ client }) => client,
    json: ({ cashboxId: cashbox_id }) => {
      return { type: 'income', cashbox_id, payment_type: 'cash', currency: 'uzs', amount: 1 };
    },
  },
  { request: 'POST /company/client/deposit/{model}/reverse', make: newDeposit, json: () => ({ comment }) },
  {
    request: 'POST /company/client/debt-payment/{model}/refund',
    make: async (scene) => {
      await lend(scene, { client: scene.client, water: scene.water, amount: 5 });
      const [payment] = await payDebt(scene, scene.client, { cash: 1 });
      return payment?.id ?? 0;
    },
  },
  {
    request: 'PATCH /company/client/debt/{model}/due-date',
    make: newDebt,
    json: () => ({ due_date: '2099-01-31' }),
  },
  { request: 'PATCH /company/client/debt/{model}/write-off', make: newDebt, json: () => ({ comment }) },
  {
    request: 'POST /company/client/debt-writeoff/{model}/reverse',
    make: async (scene) => {
      const path = `/company/client/debt/${await newDebt(scene)}/write-off`;
      return call(`PATCH ${path}`, { token: scene.token, json: { comment } }).then(idOf);
    },
    json: () => ({ comment }),
  },
  {
    request: `POST ${SUPPLIERS}/{model}/adjustment`,
    make: async ({ supplierId }) => supplierId,
    json: () => ({ type: 'correction', currency: 'uzs', amount: 1, comment }),
  },
  {
    request: `POST ${SUPPLIERS}/{model}/payment`,
    make: async ({ supplierId }) => supplierId,
    json: ({ cashboxId: cashbox_id }) => {
      return { cashbox_id, payment_type: 'cash', currency: 'uzs', amount: 1 };
    },
  },
  {
    request: `POST ${SUPPLIERS}/{model}/operations/{operation}/reverse`,
    make: async ({ token, supplierId }) => {
      const json = { type: 'correction', currency: 'uzs', amount: 1, comment };
      const reply = await call(`POST ${SUPPLIERS}/${supplierId}/adjustment`, { token, json });
      return `${supplierId}/operations/${idOf(reply)}/reverse`;
    },
    json: () => ({ comment }),
  },
];

async function beginIn(scene: Scene): Promise<number> {
  await enableShifts(scene);
  return beginShift(scene);
}

/** Puts an id into the path of its operation. */
function addressOf({ request }: PastOperation, made: string | number): string {
  return typeof made === 'number'
    ? request.replace(/\{\w+\}/, String(made))
    : request.replace(/\{.*\}/, made).replace(/(\/reverse)\1$/, '$1');
}

/** Makes something, closes the books of its day, and sends the operation on it. */
export async function runInClosedBooks(each: PastOperation): Promise<Scene & { readonly reply: Reply }> {
  const scene = await newScene();
  const made = await each.make(scene);
  const json = await each.json?.(scene, made);
  await closeToday(scene);
  const reply = await call(addressOf(each, made), { token: scene.token, ...(json && { json }) });
  return { ...scene, reply };
}
