import type { MessageDescriptor } from '#lib/values/message.ts';
import { MAX_AMOUNT, type MinorUnits } from '#lib/values/money.ts';
import { amountOf } from '#lib/values/quantity.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { bundleLines } from './bundle.ts';
import { splitByHold } from './held.ts';
import { bundlePricesHeldFor } from './held-prices.ts';
import {
  collectPriceIssues,
  ifForSale,
  isHeldWhole,
  type Offers,
  type PricedLine,
  type Pricing,
  type ProductForSale,
  type ProductPrices,
  pricesOf,
  type RequestedBundle,
  type RequestedProduct,
  requireNamed,
  unlessAccepted,
  type WithBodyPath,
} from './price.ts';

/** Goods that a body asks for. */
interface Wanted {
  readonly products: readonly RequestedProduct[];
  readonly bundles: readonly RequestedBundle[];
  /** The field of a product's quantity. */
  readonly quantityField?: 'quantity';
}

/** A product's place in a body, with the path of its quantity, and whether a hold has all of it. */
type Circumstances = WithBodyPath<{ readonly quantityPath: string; readonly isHeld?: boolean }>;

/**
 * Prices the lines of a body: its products, then those of its bundles. What is not there, and what is wrong
 * with a price, a discount or a quantity by itself, goes to `problems`. Contract 5.
 */
export function priceLines(wanted: Wanted, offers: Offers, issues: ValidationIssues): PricedLine[] {
  const { quantityField = 'sold_quantity' } = wanted;
  const { promised } = offers.pricing;
  if (wanted.products.length + wanted.bundles.length === 0) issues.add('products', 'sale.no_lines');
  const single = wanted.products.flatMap((each, index) => {
    const path = `products.${index}`;
    const isHeld = isHeldWhole(each, promised);
    const product = ifForSale(offers.products.get(each.product_id), isHeld);
    if (!product) issues.add(`${path}.product_id`, 'validation.not_found');
    const asked = { ...each, path, quantityPath: `${path}.${quantityField}`, isHeld };
    return product ? productLines(product, asked, offers.pricing, issues) : [];
  });
  const promises = promised && bundlePricesHeldFor(wanted.bundles, offers.bundles, promised);
  const bundled = wanted.bundles.flatMap((each, index) => {
    const path = `bundles.${index}`;
    const promise = promises?.get(each);
    const bundle = ifForSale(offers.bundles.get(each.bundle_id), promise?.isHeld);
    if (!bundle) issues.add(`${path}.bundle_id`, 'validation.not_found');
    return bundle ? bundleLines(bundle, offers, { ...each, path, promise }, issues) : [];
  });
  return [...single, ...bundled];
}

/**
 * Prices products as they were agreed upon: at their own price, or not under their floor. What is not there,
 * too low, or too much, goes to `problems`. Contract 9.108.
 */
export function priceAgreed(
  agreed: readonly { readonly product_id: number; readonly quantity: number; readonly price: number }[],
  { products, pricing }: Pick<Offers, 'products' | 'pricing'>,
  issues: ValidationIssues,
): PricedLine[] {
  const wrong = collectPriceIssues(issues);
  return agreed.flatMap(({ product_id, quantity, price }, index) => {
    const path = `products.${index}`;
    const product = ifForSale(products.get(product_id));
    if (!product) issues.add(`${path}.product_id`, 'validation.not_found');
    const asked = { product_id, sold_quantity: quantity, price, discount: 0 };
    const isBound = product && (product.min_price !== null || product.min_price_percent !== null);
    const prices = isBound && pricesOf(product, pricing, `${path}.price`, wrong);
    if (prices && price !== prices.own && price < prices.least)
      wrong.add(`${path}.price`, tooLow(prices.least));
    return product
      ? [lineAsAgreed(product, { ...asked, path, quantityPath: `${path}.quantity` }, issues)]
      : [];
  });
}

/**
 * Makes the line of a product sold by itself, or two if a hold has a part of it; what is wrong with them goes
 * to `problems`. Contract 5; Contract 9.109.
 */
function productLines(
  product: ProductForSale,
  wanted: RequestedProduct & Circumstances,
  pricing: Pricing,
  issues: ValidationIssues,
): PricedLine[] {
  const wrong = collectPriceIssues(issues);
  const found = pricesOf(product, pricing, `${wanted.path}.price`, wrong);
  const prices = found ?? { own: wanted.price ?? 0, least: 0 };
  const promised = pricing.promised?.products.get(product.id);
  const isAdded = promised?.quantity === 0;
  return splitByHold(wanted, promised, prices.own).map((part) => {
    const isHeld = part.held !== undefined && !isAdded;
    return productLine(product, { ...part, isHeld }, { ...pricing, prices }, issues);
  });
}

function productLine(
  product: ProductForSale,
  wanted: RequestedProduct & Circumstances & { readonly held?: MinorUnits },
  { prices, ...pricing }: Pricing & { readonly prices: ProductPrices },
  issues: ValidationIssues,
): PricedLine {
  const { path, held } = wanted;
  const wrong = collectPriceIssues(issues);
  const limits = unlessAccepted(pricing, wrong);
  const own = held ?? prices.own;
  const { least } = prices;
  const price = wanted.price ?? own;
  const line = lineAsAgreed(product, { ...wanted, price }, issues);
  const isUsual = price === own;
  const isPriceLow = !isUsual && price < least;
  if (isPriceLow) limits.add(`${path}.price`, tooLow(least));
  if (!isUsual && !product.is_free_price) limits.add(`${path}.price`, 'sale.price_fixed');
  if (held === undefined) requireNamed(wanted, pricing, issues);
  checkDiscount(line, { path, least: isPriceLow ? 0 : least, pricing }, issues);
  return line;
}

/** Checks a line's discount: that it may be given, and leaves no less than the floor. Contract 9.107. */
function checkDiscount(
  { price, discount, amount, sold_quantity }: PricedLine,
  { path, least, pricing }: { readonly path: string; readonly least: MinorUnits; readonly pricing: Pricing },
  issues: ValidationIssues,
): void {
  if (discount === 0) return;
  const wrong = collectPriceIssues(issues);
  const limits = unlessAccepted(pricing, issues);
  if (discount > amountOf(price, sold_quantity)) wrong.add(`${path}.discount`, 'sale.discount_too_large');
  if (!pricing.canDiscount) limits.add(`${path}.discount`, 'sale.discount_forbidden');
  if (amount < amountOf(least, sold_quantity))
    collectPriceIssues(limits).add(`${path}.discount`, tooLow(least));
}

/** Says that a price is under its product's floor. */
function tooLow(floor: MinorUnits): MessageDescriptor {
  return { key: 'sale.price_too_low', with: { min: floor / 100 } };
}

/** Makes the line of a product at a price that was agreed upon, whatever the product's own. */
function lineAsAgreed(
  product: ProductForSale,
  wanted: RequestedProduct & Circumstances & { readonly price: MinorUnits },
  issues: ValidationIssues,
): PricedLine {
  const { path, quantityPath, sold_quantity, price, discount } = wanted;
  const whole = amountOf(price, sold_quantity);
  if (whole > MAX_AMOUNT) issues.add(quantityPath, 'sale.amount_too_large');
  if (product.is_bundle_only && !wanted.isHeld) issues.add(`${path}.product_id`, 'sale.bundle_only');
  return {
    product_id: product.id,
    bundle_id: null,
    bundle_key: null,
    bundle_quantity: null,
    sold_quantity,
    price,
    discount,
    amount: Math.max(0, whole - discount),
    pricePath: `${path}.price`,
    quantityPath,
  };
}
