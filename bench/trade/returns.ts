import * as z from 'zod';
import type { MeasuredShop } from '#bench/kit/measured-shop.ts';
import type { Scene } from '#bench/kit/scene.ts';
import { chequeOf } from '#bench/kit/shop.ts';

const SALES = '/company/trade/sale';
const PRICE = 5000;

const Sold = z.object({ products: z.array(z.object({ id: z.int() })) });

/** Returns whole cheques of so many lines, and exchanges one piece for another of the same price. */
export function returnScenes({ client, actor, shop }: MeasuredShop, lines: number): Scene[] {
  const [cashbox_id = 0] = shop.desks;
  const sell = async (count: number) => {
    const cheque = chequeOf(shop, cashbox_id, shop.products.slice(0, count));
    const id = await client.make(SALES, cheque);
    const { body } = await client.call(`GET ${SALES}/${id}`);
    const pieces = Sold.parse(body).products.map((line) => {
      return { id: line.id, reason_type: 'defective', returned_quantity: 1 };
    });
    return { id, pieces };
  };
  const often = { warm: 20, times: 60 };
  return [
    {
      what: `return of ${lines} lines`,
      ...often,
      allowed_ms: 40,
      prepare: async () => {
        const { id, pieces } = await sell(lines);
        const transactions = [{ payment_type: 'cash', amount: PRICE * lines }];
        return { request: `PATCH ${SALES}/${id}/return`, json: { products: pieces, transactions } };
      },
    },
    {
      what: 'exchange of one for one',
      ...often,
      allowed_ms: 60,
      prepare: async () => {
        const { id, pieces } = await sell(1);
        const products = [{ product_id: shop.products[1], sold_quantity: 1 }];
        const place = { cashbox_id, stock_id: shop.stock, company_id: actor.companyId, currency: 'uzs' };
        const json = { ...place, returned_products: pieces, products };
        return { request: `POST ${SALES}/${id}/exchange`, json };
      },
    },
  ];
}
