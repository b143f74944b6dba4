import { expect } from 'vitest';
import * as z from 'zod';
import { renderInstant } from '#lib/values/time.ts';
import { call } from './http.ts';
import { type Shop, saleBody } from './shop.ts';

export const REFUSED = '/company/trade/sale/refused';

/** Time of offline sales: a constant, as a till that repeats an upload sends the same. */
const SOLD_AT = renderInstant(Date.now() - 3_600_000);

/** Creates an entry of a batch: one piece for 5000 in cash, sold an hour ago. */
export function offlineSaleBody(shop: Shop, product_id: number, key: string, given: object = {}) {
  const products = [{ product_id, sold_quantity: 1, price: 5000 }];
  const transactions = [{ payment_type: 'cash', amount: 5000 }];
  return { key, sold_at: SOLD_AT, ...saleBody(shop, { products, transactions, ...given }) };
}

const Row = z.looseObject({
  key: z.string().nullable(),
  status: z.int(),
  is_replayed: z.boolean(),
  sale: z.looseObject({ id: z.int() }).nullable(),
  sale_id: z.int().nullable(),
  refused_id: z.int().nullable(),
  code: z.string().nullable(),
  errors: z.record(z.string(), z.array(z.string())).nullable(),
});

const Rows = z.object({ now: z.string(), data: z.array(Row) });

/** Uploads a batch, and returns the results of its entries. */
export async function sendOfflineSales(shop: Shop, sales: readonly unknown[], token = shop.director) {
  const { status, body } = await call('POST /company/trade/sale/sync', { token, json: { sales } });
  expect(status).toBe(200);
  return Rows.parse(body).data;
}

/** Uploads a sale that is refused for lack of goods, and returns the refused sale's id. */
export async function refuseOne(shop: Shop, product_id: number, key: string, given: object = {}) {
  const products = [{ product_id, sold_quantity: 1000, price: 5000 }];
  const transactions = [{ payment_type: 'cash', amount: 5_000_000 }];
  const json = offlineSaleBody(shop, product_id, key, { products, transactions, ...given });
  const [row] = await sendOfflineSales(shop, [json]);
  expect(row).toMatchObject({ key, sale: null, refused_id: expect.any(Number) });
  return row?.refused_id ?? 0;
}

/** Reads a refused sale. */
export async function readRefused({ director: token }: Shop, id: number) {
  const { body } = await call(`GET ${REFUSED}/${id}`, { token });
  return z.looseObject({ status: z.string(), bodies: z.array(z.unknown()) }).parse(body);
}
