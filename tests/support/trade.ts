import * as z from 'zod';
import type { Reply } from '#bin/cli/person.ts';
import { call } from './http.ts';
import { make } from './records.ts';
import { newGoods, type Shop } from './shop.ts';

/** Sets goods aside at the shop's desk. */
export function holdGoods({ cashboxId, stockId, director: token }: Shop, given: object): Promise<Reply> {
  const customer = { full_name: 'Aziz', date: '2099-01-31', cheque: 1 };
  const json = { cashbox_id: cashboxId, stock_id: stockId, ...customer, ...given };
  return call('POST /company/trade/hold', { token, json });
}

const Held = z.looseObject({
  status: z.string(),
  amount: z.number(),
  products: z.array(
    z.looseObject({
      id: z.int(),
      product_id: z.int(),
      bundle_key: z.string().nullable(),
      quantity: z.number(),
      price: z.number(),
    }),
  ),
});

/** Reads the full hold, as shown to the shop's director. */
export async function readHold({ director: token }: Shop, id: number) {
  return Held.parse((await call(`GET /company/trade/hold/${id}`, { token })).body);
}

/**
 * Creates a bundle at 2000 of two packs of tea at 1000 and half a kilogram of sugar at 500, with a quantity
 * of each in the shop.
 */
export async function newTeaSet(shop: Shop, quantity = 10) {
  const goods = [{ quantity, cost: 100 }];
  const tea = await newGoods(shop, goods, { sale_price: 1000 });
  const sugar = await newGoods(shop, goods, { sale_price: 500 });
  const products = [
    { product_id: tea, quantity: 2 },
    { product_id: sugar, quantity: 0.5 },
  ];
  const json = { name: 'Tea set', price: 2000, products };
  return { bundle_id: await make('/company/product/bundle', shop.director, json), tea, sugar };
}

const Balances = z.object({
  data: z.array(z.object({ batches: z.array(z.object({ cost: z.number(), quantity: z.number() })) })),
});

/** Lists the batches of a product in the shop, the oldest first, by unit cost. */
export async function batchesOf({ director: token }: Shop, productId: number) {
  const { body } = await call(`GET /company/stock/product?filter[product_id]=${productId}`, { token });
  return Balances.parse(body).data.flatMap(({ batches }) => batches);
}
