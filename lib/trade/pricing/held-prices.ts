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

/** What a hold promises to a line of bundles. */
export interface HeldBundlePrice {
  /** What those that have a promised price cost. */
  readonly amount: MinorUnits;
  /** How many are above them. */
  readonly above: number;
  /** Whether the hold has all of them. */
  readonly isHeld: boolean;
}

type HoldLine = Omit<PricedLine, 'sold_quantity' | 'discount' | 'pricePath' | 'quantityPath'> & {
  readonly quantity: Units;
};

/**
 * Computes the prices that a hold's goods were promised at, and for how many: for none, if goods are being
 * added at these prices. Contract 9.2.
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
 * Finds what a hold promises to lines of bundles. Each of its bundles is promised once: to a line that names
 * its price, then to those that name none, in their order; what is above has no promised price, unless it is
 * added to the hold: then it has the last. So of two at 90 and three at 100, a line of four at 100 gets the
 * three and one at 90, and a line that names no price the other at 90. A bundle that is made of other goods
 * now than when it was held is not promised. Contract 9.2; Contract 9.109.
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

/** Takes bundles for a line from those that are left, the ones of its price first; undefined without any. */
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

/** Tells held bundles that are made as one is now. */
function isMadeAs(bundle: z.input<typeof Bundle> | undefined) {
  return ({ contents }: HeldBundles) =>
    bundle?.products.length === contents.size &&
    bundle.products.every(({ product_id, quantity }) => contents.get(product_id) === quantity);
}
