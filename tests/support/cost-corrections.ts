import * as z from 'zod';
import type { Reply } from '#bin/cli/person.ts';
import { worthOf } from '#lib/stock/stock-level-change.ts';
import { readStockLevels } from '#lib/stock/stock-levels.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { call } from './http.ts';
import { make } from './records.ts';
import { newShop, type Shop } from './shop.ts';
import { newCards, newWarehouse, PURCHASES, receiveGoods } from './stock.ts';
import { lineIdsOf, SUPPLIERS } from './write-offs.ts';

/** A shop whose goods came by one receipt, with a second warehouse. */
export interface SuppliedShop extends Shop {
  readonly token: string;
  readonly supplierId: number;
  readonly secondId: number;
  readonly goods: readonly number[];
  readonly receiptId: number;
  /** The receipt's lines, in the order of goods. */
  readonly lines: readonly number[];
}

/** Creates such a shop with 10 pieces of each of a number of goods, at two sums a piece. */
export async function newSuppliedShop(count: number, given: object = {}): Promise<SuppliedShop> {
  const shop = await newShop();
  const { director: token, stockId: stock_id } = shop;
  const [goods, supplierId, secondId] = await Promise.all([
    newCards(shop, count),
    make(SUPPLIERS, token, { name: 'Ферма' }),
    newWarehouse(token, 'Второй'),
  ]);
  const products = goods.map((product_id) => ({ product_id, quantity: 10, cost: 2 }));
  const receiptId = await receiveGoods(token, { stock_id, supplier_id: supplierId, products, ...given });
  return { ...shop, token, supplierId, secondId, goods, receiptId, lines: await lineIdsOf(token, receiptId) };
}

/** Corrects the costs of the first lines of the shop's receipt. */
export function correct(
  { token, receiptId, lines }: SuppliedShop,
  costs: readonly number[],
  headers = {},
): Promise<Reply> {
  const products = costs.map((cost, index) => ({ id: lines[index], cost }));
  const json = { products, comment: 'Опечатка' };
  return call(`PATCH ${PURCHASES}/${receiptId}/correct-cost`, { token, json, headers });
}

const Amount = z.object({ amount: z.number() });

/** Reads the amount of the shop's receipt, in 1/100. */
export async function receiptAmountOf({ token, receiptId }: SuppliedShop): Promise<number> {
  const { body } = await call(`GET ${PURCHASES}/${receiptId}`, { token });
  return Math.round(Amount.parse(body).amount * 100);
}

/** Sums the cost of goods in both warehouses of a shop, in 1/100. */
export async function worthInStock({ companyId, stockId, secondId, goods }: SuppliedShop): Promise<number> {
  const tenant = familyTenant(companyId);
  const places = await Promise.all([stockId, secondId].map((id) => readStockLevels(tenant, id, goods)));
  const levels = places.flatMap(({ after }) => [...after.values()]);
  return levels.reduce((sum, level) => sum + worthOf(level, 'uzs'), 0);
}
