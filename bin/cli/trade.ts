import type { Person } from './person.ts';

/* What people of a shop do, for the programs that play them. */

export const SALE_ROUTE = '/company/trade/sale';
export const GOODS_RECEIPT_ROUTE = '/company/trade/purchase';

/** How much of each product. */
export type Basket = readonly (readonly [productId: number, quantity: number])[];

/** A desk, and the warehouse that is sold from at it. */
export interface Counter {
  readonly cashbox_id: number;
  readonly stock_id: number;
}

/** Makes the body of a sale: how much of each product, and what is paid in which way. */
export function saleAt({ cashbox_id, stock_id }: Counter, goods: Basket, payments: object): object {
  return {
    ...{ cashbox_id, stock_id, currency: 'uzs' },
    products: goods.map(([product_id, sold_quantity]) => ({ product_id, sold_quantity })),
    transactions: Object.entries(payments).map(([payment_type, amount]) => ({ payment_type, amount })),
  };
}

/** Makes a receipt and completes it: its goods are on the shelves then. */
export async function receiveDelivery(person: Person, receipt: object): Promise<void> {
  const id = await person.make(GOODS_RECEIPT_ROUTE, { currency: 'uzs', ...receipt });
  await person.call(`PATCH ${GOODS_RECEIPT_ROUTE}/${id}/complete`);
}
