import { expect } from 'vitest';
import * as z from 'zod';
import { deskMoneyKey } from '#lib/cash/desk/money.ts';
import { insertion } from '#lib/records/record-writes.ts';
import { suppliers } from '#lib/stock/supplier/supplier.ts';
import { warehouses } from '#lib/stock/warehouse.ts';
import { update } from '#lib/table/change/write.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { mainDeskIn } from './family.ts';
import { call } from './http.ts';
import { type Family, makeFamily, sequenceWrites, stampOf } from './provisioning.ts';
import { make } from './records.ts';
import { newCards, PURCHASES, receiveGoods } from './stock.ts';

export const WRITE_OFFS = '/company/trade/writeoff';
export const SUPPLIERS = '/company/stock/supplier';

/** A family with a supplier and a warehouse, in which a completed receipt has put its goods. */
export interface Depot extends Family {
  readonly token: string;
  readonly goods: readonly number[];
  readonly stockId: number;
  readonly supplierId: number;
  readonly receiptId: number;
  /** The receipt's batches, in the order of goods. */
  readonly batches: readonly number[];
}

const Lines = z.object({ products: z.array(z.object({ id: z.int() })) });

/** Creates a depot with 10 pieces of each of a number of goods, at two sums a piece. */
export async function newDepot(count: number, given: object = {}, at = Date.now()): Promise<Depot> {
  const family = await makeFamily(at, (founders) => {
    const tenant = familyTenant(founders.companyId);
    const made = { stockId: 1, supplierId: 1 };
    const stamp = stampOf(founders, 1, at);
    const writes = [
      insertion(warehouses, tenant, { ...stamp, name: 'Главный', inventory_id: null }),
      insertion(suppliers, tenant, { ...stamp, name: 'Ферма', phone: null }),
      sequenceWrites(tenant, [warehouses.type, suppliers.type]),
    ].flat();
    return { made, writes };
  });
  const { director: token, stockId: stock_id, supplierId: supplier_id } = family;
  const goods = await manyGoods(family, count);
  const products = goods.map((product_id) => ({ product_id, quantity: 10, cost: 2, ...given }));
  const receiptId = await receiveGoods(token, { stock_id, supplier_id, products });
  return { ...family, token, goods, receiptId, batches: await lineIdsOf(token, receiptId) };
}

async function manyGoods(family: Family, count: number): Promise<number[]> {
  const hundreds = Array.from({ length: Math.ceil(count / 100) }, (_, index) =>
    newCards(family, Math.min(100, count - index * 100)),
  );
  return (await Promise.all(hundreds)).flat();
}

/** Lists the ids of a goods receipt's lines, which are those of its batches. */
export async function lineIdsOf(token: string, receiptId: number): Promise<number[]> {
  const { body } = await call(`GET ${PURCHASES}/${receiptId}`, { token });
  return Lines.parse(body).products.map(({ id }) => id);
}

/** Builds the body of a write-off of a number of pieces of each of a depot's goods. */
export function writeOffOf({ goods, batches, stockId }: Depot, given: object = {}, quantity = 3): object {
  const products = goods.map((product_id, index) => {
    return { product_id, source_product_id: batches[index], quantity, reason: 'common_loss' };
  });
  return { source_type: 'stock', source_id: stockId, name: 'Бой', products, ...given };
}

/** Builds the same for a depot's goods receipt. */
export function writeOffOfGoodsReceipt(depot: Depot, given: object = {}, quantity = 3): object {
  return writeOffOf(depot, { source_type: 'purchase', source_id: depot.receiptId, ...given }, quantity);
}

/** Creates a write-off and completes it, and returns its id. */
export async function writeOffAtOnce(token: string, json: object): Promise<number> {
  const id = await make(WRITE_OFFS, token, json);
  expect(await patch(token, id, 'complete')).toMatchObject({ status: 200 });
  return id;
}

/** Pays a depot's supplier from its main desk, which gets the money without a document. */
export async function payForGoods(depot: Depot, amount: number): Promise<number> {
  const { token, companyId, supplierId } = depot;
  const cashbox_id = await mainDeskIn(depot);
  await transact([
    update(deskMoneyKey(familyTenant(companyId), cashbox_id), { add: { cash_uzs: amount * 100 } }),
  ]);
  const json = { cashbox_id, payment_type: 'cash', currency: 'uzs', amount };
  return make(`${SUPPLIERS}/${supplierId}/payment`, token, json);
}

/** Completes or cancels a write-off. */
export function patch(token: string, id: number, word: 'complete' | 'cancel', headers = {}) {
  return call(`PATCH ${WRITE_OFFS}/${id}/${word}`, { token, headers });
}

const Supplier = z.object({ balances: z.record(z.string(), z.number()) });
const Operations = z.object({
  data: z.array(z.looseObject({ id: z.int(), amount: z.number(), currency: z.string() })),
});

/** Lists a supplier's operations, the oldest first, after checking that they add up to the payable. */
export async function supplierOperationsOf(token: string, supplierId: number) {
  const [supplier, list] = await Promise.all([
    call(`GET ${SUPPLIERS}/${supplierId}`, { token }),
    call(`GET ${SUPPLIERS}/${supplierId}/operations?sort[]=id`, { token }),
  ]);
  const { balances } = Supplier.parse(supplier.body);
  const { data } = Operations.parse(list.body);
  const sums: Record<string, number> = { uzs: 0, usd: 0, eur: 0, rub: 0 };
  for (const { currency, amount } of data) sums[currency] = (sums[currency] ?? 0) + Math.round(amount * 100);
  const owed = Object.entries(balances).map(([currency, sum]) => [currency, Math.round(sum * 100)]);
  expect(Object.fromEntries(owed)).toEqual(sums);
  return data;
}
