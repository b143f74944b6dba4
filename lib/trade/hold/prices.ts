import type { HeldBundle, HeldPrice, HeldPrices } from '#lib/trade/sale/held-price.ts';
import { totalAmount } from '#lib/values/money.ts';
import { isSingle } from './lines.ts';
import type { HoldLine } from './record.ts';

/**
 * Computes the prices that a hold's goods were promised at, and for how many: for none, if goods are being
 * added at these prices. Decisions, 9 (2).
 */
export function heldPrices(lines: readonly HoldLine[], { areAdded = false } = {}): HeldPrices {
  const ownOf = (quantity: number) => (areAdded ? 0 : quantity);
  const single = lines
    .filter(isSingle)
    .map(({ product_id, price, quantity }): [number, HeldPrice] => [
      product_id,
      { price, quantity: ownOf(quantity) },
    ]);
  const byKey = Map.groupBy(lines, ({ bundle_key }) => bundle_key);
  const bundled = [...byKey.values()].flatMap((parts): HeldBundle[] => {
    const [{ bundle_id, bundle_quantity } = { bundle_id: null, bundle_quantity: null }] = parts;
    if (bundle_id === null || bundle_quantity === null) return [];
    const price = totalAmount(parts) / bundle_quantity;
    const contents = parts.map(({ product_id, quantity }): [number, number] => [
      product_id,
      quantity / bundle_quantity,
    ]);
    return [{ bundle_id, price, quantity: ownOf(bundle_quantity), contents: new Map(contents) }];
  });
  return { products: new Map(single), bundles: Map.groupBy(bundled, ({ bundle_id }) => bundle_id) };
}
