import type { Reply } from '#bin/cli/person.ts';
import { call } from './http.ts';
import { sellFor } from './returns.ts';
import { newGoods, newShop, type Shop } from './shop.ts';

export const SALE_TENDERS = '/company/trade/sale/tender';

/** A shop with water at one sum a piece, so that a sale's total equals its pieces. */
export interface WaterShop extends Shop {
  readonly token: string;
  readonly water: number;
}

/** Creates such a shop. */
export async function newWaterShop(): Promise<WaterShop> {
  const shop = await newShop();
  const water = await newGoods(shop, [{ quantity: 100_000, cost: 0.5 }], { sale_price: 1 });
  return { ...shop, token: shop.director, water };
}

/** Builds payments: `paying({ cash: 60, card: 40 })`. */
export function paymentsBy(sums: Readonly<Record<string, number>>): object[] {
  return Object.entries(sums).map(([payment_type, amount]) => ({ payment_type, amount }));
}

/** Sells as many pieces as these payments pay for. */
export function sellBy(shop: WaterShop, sums: Readonly<Record<string, number>>, given = {}): Promise<number> {
  const sold_quantity = Object.values(sums).reduce((sum, each) => sum + each, 0);
  const products = [{ product_id: shop.water, sold_quantity }];
  return sellFor(shop, { products, transactions: paymentsBy(sums), ...given });
}

/** Corrects the payment types of a sale. */
export function correctTo(
  { token }: Pick<WaterShop, 'token'>,
  sale: number,
  sums: Readonly<Record<string, number>>,
  headers = {},
): Promise<Reply> {
  const json = { transactions: paymentsBy(sums) };
  return call(`PATCH /company/trade/sale/${sale}/tender`, { token, json, headers });
}
