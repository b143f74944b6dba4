import { allocateByWeight } from '#lib/values/allocation.ts';
import { type MessageDescriptor, REVEALING } from '#lib/values/message.ts';
import { MAX_AMOUNT, type MinorUnits } from '#lib/values/money.ts';
import { amountOf } from '#lib/values/quantity.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { bundleLines } from './bundle.ts';
import { bundlePricesHeldFor } from './held-prices.ts';
import {
  collectPriceIssues,
  type GoodsOffers,
  type HeldGoodsPrice,
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

/** Goods that a body requests. */
interface RequestedGoods {
  readonly products: readonly RequestedProduct[];
  readonly bundles: readonly RequestedBundle[];
  /** Services, which `priceServices` prices. */
  readonly services?: readonly unknown[];
  /** The field of a product's quantity. */
  readonly quantityField?: 'quantity';
}

/** Paths of a product in a body, and whether a hold has all of it. */
type Circumstances = WithBodyPath<{ readonly quantityPath: string; readonly isHeld?: boolean }>;

/**
 * Prices the lines of a body: its products, then those of its bundles. Missing goods and invalid prices,
 * discounts and quantities go to `issues`. Contract 5.
 */
export function priceLines(
  requested: RequestedGoods,
  offers: GoodsOffers,
  issues: ValidationIssues,
): PricedLine[] {
  const { quantityField = 'sold_quantity', services = [] } = requested;
  const { promised } = offers.pricing;
  if (requested.products.length + requested.bundles.length + services.length === 0)
    issues.add('products', 'sale.no_lines');
  const single = requested.products.flatMap((each, index) => {
    const path = `products.${index}`;
    const isHeld = isHeldWhole(each, promised);
    const product = ifForSale(offers.products.get(each.product_id), isHeld);
    if (!product) issues.add(`${path}.product_id`, 'validation.not_found');
    const located = { ...each, path, quantityPath: `${path}.${quantityField}`, isHeld };
    return product ? productLines(product, located, offers.pricing, issues) : [];
  });
  const promises = promised && bundlePricesHeldFor(requested.bundles, offers.bundles, promised);
  const bundled = requested.bundles.flatMap((each, index) => {
    const path = `bundles.${index}`;
    const promise = promises?.get(each);
    const bundle = ifForSale(offers.bundles.get(each.bundle_id), promise?.isHeld);
    if (!bundle) issues.add(`${path}.bundle_id`, 'validation.not_found');
    return bundle ? bundleLines(bundle, offers, { ...each, path, promise }, issues) : [];
  });
  return [...single, ...bundled];
}

/**
 * Prices products at agreed prices: their own, or at least their minimum. Missing products, low prices and
 * large amounts go to `issues`. Contract 9.108.
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
    const own = { product_id, sold_quantity: quantity, price, discount: 0 };
    const isBound = product && (product.min_price !== null || product.min_price_percent !== null);
    const prices = isBound && pricesOf(product, pricing, `${path}.price`, wrong);
    if (prices && price !== prices.own && price < prices.least) wrong.add(`${path}.price`, tooLow(prices));
    return product ? [lineAsAgreed(product, { ...own, path, quantityPath: `${path}.quantity` }, issues)] : [];
  });
}

/**
 * Creates the line of a single product, or two if a hold has a part of it; violations go to `issues`.
 * Contract 5; Contract 9.109.
 */
function productLines(
  product: ProductForSale,
  requested: RequestedProduct & Circumstances,
  pricing: Pricing,
  issues: ValidationIssues,
): PricedLine[] {
  const wrong = collectPriceIssues(issues);
  const found = pricesOf(product, pricing, `${requested.path}.price`, wrong);
  const prices = found ?? { own: requested.price ?? 0, least: 0 };
  const promised = pricing.promised?.products.get(product.id);
  const isAdded = promised?.quantity === 0;
  return splitByHold(requested, promised, prices.own).map((part) => {
    const isHeld = part.held !== undefined && !isAdded;
    return productLine(product, { ...part, isHeld }, { ...pricing, prices }, issues);
  });
}

function productLine(
  product: ProductForSale,
  requested: RequestedProduct & Circumstances & { readonly held?: MinorUnits },
  { prices, ...pricing }: Pricing & { readonly prices: ProductPrices },
  issues: ValidationIssues,
): PricedLine {
  const { path, held } = requested;
  const wrong = collectPriceIssues(issues);
  const limits = unlessAccepted(pricing, wrong);
  const own = held ?? prices.own;
  const { least, isByCost = false } = prices;
  const price = requested.price ?? own;
  const line = lineAsAgreed(product, { ...requested, price }, issues);
  const isUsual = price === own;
  const isPriceLow = !isUsual && price < least;
  if (isPriceLow) limits.add(`${path}.price`, tooLow(prices));
  if (!isUsual && !product.is_free_price) limits.add(`${path}.price`, 'sale.price_fixed');
  if (held === undefined) requireNamed(requested, pricing, issues);
  checkDiscount(line, { path, least: isPriceLow ? 0 : least, isByCost, pricing }, issues);
  return line;
}

/** Validates a line's discount: the right to give it, and the minimum price after it. Contract 9.107. */
export function checkDiscount(
  {
    price,
    discount,
    amount,
    sold_quantity,
  }: Pick<PricedLine, 'price' | 'discount' | 'amount' | 'sold_quantity'>,
  { path, pricing, ...floor }: WithBodyPath<Floor> & { readonly pricing: Pricing },
  issues: ValidationIssues,
): void {
  if (discount === 0) return;
  const wrong = collectPriceIssues(issues);
  const limits = unlessAccepted(pricing, issues);
  if (discount > amountOf(price, sold_quantity)) wrong.add(`${path}.discount`, 'sale.discount_too_large');
  if (!pricing.canDiscount) limits.add(`${path}.discount`, 'sale.discount_forbidden');
  if (amount < amountOf(floor.least, sold_quantity))
    collectPriceIssues(limits).add(`${path}.discount`, tooLow(floor));
}

type Floor = Pick<ProductPrices, 'least' | 'isByCost'>;

/** Returns the message that a price is below the minimum. */
function tooLow({ least, isByCost = false }: Floor): MessageDescriptor {
  return { key: 'sale.price_too_low', with: { min: least / 100, ...(isByCost && REVEALING) } };
}

/** Creates the line of a product at an agreed price. */
function lineAsAgreed(
  product: ProductForSale,
  requested: RequestedProduct & Circumstances & { readonly price: MinorUnits },
  issues: ValidationIssues,
): PricedLine {
  const { path, quantityPath, sold_quantity, price, discount } = requested;
  const whole = amountOf(price, sold_quantity);
  if (whole > MAX_AMOUNT) issues.add(quantityPath, 'sale.amount_too_large');
  if (product.is_bundle_only && !requested.isHeld) issues.add(`${path}.product_id`, 'sale.bundle_only');
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

/** Part of a requested product: on hold, at its held price, or beyond the hold. */
type PartOf<T extends RequestedProduct> = Omit<T, 'price'> & {
  readonly price?: MinorUnits | undefined;
  readonly held?: MinorUnits;
};

/**
 * Splits a requested product into the part on hold and the part beyond it, in this order; the discount is
 * allocated by their amounts. A price in the body applies only beyond the hold. Goods added to a hold all
 * have its price. Contract 9.109; Contract 9.145.
 */
function splitByHold<T extends RequestedProduct>(
  requested: T,
  promised: HeldGoodsPrice | undefined,
  own: MinorUnits,
): PartOf<T>[] {
  if (!promised) return [requested];
  const { price, ...rest } = requested;
  const { price: held, quantity } = promised;
  const above = rest.sold_quantity - quantity;
  if (quantity === 0 || above <= 0) return [{ ...rest, held }];
  const amounts = [amountOf(held, quantity), amountOf(price ?? own, above)];
  const weights = amounts.some((each) => each > 0) ? amounts : amounts.map(() => 1);
  const [first = 0, second = 0] = allocateByWeight(rest.discount, weights);
  return [
    { ...rest, sold_quantity: quantity, discount: first, held },
    { ...rest, sold_quantity: above, discount: second, price },
  ];
}
