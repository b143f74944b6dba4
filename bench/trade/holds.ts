import type { MeasuredShop } from '#bench/kit/measured-shop.ts';
import type { Scene } from '#bench/kit/scene.ts';

const HOLDS = '/company/trade/hold';

/** Holds so many lines, adds as many to a hold, cancels and sells one. */
export function holdScenes({ client, shop }: MeasuredShop, lines: number): Scene[] {
  const [cashbox_id = 0] = shop.desks;
  const products = shop.products.slice(0, lines).map((product_id) => ({ product_id, quantity: 1 }));
  const more = { cashbox_id, cheque: 1, products };
  const hold = { ...more, stock_id: shop.stock, full_name: 'Bench' };
  const sale = {
    cashbox_id,
    stock_id: shop.stock,
    currency: 'uzs',
    transactions: [{ payment_type: 'cash', amount: lines * 5000 }],
  };
  const holdGoods = () => client.make(HOLDS, hold);
  const often = { warm: 20, times: 40 };
  return [
    { what: `hold of ${lines} lines`, ...often, prepare: () => ({ request: `POST ${HOLDS}`, json: hold }) },
    {
      what: `add ${lines} lines to a hold`,
      ...often,
      prepare: async () => ({ request: `PATCH ${HOLDS}/${await holdGoods()}/add-products`, json: more }),
    },
    {
      what: `cancel a hold of ${lines} lines`,
      ...often,
      prepare: async () => ({ request: `PATCH ${HOLDS}/${await holdGoods()}/cancel` }),
    },
    {
      what: `sell a hold of ${lines} lines`,
      ...often,
      prepare: async () => ({
        request: 'POST /company/trade/sale',
        json: { ...sale, hold_id: await holdGoods() },
      }),
    },
  ];
}
