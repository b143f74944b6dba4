import type { MeasuredShop } from '#bench/support/measured-shop.ts';
import { type Scene, scenesOf } from '#bench/support/scene.ts';
import { PRICE } from '#bench/support/shop.ts';

const HOLDS = '/company/trade/hold';
const OFTEN = { warm: 20, times: 40 };

/** Returns scenes that hold this many lines, add as many to a hold, cancel and sell one. */
export function holdScenes({ client, shop }: MeasuredShop, lines: number): Scene[] {
  const [cashbox_id = 0] = shop.desks;
  const products = shop.products.slice(0, lines).map((product_id) => ({ product_id, quantity: 1 }));
  const more = { cashbox_id, cheque: 1, products };
  const hold = { ...more, stock_id: shop.stock, full_name: 'Bench' };
  const transactions = [{ payment_type: 'cash', amount: lines * PRICE }];
  const sale = { cashbox_id, stock_id: shop.stock, currency: 'uzs', transactions };
  const holdGoods = () => client.make(HOLDS, hold);
  return scenesOf(OFTEN, {
    [`hold of ${lines} lines`]: () => ({ request: `POST ${HOLDS}`, json: hold }),
    [`add ${lines} lines to a hold`]: async () => ({
      request: `PATCH ${HOLDS}/${await holdGoods()}/add-products`,
      json: more,
    }),
    [`cancel a hold of ${lines} lines`]: async () => ({
      request: `PATCH ${HOLDS}/${await holdGoods()}/cancel`,
    }),
    [`sell a hold of ${lines} lines`]: async () => ({
      request: 'POST /company/trade/sale',
      json: { ...sale, hold_id: await holdGoods() },
    }),
  });
}
