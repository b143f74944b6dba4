import * as z from 'zod';
import { call } from './http.ts';
import { make } from './records.ts';
import { type Shop, saleBody } from './shop.ts';

/** Line of a sale, goods or a service, with its VAT. */
const Line = z.looseObject({
  id: z.int(),
  amount: z.number(),
  returned_quantity: z.number(),
  vat_percent: z.number().nullable(),
  vat_amount: z.number(),
});

/** Sale with its services and VAT. */
export const SoldServices = z.looseObject({
  id: z.int(),
  status: z.string(),
  sold_amount: z.number(),
  vat_amount: z.number(),
  vat: z.array(z.object({ vat_percent: z.number().nullable(), amount: z.number(), vat_amount: z.number() })),
  products: z.array(Line),
  services: z.array(Line),
});

/** Creates a service of a shop: 20000 for a unit that costs 5000. */
export async function newService({ director: token }: Shop, given: object = {}): Promise<number> {
  const name = (word: string) => ({ ru: word, uz: word, oz: word });
  const service_unit_id = await make('/company/product/service-unit', token, {
    name: name(crypto.randomUUID()),
  });
  const card = { name: 'Repair', service_unit_id, price: 20_000, cost: 5000, ...given };
  return make('/company/product/service', token, card);
}

/** Sells for cash; `amount` is paid. */
export function sellCash(shop: Shop, amount: number, given: object) {
  const transactions = amount > 0 ? [{ payment_type: 'cash', amount }] : [];
  const json = saleBody(shop, { transactions, ...given });
  return call('POST /company/trade/sale', { token: shop.director, json });
}

/** Reads a sale with its lines. */
export async function saleOf({ director: token }: Shop, id: number) {
  return SoldServices.parse((await call(`GET /company/trade/sale/${id}`, { token })).body);
}
