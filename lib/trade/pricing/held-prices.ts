import type * as z from 'zod';
import type { Bundle } from '#lib/catalog/bundle.ts';
import { allocateInOrder } from '#lib/values/allocation.ts';
import { type MinorUnits, totalAmount } from '#lib/values/money.ts';
import type { Units } from '#lib/values/quantity.ts';
import {
  type HeldBundles,
  type HeldGoodsPrice,
  type HeldPrices,
  isSingle,
  type PricedLine,
  type RequestedBundle,
} from './price.ts';

/** Held price of a line of bundles. */
export interface HeldBundlePrice {
  /** Total of the bundles with a held price. */
  readonly amount: MinorUnits;
  /** Number of bundles beyond them. */
  readonly above: number;
  /** True if the hold has all of them. */
  readonly isHeld: boolean;
}

type HoldLine = Omit<PricedLine, 'sold_quantity' | 'discount' | 'pricePath' | 'quantityPath'> & {
  readonly quantity: Units;
};

/**
 * Computes the held prices of a hold's goods, and for which quantities: for none, if goods are being added at
 * these prices. Contract 9.2.
 */
export function pricesHeldFor(lines: readonly HoldLine[], { areAdded = false } = {}): HeldPrices {
  const promise = (price: MinorUnits, quantity: number): HeldGoodsPrice => ({
    price,
    quantity: areAdded ? 0 : quantity,
  });
  const single = lines.filter(isSingle);
  const byKey = Map.groupBy(lines, ({ bundle_key }) => bundle_key);
  const bundled = [...byKey.values()].flatMap((members) => {
    const [{ bundle_id, bundle_quantity } = { bundle_id: null, bundle_quantity: null }] = members;
    if (bundle_id === null || bundle_quantity === null) return [];
    const contents = members.map((each) => [each.product_id, each.quantity / bundle_quantity] as const);
    const price = totalAmount(members) / bundle_quantity;
    return { bundle_id, ...promise(price, bundle_quantity), contents: new Map(contents) };
  });
  return {
    products: new Map(single.map((line) => [line.product_id, promise(line.price, line.quantity)])),
    bundles: Map.groupBy(bundled, ({ bundle_id }) => bundle_id),
    areAdded,
  };
}

/**
 * Assigns held prices to lines of bundles. Each held bundle is assigned once: to a line with its price, then
 * to lines without a price, in their order. Bundles beyond the hold have no held price, unless they are added
 * to it: then they have the last one. For example, of two at 90 and three at 100, a line of four at 100 gets
 * the three and one at 90, and a line without a price the other at 90. A bundle whose contents have changed
 * since is not assigned. Contract 9.2; Contract 9.109.
 */
export function bundlePricesHeldFor<T extends RequestedBundle>(
  wanted: readonly T[],
  bundles: ReadonlyMap<number, z.input<typeof Bundle>>,
  promised: HeldPrices,
): ReadonlyMap<T, HeldBundlePrice> {
  const promises = new Map<T, HeldBundlePrice>();
  for (const [id, lines] of Map.groupBy(wanted, ({ bundle_id }) => bundle_id)) {
    let left = (promised.bundles.get(id) ?? []).filter(isMadeAs(bundles.get(id)));
    const [priced, others] = [true, false].map((is) =>
      lines.filter(({ price }) => is === (price !== undefined)),
    );
    for (const line of [...(priced ?? []), ...(others ?? [])]) {
      const taken = take(left, line, promised);
      if (taken) promises.set(line, taken.promise);
      left = taken?.left ?? left;
    }
  }
  return promises;
}

/** Takes bundles for a line from the remaining ones, those of its price first; undefined if none remain. */
function take(left: readonly HeldBundles[], { quantity, price }: RequestedBundle, { areAdded }: HeldPrices) {
  const isItsPrice = (each: HeldBundles) => each.price === price;
  const last = left.findLast(isItsPrice) ?? left.at(-1);
  if (!last) return undefined;
  const inOrder = [...left.filter(isItsPrice), ...left.filter((each) => !isItsPrice(each))];
  const parts = allocateInOrder(
    quantity,
    inOrder.map((each) => each.quantity),
  );
  const taken = new Map(inOrder.map((each, index) => [each, parts[index] ?? 0]));
  const beyond = parts.reduce((rest, part) => rest - part, quantity);
  const added = areAdded ? beyond * last.price : 0;
  const amount = [...taken].reduce((sum, [each, part]) => sum + part * each.price, added);
  return {
    promise: { amount, above: areAdded ? 0 : beyond, isHeld: beyond === 0 },
    left: left.map((each) => ({ ...each, quantity: each.quantity - (taken.get(each) ?? 0) })),
  };
}

/** Returns a filter for held bundles whose contents have not changed. */
function isMadeAs(bundle: z.input<typeof Bundle> | undefined) {
  return ({ contents }: HeldBundles) =>
    bundle?.products.length === contents.size &&
    bundle.products.every(({ product_id, quantity }) => contents.get(product_id) === quantity);
}
