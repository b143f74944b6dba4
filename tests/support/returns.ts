import * as z from 'zod';
import type { Reply } from '#bin/cli/person.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { readReturns } from '#lib/trade/sale/returns-of.ts';
import { addClient } from './clients.ts';
import { call } from './http.ts';
import { type Shop, saleBody } from './shop.ts';

const Lines = z.object({
  id: z.int(),
  products: z.array(
    z.looseObject({
      id: z.int(),
      product_id: z.int(),
      bundle_key: z.string().nullable(),
      sold_quantity: z.number(),
      returned_quantity: z.number(),
      amount: z.number(),
      refunded_amount: z.number(),
    }),
  ),
});

const Made = z.object({ id: z.int() });
const Listed = z.object({ data: z.array(z.looseObject({ id: z.int(), amount: z.number() })) });

/** Creates a sale with the given body at the shop's desk, and returns its id. */
export async function sellFor(shop: Shop, given: object): Promise<number> {
  const { body } = await call('POST /company/trade/sale', {
    token: shop.director,
    json: saleBody(shop, given),
  });
  return Made.parse(body).id;
}

/** Reads the lines of a sale, as shown to the shop's director. */
export async function linesOfSale({ director: token }: Shop, id: number) {
  return Lines.parse((await call(`GET /company/trade/sale/${id}`, { token })).body).products;
}

/** Builds the body that exchanges pieces of a sale's first line for others of its product. */
export async function exchangeBody(
  shop: Shop,
  sale: number,
  [back, taken]: readonly [number, number],
  given: object,
): Promise<object> {
  const [line] = await linesOfSale(shop, sale);
  return saleBody(shop, {
    company_id: shop.companyId,
    returned_products: [{ id: line?.id, returned_quantity: back, reason_type: 'not_match' }],
    products: [{ product_id: line?.product_id, sold_quantity: taken }],
    ...given,
  });
}

/** Returns goods of a sale. */
export function sendReturn(
  { director: token }: Shop,
  id: number,
  json: object,
  headers = {},
): Promise<Reply> {
  return call(`PATCH /company/trade/sale/${id}/return`, { token, json, headers });
}

/** Builds the body of a return: a quantity of each of these lines, paid out in cash. */
export function back(quantities: Readonly<Record<number, number>>, cash = 0): object {
  const products = Object.entries(quantities).map(([id, returned_quantity]) => ({
    id: Number(id),
    reason_type: 'defective',
    returned_quantity,
  }));
  return { products, transactions: cash > 0 ? [{ payment_type: 'cash', amount: cash }] : [] };
}

/** Reads the history of a sale's returns. */
export function returnsOf({ companyId }: Shop, id: number) {
  return readReturns({ type: 'sale', tenant: familyTenant(companyId), id });
}

/** Sells two pieces at 5000 for an amount of cash, the rest on debt: to a new client unless one is given. */
export async function sellOnDebt(
  shop: Shop,
  product_id: number,
  cash: number,
  quantity = 2,
  client = addClient(shop),
): Promise<number> {
  const client_id = await client;
  const paid = cash > 0 ? [{ payment_type: 'cash', amount: cash }] : [];
  return sellFor(shop, {
    client_id,
    due_date: '2099-01-31',
    products: [{ product_id, sold_quantity: quantity }],
    transactions: [...paid, { payment_type: 'debt', amount: 5000 * quantity - cash }],
  });
}

/** Lists the returns of a sale as shown to the shop's director, the newest first. */
export async function readReturnList({ director: token }: Shop, sale: number) {
  const { body } = await call(`GET /company/trade/sale/return?filter[sale_id]=${sale}`, { token });
  return Listed.parse(body).data;
}
