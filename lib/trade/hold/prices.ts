import type * as z from 'zod';
import type { Bundle } from '#lib/catalog/bundle.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import type { HeldBundle, HeldPrice, HeldPrices, Promised } from '#lib/trade/sale/price.ts';
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

type AskedBundle = Pick<SaleInput['bundles'][number], 'bundle_id' | 'quantity' | 'price'>;

/**
 * Tells what a hold promised to lines of bundles. Each held bundle is promised once: to a line that names its
 * price, then to those that name none, in their order; what is above has the last held price. If a bundle is
 * made of other goods now than when it was held, nothing is promised of it. Decisions, 9 (2).
 */
export function promisesTo<T extends AskedBundle>(
  asked: readonly T[],
  bundles: ReadonlyMap<number, z.input<typeof Bundle>>,
  held: HeldPrices,
): ReadonlyMap<T, Promised> {
  const known = new Map([...held.bundles].map(([id, each]) => [id, each.filter(isMadeAs(bundles.get(id)))]));
  const left = new Map<HeldBundle, number>();
  const promises = new Map<T, Promised>();
  const isPriced = ({ price }: T) => price !== undefined;
  for (const line of [...asked.filter(isPriced), ...asked.filter((each) => !isPriced(each))]) {
    const all = known.get(line.bundle_id) ?? [];
    const fitting = all.filter(({ price }) => price === line.price);
    const last = fitting.at(-1) ?? all.at(-1);
    if (!last) continue;
    let above = line.quantity;
    let amount = 0;
    for (const each of new Set([...fitting, ...all])) {
      const there = left.get(each) ?? each.quantity;
      const taken = Math.min(there, above);
      left.set(each, there - taken);
      above -= taken;
      amount += taken * each.price;
    }
    promises.set(line, { amount: amount + above * last.price, isHeld: above === 0 });
  }
  return promises;
}

/** Tells held bundles that are made as one is now. */
function isMadeAs(bundle: z.input<typeof Bundle> | undefined) {
  return ({ contents }: HeldBundle) =>
    bundle?.products.length === contents.size &&
    bundle.products.every(({ product_id, quantity }) => contents.get(product_id) === quantity);
}
