import type { HeldPrices } from '#lib/trade/sale/price.ts';
import { type Cents, totalAmount } from '#lib/values/money.ts';
import { isSingle } from './lines.ts';
import type { HoldLine } from './record.ts';

/** Computes the prices that a hold's goods were promised at. Decisions, 9 (2). */
export function heldPrices(lines: readonly HoldLine[]): HeldPrices {
  const single = lines.filter(isSingle).map(({ product_id, price }): [number, Cents] => [product_id, price]);
  const byKey = Map.groupBy(lines, ({ bundle_key }) => bundle_key);
  const bundled = [...byKey].flatMap(([key, parts]): [number, Cents][] => {
    const [{ bundle_id, bundle_quantity } = { bundle_id: null, bundle_quantity: null }] = parts;
    if (key === null || bundle_id === null || bundle_quantity === null) return [];
    return [[bundle_id, totalAmount(parts) / bundle_quantity]];
  });
  return { products: new Map(single), bundles: new Map(bundled) };
}
