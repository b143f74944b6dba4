import type * as z from 'zod';
import type { Bundle } from '#lib/catalog/bundle.ts';
import type { Cents } from '#lib/values/money.ts';
import type { SaleInput } from './input.ts';

/** Goods of a hold at one price. */
export interface HeldPrice {
  readonly price: Cents;
  readonly quantity: number;
}

/** Bundles that a hold has under one key, and what one of them is made of, by product. */
export interface HeldBundle extends HeldPrice {
  readonly bundle_id: number;
  readonly contents: ReadonlyMap<number, number>;
}

/** Prices that a hold's goods were promised at: products by themselves, and bundles. Decisions, 9 (2). */
export interface HeldPrices {
  readonly products: ReadonlyMap<number, HeldPrice>;
  readonly bundles: ReadonlyMap<number, readonly HeldBundle[]>;
}

/** A hold's promise to a line of bundles. */
export interface Promised {
  /** What they come to at held prices. */
  readonly amount: Cents;
  /** Whether the hold has all of them. */
  readonly isHeld: boolean;
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
