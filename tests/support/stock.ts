import * as z from 'zod';
import { products } from '#lib/catalog/card.ts';
import { warehouseKey } from '#lib/stock/warehouse.ts';
import { putNew, update } from '#lib/table/change/write.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { call } from './http.ts';
import type { Family } from './provisioning.ts';
import { make } from './records.ts';

export const PURCHASES = '/company/trade/purchase';
export const STOCK_LEVELS = '/company/stock/product';

/** Id of records that tests refer to without creating them: no test creates as many records of a type. */
const NO_RECORD = 1_000_000;

const NOWHERE = { category_id: NO_RECORD, brand_id: NO_RECORD, unit_id: NO_RECORD };

/** Makes `count` products at once, without the records that they point at, and returns their ids. */
export async function newCards(
  { companyId: company_id, directorId: creator_id }: Family,
  count: number,
  given: object = {},
  at = Date.now(),
): Promise<number[]> {
  const tenant = familyTenant(company_id);
  const first = await nextId(products.type, tenant, count);
  const ids = Array.from({ length: count }, (_, index) => first + index);
  const card = { ...NOWHERE, parent_id: null, plu: null, description: null };
  const flags = { is_free_price: false, is_favorite: false, is_bundle_only: false, is_deleted: false };
  const bounds = { min_price: null, min_price_percent: null, min_quantity: null };
  const images = { images_list: [], images_list_thumbs: [] };
  const price = { sale_price: 500_000, sale_currency: 'uzs' };
  const base = { company_id, creator_id, created_at: at, updated_at: at, version: 1 };
  const writes = ids.map((id) => {
    const own = { id, name: `Water ${id}`, barcode: `47800-${id}`, ...given };
    return putNew(recordKey(products.type, tenant, id), {
      ...card,
      ...flags,
      ...bounds,
      ...images,
      ...price,
      ...base,
      ...own,
    });
  });
  await transact(writes);
  return ids;
}

/** Creates a warehouse, and returns its id. */
export function newWarehouse(token: string, name = 'Главный', given: object = {}): Promise<number> {
  return make('/company/stock/stock', token, { name, ...given });
}

/** Creates a goods receipt and completes it, and returns its id. */
export async function receiveGoods(token: string, json: object): Promise<number> {
  const id = await make(PURCHASES, token, { currency: 'uzs', ...json });
  const { status, body } = await call(`PATCH ${PURCHASES}/${id}/complete`, { token });
  if (status !== 200) throw new Error(`The receipt was refused: ${JSON.stringify(body)}`);
  return id;
}

const Balances = z.object({
  data: z.array(
    z.object({
      id: z.int(),
      product_id: z.int(),
      quantity: z.number(),
      batches: z.array(z.object({ id: z.int(), quantity: z.number(), cost: z.number() })),
    }),
  ),
});

/** Lists the balances that a caller sees, the oldest first. */
export async function stockLevelsOf(token: string, query = '') {
  const { body } = await call(`GET ${STOCK_LEVELS}?sort[]=id&${query}`, { token });
  return Balances.parse(body).data;
}

const Movements = z.object({
  data: z.array(
    z.object({
      document_type: z.string(),
      document_id: z.int(),
      line_id: z.int(),
      quantity: z.number(),
      quantity_before: z.number(),
      quantity_after: z.number(),
    }),
  ),
});

/** Lists the latest movements of a balance, the newest first. */
export async function movementsSeen(token: string, id: number, query = '') {
  const { body } = await call(`GET ${STOCK_LEVELS}/${id}/movements?${query}`, { token });
  return Movements.parse(body).data;
}

/** Closes a warehouse, as the start of a stocktake does. */
export async function closeWarehouse({ companyId }: Family, id: number): Promise<void> {
  const tenant = familyTenant(companyId);
  await transact([
    update(warehouseKey(tenant, id), { set: { inventory_id: NO_RECORD } }),
    update(recordKey('stock-inflow', tenant, id), { set: { is_closed: true } }),
  ]);
}
