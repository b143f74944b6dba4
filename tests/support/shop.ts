import * as z from 'zod';
import type { Reply } from '#bin/cli/person.ts';
import { makerOf } from '#lib/auth/actor.ts';
import { desks } from '#lib/cash/desk/desk.ts';
import { DeskMoney, deskMoneyKey } from '#lib/cash/desk/money.ts';
import { brands } from '#lib/catalog/brand.ts';
import { products } from '#lib/catalog/card.ts';
import { categories } from '#lib/catalog/category.ts';
import { newProduct, ProductInput } from '#lib/catalog/product/product.ts';
import { units } from '#lib/catalog/unit/unit.ts';
import { insertion } from '#lib/records/record-writes.ts';
import { parseStored } from '#lib/records/stored.ts';
import { readStockLevels, StockLevels } from '#lib/stock/stock-levels.ts';
import { Warehouse, warehouseKey, warehouses } from '#lib/stock/warehouse.ts';
import { update } from '#lib/table/change/write.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import type { Currency } from '#lib/values/money.ts';
import { ONE } from '#lib/values/quantity.ts';
import type { Instant } from '#lib/values/time.ts';
import { asCall } from './as-call.ts';
import { type Catalog, card, catalogWrites } from './catalog.ts';
import { call } from './http.ts';
import { type Family, type FamilyWithDirector, makeFamily, sequenceWrites, stampOf } from './provisioning.ts';

/** A family with a warehouse and a sale desk, and a catalogue for the goods. */
export interface Shop extends Family {
  readonly stockId: number;
  readonly cashboxId: number;
  readonly catalog: Catalog;
}

/** Costs of goods, in sums unless a currency is given. */
interface Bought {
  readonly quantity: number;
  readonly cost: number;
  readonly currency?: Currency;
}

/** Id of the missing goods receipt of test support's goods: no test creates as many. */
export const NO_GOODS_RECEIPT = 1_000_000;

/** Creates a shop without goods. */
export function newShop(at = Date.now()): Promise<Shop> {
  return makeFamily(at, (founders) => shopOutfit(founders, at));
}

/** Returns the initial records of a shop. */
export async function shopOutfit(founders: FamilyWithDirector, at: Instant) {
  const tenant = familyTenant(founders.companyId);
  const stamp = (id: number) => stampOf(founders, id, at);
  const [stockId, catalog] = [1, { category_id: 1, brand_id: 1, unit_id: 1 }];
  const cashboxId = await nextId(desks.type, tenant);
  const writes = [
    insertion(warehouses, tenant, { ...stamp(stockId), name: 'Main', inventory_id: null }),
    insertion(desks, tenant, { ...stamp(cashboxId), name: 'Desk 1', type: 'sale' }),
    catalogWrites(founders, catalog, at),
    sequenceWrites(tenant, [warehouses.type, categories.type, brands.type, units.type]),
  ].flat();
  return { made: { stockId, cashboxId, catalog }, writes };
}

/** Creates a product at a price, with `splitEvery` of it in the warehouse, in batches of these costs. */
export async function newGoods(
  { companyId, directorId, stockId, catalog }: Shop,
  batches: readonly Bought[],
  given: object = {},
  at = Date.now(),
): Promise<number> {
  const tenant = familyTenant(companyId);
  const [id, first, item] = await asCall(() =>
    Promise.all([
      nextId(products.type, tenant),
      nextId('batch', tenant, batches.length),
      getItem(warehouseKey(tenant, stockId)),
    ]),
  );
  const { images: _, images_old_keys, ...input } = ProductInput.parse(card(catalog, given));
  const product = newProduct({ id: directorId, companyId }, id, input, { cause: 'card', at });
  const warehouse = parseStored(Warehouse, item);
  const stockLevels = new StockLevels(tenant, []);
  await stockLevels.addMissing(warehouse, [id], at);
  const by = makerOf({ id: directorId });
  for (const [index, { quantity, cost, currency = 'uzs' }] of batches.entries()) {
    const batch = first + index;
    const part = { id: batch, quantity: Math.round(quantity * ONE), cost: Math.round(cost * 100) };
    const cause = { document: 'purchase', documentId: NO_GOODS_RECEIPT, lineId: batch, at, by } as const;
    stockLevels.put(id, [{ ...part, currency, at }], cause);
  }
  await transact([...insertion(products, tenant, product), ...stockLevels.writes(warehouse)]);
  return id;
}

/** Builds the body of a sale at the shop's desk. */
export function saleBody({ stockId, cashboxId }: Shop, given: object): object {
  return { cashbox_id: cashboxId, stock_id: stockId, currency: 'uzs', ...given };
}

/** Sells one product for cash, and returns the response. */
export function sellOne(
  shop: Shop,
  product_id: number,
  sold_quantity: number,
  price: number,
  headers = {},
): Promise<Reply> {
  const json = saleBody(shop, {
    products: [{ product_id, sold_quantity }],
    transactions: [{ payment_type: 'cash', amount: Math.round(price * sold_quantity * 100) / 100 }],
  });
  return call('POST /company/trade/sale', { token: shop.director, json, headers });
}

/** Puts money into the shop's desk without a document, in 1/100. */
export async function addMoney({ companyId, cashboxId }: Shop, add: Record<string, number>): Promise<void> {
  await transact([update(deskMoneyKey(familyTenant(companyId), cashboxId), { add })]);
}

/** Sets a rate of the shop's company. */
export async function setRate({ director: token }: Shop, currency: Currency, rate: number): Promise<void> {
  const { body } = await call('GET /company/cashbox/currency-rate/settings', { token });
  const row = Rates.parse(body).rows.find((each) => each.currency === currency);
  await call(`PUT /company/cashbox/currency-rate/${row?.id}`, { token, json: { rate } });
}

const Rates = z.object({ rows: z.array(z.object({ id: z.int(), currency: z.string() })) });

/** Returns the pieces of a product in the shop's warehouse. */
export async function piecesOf(shop: Shop, productId: number): Promise<number> {
  const stockLevels = await readStockLevels(familyTenant(shop.companyId), shop.stockId, [productId]);
  return stockLevels.free(productId) / ONE;
}

/** Returns the shop's desk balance of one payment type, in sums. */
export async function cashOf(
  { cashboxId, director }: Shop,
  type: 'cash' | 'card' | 'bank' = 'cash',
): Promise<number> {
  const { body } = await call(`GET /company/cashbox/cashbox/${cashboxId}`, { token: director });
  return Balances.parse(body).balances[type].uzs;
}

/** Counts the cash of the shop's desk as the table has it, in sums: one read, where `cashOf` is a call. */
export async function cashInDesk({ companyId, cashboxId }: Shop): Promise<number> {
  return DeskMoney.parse(await getItem(deskMoneyKey(familyTenant(companyId), cashboxId))).cash_uzs / 100;
}

const MoneyKind = z.object({ uzs: z.number() });

const Balances = z.object({ balances: z.object({ cash: MoneyKind, card: MoneyKind, bank: MoneyKind }) });
