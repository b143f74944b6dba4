import { type Cents, MOST_AMOUNT } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import { amountOf, type Units } from '#lib/values/quantity.ts';
import {
  type InBody,
  onPrices,
  type PricedLine,
  type Pricing,
  type ProductForSale,
  pricesOf,
} from './price.ts';

/** So much of a product as a body asks for; at its own price if it names none. */
export interface WantedProduct {
  readonly product_id: number;
  readonly sold_quantity: Units;
  readonly price?: Cents | undefined;
  readonly discount: Cents;
}

/** The path of its quantity in the body, and whether a hold has all of it. */
type Circumstances = InBody<{ readonly quantityPath: string; readonly isHeld?: boolean }>;

/** Makes the line of a product sold by itself; what is wrong with it goes to `problems`. Decisions, 5. */
export function productLine(
  product: ProductForSale,
  wanted: WantedProduct & Circumstances,
  pricing: Pricing,
  problems: Problems,
): PricedLine {
  const { path, sold_quantity, discount } = wanted;
  const wrong = onPrices(problems);
  const prices = pricesOf(product, pricing, `${path}.price`, wrong) ?? { own: wanted.price ?? 0, least: 0 };
  const own = pricing.promised?.products.get(product.id)?.price ?? prices.own;
  const least = Math.min(prices.least, own);
  const price = wanted.price ?? own;
  const line = lineAsAgreed(product, { ...wanted, price }, problems);
  const tooLow = { key: 'sale.price_too_low', with: { min: least / 100 } } as const;
  const isPriceLow = price < least;
  if (isPriceLow) wrong.add(`${path}.price`, tooLow);
  if (price !== own && !product.is_free_price) wrong.add(`${path}.price`, 'sale.price_fixed');
  if (discount > amountOf(price, sold_quantity)) wrong.add(`${path}.discount`, 'sale.discount_too_large');
  if (discount > 0 && !pricing.canDiscount) problems.add(`${path}.discount`, 'sale.discount_forbidden');
  if (!isPriceLow && line.amount < amountOf(least, sold_quantity)) wrong.add(`${path}.discount`, tooLow);
  return line;
}

/** Makes the line of a product at a price that was agreed upon, whatever the product's own. */
export function lineAsAgreed(
  product: ProductForSale,
  wanted: WantedProduct & Circumstances & { readonly price: Cents },
  problems: Problems,
): PricedLine {
  const { path, quantityPath, sold_quantity, price, discount } = wanted;
  const whole = amountOf(price, sold_quantity);
  if (whole > MOST_AMOUNT) problems.add(quantityPath, 'sale.amount_too_large');
  if (product.is_bundle_only && !wanted.isHeld) problems.add(`${path}.product_id`, 'sale.bundle_only');
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
