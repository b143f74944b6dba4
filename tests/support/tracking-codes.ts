import type { Reply } from '#bin/cli/person.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { readTrackingCodes } from '#lib/trade/tracking-codes/claims.ts';
import { call } from './http.ts';
import { newGoods, type Shop, saleBody } from './shop.ts';

export const SELL = 'POST /company/trade/sale';

/** Creates a product with tracking codes at 1 a piece. */
export function newTrackedProduct(shop: Shop, quantity = 1000): Promise<number> {
  return newGoods(shop, [{ quantity, cost: 0.5 }], { sale_price: 1, is_marked: true });
}

/** Builds the body of a cash sale of one piece for each tracking code. */
export function saleOfTrackingCodes(
  shop: Shop,
  product_id: number,
  marks: readonly string[],
  given: object = {},
): object {
  const sold_quantity = Math.max(1, marks.length);
  return saleBody(shop, {
    products: [{ product_id, sold_quantity, marks }],
    transactions: [{ payment_type: 'cash', amount: sold_quantity }],
    ...given,
  });
}

/** Sells one piece for each tracking code. */
export function sellTrackingCodes(shop: Shop, product_id: number, marks: readonly string[]): Promise<Reply> {
  return call(SELL, { token: shop.director, json: saleOfTrackingCodes(shop, product_id, marks) });
}

/** Lists the outstanding tracking codes, in their compared form. */
export async function outstandingCodesOf({ companyId }: Pick<Shop, 'companyId'>): Promise<string[]> {
  return [...(await readTrackingCodes(familyTenant(companyId))).keys()].sort();
}
