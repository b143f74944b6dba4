import type * as z from 'zod';
import type { Bundle } from '#lib/catalog/bundle.ts';
import type { Problems } from '#lib/values/problems.ts';
import { bundleLines } from './bundle.ts';
import { ifForSale, type PricedLine, type Pricing, type ProductForSale, type WantedBundle } from './price.ts';
import { lineAsAgreed, productLine, type WantedProduct } from './product.ts';
import { promisesTo } from './promise.ts';

/** Cards and bundles as they were read, deleted ones too, and what lines are priced by. */
interface Offers {
  readonly products: ReadonlyMap<number, ProductForSale>;
  readonly bundles: ReadonlyMap<number, z.input<typeof Bundle>>;
  readonly pricing: Pricing;
}

/** Goods that a body asks for. */
interface Wanted {
  readonly products: readonly WantedProduct[];
  readonly bundles: readonly WantedBundle[];
  /** The field of a product's quantity. */
  readonly quantityField?: 'quantity';
}

/**
 * Prices the lines of a body: its products, then those of its bundles. What is not there, and what is wrong
 * with a price, a discount or a quantity by itself, goes to `problems`. Decisions, 5.
 */
export function priceLines(wanted: Wanted, offers: Offers, problems: Problems): PricedLine[] {
  const { quantityField = 'sold_quantity' } = wanted;
  const { promised } = offers.pricing;
  if (wanted.products.length + wanted.bundles.length === 0) problems.add('products', 'sale.no_lines');
  const single = wanted.products.flatMap((each, index) => {
    const path = `products.${index}`;
    const isHeld = each.sold_quantity <= (promised?.products.get(each.product_id)?.quantity ?? 0);
    const product = ifForSale(offers.products.get(each.product_id), isHeld);
    if (!product) problems.add(`${path}.product_id`, 'validation.not_found');
    const asked = { ...each, path, quantityPath: `${path}.${quantityField}`, isHeld };
    return product ? [productLine(product, asked, offers.pricing, problems)] : [];
  });
  const promises = promised && promisesTo(wanted.bundles, offers.bundles, promised);
  const bundled = wanted.bundles.flatMap((each, index) => {
    const path = `bundles.${index}`;
    const promise = promises?.get(each);
    const bundle = ifForSale(offers.bundles.get(each.bundle_id), promise?.isHeld);
    if (!bundle) problems.add(`${path}.bundle_id`, 'validation.not_found');
    return bundle ? bundleLines(bundle, offers, { ...each, path, promise }, problems) : [];
  });
  return [...single, ...bundled];
}

/** Prices products as they were agreed upon. What is not there, or too much, goes to `problems`. */
export function priceAgreed(
  agreed: readonly { readonly product_id: number; readonly quantity: number; readonly price: number }[],
  { products }: Pick<Offers, 'products'>,
  problems: Problems,
): PricedLine[] {
  return agreed.flatMap(({ product_id, quantity, price }, index) => {
    const path = `products.${index}`;
    const product = ifForSale(products.get(product_id));
    if (!product) problems.add(`${path}.product_id`, 'validation.not_found');
    const asked = { product_id, sold_quantity: quantity, price, discount: 0 };
    return product
      ? [lineAsAgreed(product, { ...asked, path, quantityPath: `${path}.quantity` }, problems)]
      : [];
  });
}
