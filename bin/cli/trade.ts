import type { Person } from './person.ts';

/* Requests of a shop's users, for programs that simulate them. */

export const SALE_ROUTE = '/company/trade/sale';
export const GOODS_RECEIPT_ROUTE = '/company/trade/purchase';

/** Quantity of each product. */
export type Basket = readonly (readonly [productId: number, quantity: number])[];

/** A desk, and the warehouse it sells from. */
export interface Counter {
  readonly cashbox_id: number;
  readonly stock_id: number;
}

/** Builds the body of a sale from quantities by product and amounts by payment type. */
export function saleAt({ cashbox_id, stock_id }: Counter, goods: Basket, payments: object): object {
  return {
    ...{ cashbox_id, stock_id, currency: 'uzs' },
    products: goods.map(([product_id, sold_quantity]) => ({ product_id, sold_quantity })),
    transactions: Object.entries(payments).map(([payment_type, amount]) => ({ payment_type, amount })),
  };
}

/** Creates and completes a goods receipt, which puts its goods in stock. */
export async function receiveDelivery(person: Person, receipt: object): Promise<void> {
  const id = await person.make(GOODS_RECEIPT_ROUTE, { currency: 'uzs', ...receipt });
  await person.call(`PATCH ${GOODS_RECEIPT_ROUTE}/${id}/complete`);
}
