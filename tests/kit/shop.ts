import * as z from 'zod';
import type { Reply } from '#bin/program/person.ts';
import { makerOf } from '#lib/access/actor.ts';
import { deskMoneyKey } from '#lib/cash/desk/money.ts';
import { clientSumsKey } from '#lib/clients/client-sums.ts';
import { vouch } from '#lib/records/stored.ts';
import { readShelves } from '#lib/stock/shelves.ts';
import { Warehouse, warehouseKey } from '#lib/stock/warehouse.ts';
import { update } from '#lib/table/change/write.ts';
import { familyHome } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import type { Currency } from '#lib/values/money.ts';
import { ONE } from '#lib/values/quantity.ts';
import { addProduct, type Catalog, newCatalog } from './catalog.ts';
import { type Family, newFamily } from './family.ts';
import { call } from './http.ts';
import { make } from './records.ts';

/** A family with a warehouse and a sale desk, and a catalogue for the goods. */
export interface Shop extends Family {
  readonly stockId: number;
  readonly cashboxId: number;
  readonly catalog: Catalog;
}

/** The costs of goods, in sums unless it says otherwise. */
interface Bought {
  readonly quantity: number;
  readonly cost: number;
  readonly currency?: Currency;
}

const Made = z.object({ id: z.int() });

/** The goods of the kit came with no receipt: no test makes as many. */
export const NO_RECEIPT = 1_000_000;

/** Makes a shop without goods. */
export async function newShop(): Promise<Shop> {
  const family = await newFamily();
  const { director: token } = family;
  const [stockId, cashboxId, catalog] = await Promise.all([
    make('/company/stock/stock', token, { name: 'Main' }),
    make('/company/cashbox/cashbox', token, { name: 'Desk 1', type: 'sale' }),
    newCatalog(family),
  ]);
  return { ...family, stockId, cashboxId, catalog };
}

/** Makes a product at a price, with `pieces` of it in the warehouse, in batches of these costs. */
export async function newGoods(
  { director, companyId, directorId, stockId, catalog }: Shop,
  batches: readonly Bought[],
  given: object = {},
): Promise<number> {
  const home = familyHome(companyId);
  const [product, first] = await Promise.all([
    addProduct(director, catalog, given),
    nextId('batch', home, batches.length),
  ]);
  const { id } = Made.parse(product.body);
  const at = Date.now();
  const shelves = await readShelves(home, stockId, [id]);
  const warehouse = vouch(Warehouse, await getItem(warehouseKey(home, stockId)));
  await shelves.addMissing(warehouse, [id], at);
  for (const [index, { quantity, cost, currency = 'uzs' }] of batches.entries()) {
    const batch = first + index;
    const by = makerOf({ id: directorId });
    const cause = { document: 'purchase', documentId: NO_RECEIPT, lineId: batch, at, by } as const;
    const part = {
      id: batch,
      quantity: Math.round(quantity * ONE),
      cost: Math.round(cost * 100),
      currency,
      at,
    } as const;
    shelves.put(id, [part], cause);
  }
  await transact(shelves.writes(warehouse));
  return id;
}

/** Makes the body of a sale at the shop's desk. */
export function cheque({ stockId, cashboxId }: Shop, given: object): object {
  return { cashbox_id: cashboxId, stock_id: stockId, currency: 'uzs', ...given };
}

/** Sells one product for cash, and answers with the outcome. */
export function sellOne(
  shop: Shop,
  product_id: number,
  sold_quantity: number,
  price: number,
  headers = {},
): Promise<Reply> {
  const json = cheque(shop, {
    products: [{ product_id, sold_quantity }],
    transactions: [{ payment_type: 'cash', amount: Math.round(price * sold_quantity * 100) / 100 }],
  });
  return call('POST /company/trade/sale', { token: shop.director, json, headers });
}

/** Puts money into the shop's desk without a document, in 1/100. */
export async function addMoney({ companyId, cashboxId }: Shop, add: Record<string, number>): Promise<void> {
  await transact([update(deskMoneyKey(familyHome(companyId), cashboxId), { add })]);
}

/** Gives a client bonuses or a debt without a document, in 1/100. */
export async function addToClient(
  { companyId }: Shop,
  clientId: number,
  add: Record<string, number>,
): Promise<void> {
  await transact([update(clientSumsKey(familyHome(companyId), clientId), { add })]);
}

/** Makes a client of the shop's family. */
export function addClient({ director }: Shop, main_phone = '998901112233'): Promise<number> {
  return make('/company/client/client', director, { full_name: 'Aziz', main_phone });
}

/** Makes a client of the shop's family who earns a percent of what is paid. */
export async function newClientWithTariff({ director }: Shop, percent: number): Promise<number> {
  const name = `${percent} %`;
  const bonus_tariff_id = await make('/company/client/bonus-tariff', director, { name, percent });
  const client = { full_name: 'Dilnoza', main_phone: '998905554433', bonus_tariff_id };
  return make('/company/client/client', director, client);
}

/** Gives a client bonuses to spend, in 1/100 of sums. */
export async function giveBonuses({ companyId }: Shop, clientId: number, spendable: number): Promise<void> {
  const set = { bonuses: { uzs: { spendable, waiting: {} } } };
  await transact([update(clientSumsKey(familyHome(companyId), clientId), { set })]);
}

/** Makes the body of a sale of one product on debt. */
export function onDebt(
  shop: Shop,
  client_id: number,
  product_id: number,
  amount: number,
  sold_quantity = 1,
): object {
  return cheque(shop, {
    client_id,
    due_date: '2099-01-31',
    products: [{ product_id, sold_quantity }],
    transactions: [{ payment_type: 'debt', amount }],
  });
}

/** Sets a rate of the shop's company. */
export async function setRate({ director: token }: Shop, currency: Currency, rate: number): Promise<void> {
  const { body } = await call('GET /company/cashbox/currency-rate/settings', { token });
  const row = Rates.parse(body).rows.find((each) => each.currency === currency);
  await call(`PUT /company/cashbox/currency-rate/${row?.id}`, { token, json: { rate } });
}

const Rates = z.object({ rows: z.array(z.object({ id: z.int(), currency: z.string() })) });

/** Counts what the shop's warehouse has of a product, in pieces. */
export async function piecesOf(shop: Shop, productId: number): Promise<number> {
  const shelves = await readShelves(familyHome(shop.companyId), shop.stockId, [productId]);
  return shelves.free(productId) / ONE;
}

/** Counts what the shop's desk has of one kind of money, in sums. */
export async function cashOf(
  { cashboxId, director }: Shop,
  type: 'cash' | 'card' | 'bank' = 'cash',
): Promise<number> {
  const { body } = await call(`GET /company/cashbox/cashbox/${cashboxId}`, { token: director });
  return Balances.parse(body).balances[type].uzs;
}

const MoneyKind = z.object({ uzs: z.number() });

const Balances = z.object({ balances: z.object({ cash: MoneyKind, card: MoneyKind, bank: MoneyKind }) });
