import type { Measured } from '#lib/catalog/accuracy.ts';
import type { StockLevels } from '#lib/stock/stock-levels.ts';
import type { Units } from '#lib/values/quantity.ts';

/** A product that a body asks for, by the name that its quantity has there. */
type Asked = { readonly product_id: number } & (
  | { readonly sold_quantity: Units; readonly quantity?: undefined }
  | { readonly quantity: Units; readonly sold_quantity?: undefined }
);

/**
 * Lists the quantities of products that a body takes by themselves off the shelves, before it does: all of
 * what is there, or of what a hold has, is a whole remainder.
 */
export function quantitiesTaken(
  asked: readonly Asked[],
  stockLevels: Pick<StockLevels, 'free'>,
  held: readonly { readonly product_id: number; readonly quantity: Units }[] = [],
): Measured[] {
  return asked.map(({ product_id, sold_quantity, quantity }, index) => {
    const path = `products.${index}.${sold_quantity === undefined ? 'quantity' : 'sold_quantity'}`;
    const ofHold = held.filter((line) => line.product_id === product_id).map((line) => line.quantity);
    const remainders = [stockLevels.free(product_id), ...ofHold];
    return { product_id, quantity: sold_quantity ?? quantity ?? 0, path, remainders };
  });
}
