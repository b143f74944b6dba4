import type { MeasuredShop } from '#bench/support/measured-shop.ts';
import type { Scene } from '#bench/support/scene.ts';
import { PRICE, saleBodyOf } from '#bench/support/shop.ts';

const SALES = '/company/trade/sale';
const OFTEN = { warm: 20, times: 60 };

/**
 * Returns scenes that return whole sales of this many lines, and exchange one piece for another of the same
 * price.
 */
export function returnScenes({ client, actor, shop }: MeasuredShop, lines: number): Scene[] {
  const [cashbox_id = 0] = shop.desks;
  const transactions = [{ payment_type: 'cash', amount: PRICE * lines }];
  const place = { cashbox_id, stock_id: shop.stock, company_id: actor.companyId, currency: 'uzs' };
  const other = { ...place, products: [{ product_id: shop.products[1], sold_quantity: 1 }] };
  const sell = async (count: number) => {
    const id = await client.make(SALES, saleBodyOf(shop, cashbox_id, shop.products.slice(0, count)));
    const sold = await client.call(`GET ${SALES}/${id}`);
    const pieces = sold.rows('products').map((line) => {
      return { id: line.number('id'), reason_type: 'defective', returned_quantity: 1 };
    });
    return { id, pieces };
  };
  const returning = async () => {
    const { id, pieces } = await sell(lines);
    return { request: `PATCH ${SALES}/${id}/return`, json: { products: pieces, transactions } };
  };
  const exchanging = async () => {
    const { id, pieces } = await sell(1);
    return { request: `POST ${SALES}/${id}/exchange`, json: { ...other, returned_products: pieces } };
  };
  return [
    { what: `return of ${lines} lines`, ...OFTEN, allowed_ms: 40, prepare: returning },
    { what: 'exchange of one for one', ...OFTEN, allowed_ms: 60, prepare: exchanging },
  ];
}
