import { allocateByWeight } from '#lib/values/allocation.ts';
import type { MinorUnits } from '#lib/values/money.ts';
import { amountOf } from '#lib/values/quantity.ts';
import type { HeldGoodsPrice, RequestedProduct } from './price.ts';

/** A part of what a body asks of a product: what a hold has of it, at its held price, or what is above. */
type PartOf<T extends RequestedProduct> = Omit<T, 'price'> & {
  readonly price?: MinorUnits | undefined;
  readonly held?: MinorUnits;
};

/**
 * Splits what a body asks of a product into what a hold has of it and what is above, the held part first; the
 * discount is shared by their amounts. A price that the body names counts for what is above alone. Goods that
 * are added to a hold are all at its price. Contract 9.109; Contract 9.145.
 */
export function splitByHold<T extends RequestedProduct>(
  wanted: T,
  promised: HeldGoodsPrice | undefined,
  own: MinorUnits,
): PartOf<T>[] {
  if (!promised) return [wanted];
  const { price, ...asked } = wanted;
  const { price: held, quantity } = promised;
  const above = asked.sold_quantity - quantity;
  if (quantity === 0 || above <= 0) return [{ ...asked, held }];
  const amounts = [amountOf(held, quantity), amountOf(price ?? own, above)];
  const weights = amounts.some((each) => each > 0) ? amounts : amounts.map(() => 1);
  const [first = 0, second = 0] = allocateByWeight(asked.discount, weights);
  return [
    { ...asked, sold_quantity: quantity, discount: first, held },
    { ...asked, sold_quantity: above, discount: second, price },
  ];
}
